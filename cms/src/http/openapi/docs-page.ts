import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { notFound } from '../../base/errors.ts'
import { html } from '../../base/html.ts'
import type { Site } from '../../model/declared/types.ts'
import { Reply } from '../requests/route.ts'

const MEDIA_TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' }

/** Nothing from elsewhere, no script or style within the page, no requests to other sites. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** A file of the page, as it is named there: with a digest, so that it never changes. */
interface DocsFile {
  readonly name: string
  readonly bytes: Buffer
}

let files: Promise<readonly DocsFile[]> | null = null

/**
 * The page that shows and tries the interface (§0.13): a viewer that asks for `openapi.json` as the caller who looks at
 * it.
 */
export async function answerDocs({ name, prefix }: Pick<Site, 'name' | 'prefix'>): Promise<Reply> {
  const [viewer, style, script] = await docsFiles()
  const url = (file: DocsFile | undefined) => `${prefix}/api/v1/docs/${file?.name}`
  const page = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${name}: API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${url(style)}">
<div id="docs" data-openapi="${prefix}/api/v1/openapi.json"></div>
<script src="${url(viewer)}" defer></script>
<script src="${url(script)}" defer></script>
</html>
`
  return new Reply(page.text, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': POLICY })
}

/** A file of that page. */
export async function answerDocsFile(name: string): Promise<Reply> {
  const file = (await docsFiles()).find((each) => each.name === name)
  if (file === undefined) throw notFound()
  return new Reply(file.bytes, {
    'Content-Type': `${MEDIA_TYPES[extname(name)]}; charset=utf-8`,
    'Cache-Control': 'public, max-age=31536000, immutable',
  })
}

/** The viewer, its style, and what begins it; read when they are first asked for. */
function docsFiles(): Promise<readonly DocsFile[]> {
  files ??= Promise.all([
    installed('swagger-ui-bundle.js'),
    installed('swagger-ui.css'),
    named('docs.js', Buffer.from(DOCS_SCRIPT)),
  ]).catch((error: unknown) => {
    // The next request tries again.
    files = null
    throw error
  })
  return files
}

/** A file of the viewer: the package has it beside its own, compressed; the repository where `npm ci` installs it. */
async function installed(name: string): Promise<DocsFile> {
  const built = fileURLToPath(new URL(`viewer/${name}.br`, import.meta.url))
  if (existsSync(built)) return named(name, await promisify(brotliDecompress)(await readFile(built)))
  return named(name, await readFile(createRequire(import.meta.url).resolve(`@fastify/swagger-ui/static/${name}`)))
}

function named(name: string, bytes: Buffer): DocsFile {
  const type = extname(name)
  return { name: `${name.slice(0, -type.length)}-${hash('sha256', bytes, 'hex').slice(0, 12)}${type}`, bytes }
}

/**
 * What begins the viewer, in the browser. A key that somebody enters is sent with the description, too, which then
 * shows what the key may do; requests go to where the page came from, whatever address the site has elsewhere.
 */
const DOCS_SCRIPT = `'use strict'
const element = document.getElementById('docs')
const url = element.dataset.openapi
let viewer

/** The credential that was entered, as a header; null where there is none. */
function authorization() {
  for (const [name, { value }] of Object.entries(viewer.authSelectors.authorized().toJS())) {
    if (value) return (name === 'bearer' ? 'Bearer ' : 'ApiKey ') + String(value).replace(/^(ApiKey|Bearer) /i, '')
  }
  return null
}

/** Whoever signs in may know of more. */
function describedAnew(system) {
  viewer = system
  const then = (original) => (payload) => {
    const result = original(payload)
    system.specActions.download(url)
    return result
  }
  return { statePlugins: { auth: { wrapActions: { authorize: then, logout: then } } } }
}

SwaggerUIBundle({
  url,
  domNode: element,
  plugins: [describedAnew],
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  requestInterceptor: (request) => {
    const { pathname, search } = new URL(request.url, location.href)
    request.url = location.origin + pathname + search
    const header = authorization()
    if (header !== null) request.headers.Authorization = header
    return request
  },
  responseInterceptor: (response) => {
    const isDescription = new URL(response.url, location.href).pathname === url
    // Called 3.1 it takes the viewer ten times as long to show the same.
    if (isDescription) response.text = response.text.replace('"openapi":"3.1.0"', '"openapi":"3.0.4"')
    return response
  },
})
`
