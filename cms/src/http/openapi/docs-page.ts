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
import { keptForAYear } from '../requests/headers.ts'
import { Reply } from '../requests/route.ts'

const MEDIA_TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' }

/** Allows nothing from other sites, no inline script or style, and no requests to other sites. */
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
    ...keptForAYear(true),
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

/** Reads a file of the viewer: compressed next to this module in the package, else where `npm ci` installs it. */
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
 * Starts the viewer in the browser. A key that is entered is sent with the request for the description, too, which then
 * shows what the key may do; requests go to the address of the page, whatever other addresses the site has.
 */
const DOCS_SCRIPT = `'use strict'
const dark = matchMedia('(prefers-color-scheme: dark)')
const colour = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', colour)
colour()

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

/** Loads the description again after signing in or out: callers see different parts. Names the version that it has. */
function describing(system) {
  viewer = system
  const then = (original) => (payload) => {
    const result = original(payload)
    system.specActions.download(url)
    return result
  }
  const { createElement } = system.React
  const stamp = createElement('small', { className: 'version-stamp' }, createElement('pre', { className: 'version' }, 'OAS 3.1'))
  const actions = { auth: { wrapActions: { authorize: then, logout: then } } }
  return { statePlugins: actions, wrapComponents: { OpenAPIVersion: () => () => stamp } }
}

/**
 * The description as the viewer takes it: called 3.1, showing the same takes it ten times as long; and it would lock what
 * is open to everyone where credentials are only welcome.
 */
function forViewer(text) {
  const description = { ...JSON.parse(text), openapi: '3.0.4' }
  for (const operation of Object.values(description.paths ?? {}).flatMap(Object.values)) {
    if (operation.security?.some((one) => Object.keys(one).length === 0)) operation.security = []
  }
  return JSON.stringify(description)
}

SwaggerUIBundle({
  url,
  domNode: element,
  plugins: [describing],
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
    if (isDescription && response.ok) response.text = forViewer(response.text)
    return response
  },
})
`
