import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import Negotiator from 'negotiator'
import { type Html, html, raw } from '../../base/html.ts'
import type { Context } from '../../engine/context.ts'
import { pageTypes } from '../../engine/pages/page-access.ts'
import { viewOf } from '../../engine/view.ts'
import { PUBLIC_VARY } from '../pipeline/answer.ts'
import { Reply } from '../requests/route.ts'

/** The answer of `GET /api/v1`. */
interface ServiceIndex {
  readonly name: string
  readonly types: readonly { readonly name: string; readonly label: string; readonly url: string }[]
  readonly pages?: string
  readonly locales: string
  readonly login: string
  readonly openapi: string
  readonly docs: string
}

/** Answers with the entry points of the interface (§0.13): JSON, or a page for browsers. */
export async function answerIndex(ctx: Context, headers: IncomingHttpHeaders): Promise<Reply> {
  const index = indexFor(ctx)
  if (preferred(headers, ['application/json', 'text/html']) !== 'text/html') return new Reply(index, { Vary: VARY })
  return new Reply(pageOf(index).text, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src '${STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'`,
    Vary: VARY,
  })
}

/** Returns the index at `/` to programs that ask for JSON; null to all others. */
export async function indexForPrograms(ctx: Context, headers: IncomingHttpHeaders): Promise<Reply | null> {
  if (preferred(headers, ['text/html', 'application/json']) !== 'application/json') return null
  return new Reply(indexFor(ctx), { Vary: VARY })
}

const VARY = `Accept, ${PUBLIC_VARY}`

/** The first of the media types that the caller likes best. */
function preferred(headers: IncomingHttpHeaders, types: readonly string[]): string | undefined {
  return new Negotiator({ headers }).mediaType([...types])
}

function indexFor({ site, actor }: Context): ServiceIndex {
  const base = `${site.prefix}/api/v1`
  const pieces = [...site.types.values()].filter(({ family }) => family === 'piece')
  const seesPages = pageTypes(site).some((type) => viewOf(actor, type) !== null)
  return {
    name: site.name,
    types: pieces
      .filter((type) => viewOf(actor, type) !== null)
      .map(({ name, label }) => ({ name, label, url: `${base}/${name}` })),
    ...(seesPages ? { pages: `${base}/${site.namespace}/page` } : {}),
    locales: `${base}/${site.namespace}/i18n/locales`,
    login: `${base}/${site.namespace}/login/login`,
    openapi: `${base}/openapi.json`,
    docs: `${base}/docs`,
  }
}

const STYLE =
  ':root{color-scheme:light dark;font-family:system-ui,sans-serif;line-height:1.5}body{max-width:45rem;margin:0 auto;padding:1rem}'
const STYLE_HASH = `sha256-${hash('sha256', STYLE, 'base64')}`

function pageOf({ name, types, pages, docs, openapi, locales }: ServiceIndex): Html {
  const item = (url: string, text: string) => html`<li><a href="${url}">${text}</a></li>`
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${name}: API</title>
<style>${raw(STYLE)}</style>
<h1>${name}</h1>
<p>This is the API of the site. <a href="${docs}">Its documentation</a> shows all operations and tries them;
<a href="${openapi}">the same as OpenAPI</a> is for programs.</p>
<h2>Content</h2>
<ul>${types.map(({ url, label }) => item(url, label))}${pages === undefined ? null : item(pages, 'Pages')}${item(locales, 'Locales')}</ul>
<p>You see what you may read: with an API key or a login there is more.</p>
</html>
`
}
