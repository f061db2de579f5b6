import { type Html, html, raw } from '../../base/html.ts'
import type { JsonObject } from '../../base/json.ts'
import { languageTag } from '../../base/text.ts'
import type { PageData } from '../../model/declared/page-data-types.ts'
import { rendersPages } from '../../model/declared/template.ts'
import type { Scene } from '../context.ts'
import { isArea } from '../scene-parts.ts'

// How pages look that the site has no templates for: plain, complete and readable.

/** The content of a page whose type has no template. */
export function defaultPage(target: { readonly template: string }, data: PageData, scene: Scene): Html {
  if (target.template === 'notFound') return message('Page not found', 'There is nothing at this address.')
  if (target.template === 'error') return message('Something went wrong', 'Try again in a moment.')
  const document = target.template === 'show' ? data.piece : data.page
  if (!document) return html``
  const list = target.template === 'index' ? renderIndex(data, scene) : null
  const links = document.slug === '/' ? linksOf(scene) : null
  return html`<h1${scene.edit(document, 'title')}>${document.title}</h1>${areasOf(document, scene)}${list}${links}`
}

/** The home page of a site without templates says where to go on. */
function linksOf({ ctx: { site } }: Scene): Html | null {
  if (rendersPages(site)) return null
  const api = `${site.prefix}/api/v1`
  return html`<p>This site has no templates. Its content is at <a href="${api}">${api}</a>; <a href="${api}/docs">the
documentation</a> shows all operations and tries them.</p>`
}

function message(title: string, text: string): Html {
  return html`<h1>${title}</h1><p>${text}</p>`
}

function areasOf(document: JsonObject, scene: Scene): Html[] {
  return Object.values(document).flatMap((value) => (isArea(value) ? [scene.area(value)] : []))
}

function renderIndex({ pieces = [], currentPage = 1, totalPages = 1 }: PageData, { urls }: Scene): Html {
  const items = pieces.map(({ title, _url }) => html`<li><a href="${_url}">${title}</a></li>`)
  const link = (number: number, rel: string, text: string) =>
    number < 1 || number > totalPages ? null : html`<a href="${urls.getPageUrl(number)}" rel="${rel}">${text}</a> `
  const pager = html`<nav>${link(currentPage - 1, 'prev', 'Previous')}${link(currentPage + 1, 'next', 'Next')}</nav>`
  return html`<ul>${items}</ul>${totalPages > 1 ? pager : null}`
}

/** The refreshable part of a page that has no blocks: its main element. */
export function region(content: Html, scene: Scene): Html {
  const language = scene.lang(scene.page?.piece ?? scene.page?.page)
  return html`<main id="main"${language}>${scene.slot('prependMain')}${content}${scene.slot('appendMain')}</main>`
}

/** The whole document of a site without a layout. */
export function defaultLayout(content: Html, data: PageData, scene: Scene): Html {
  const { slot, locale, direction } = scene
  const name = scene.ctx.site.name
  const title = String((data.piece ?? data.page)?.title ?? '')
  return html`<!doctype html>
<html lang="${languageTag(locale)}" dir="${direction}">
<head>${slot('prependHead')}
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title === '' || title === name ? name : `${title} - ${name}`}</title>
<style>${STYLE}</style>
${slot('appendHead')}</head>
<body class="${data.aposBodyClasses}">${slot('prependBody')}${languageSwitch(data)}
${content}
${slot('appendBody')}</body>
</html>
`
}

/** Links to this page in the other locales, or to their home pages where it is not there. */
function languageSwitch({ localizations }: PageData): Html | null {
  if (localizations.length < 2) return null
  const items = localizations.map(({ locale, label, direction, current, _url }) => {
    const language = languageTag(locale)
    return current
      ? html`<li><b lang="${language}" dir="${direction}" aria-current="true">${label}</b></li>`
      : html`<li><a href="${_url}" hreflang="${language}" lang="${language}" dir="${direction}">${label}</a></li>`
  })
  return html`
<nav class="languages" aria-label="Languages"><ul>${items}</ul></nav>`
}

const STYLE = raw(
  ':root{color-scheme:light dark;font-family:system-ui,sans-serif;line-height:1.5}body{max-width:45rem;margin:0 auto;padding:1rem}img{max-width:100%;height:auto}figure{margin:1rem 0}.languages ul{display:flex;flex-wrap:wrap;gap:1rem;padding:0;list-style:none}',
)
