import { attributes, type Html, html, type JsonObject, type PageData, type Scene, type ShownDocument } from 'quire-cms'
import { STYLE_PATH } from '../style.ts'
import { wordsIn } from './words.ts'

type AnyPage = PageData<ShownDocument | null, ShownDocument>

/** Every page: what is around its content. */
export function layout(content: Html, data: AnyPage, scene: Scene): Html {
  const { locale, direction, slot } = scene
  const { page, piece } = data
  const title = (piece ?? page)?.title ?? wordsIn(locale).notFound
  const isHome = page?.slug === '/'
  const description = String(piece?.subtitle ?? piece?.bio ?? piece?.blurb ?? page?.intro ?? data.global.motto ?? '')
  return html`<!doctype html>
<html lang="${locale}" dir="${direction}">
<head>${slot('prependHead')}
<meta charset="utf-8">
<title>${isHome ? `Lantern. ${data.global.motto ?? ''}` : `${title} · Lantern`}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${description}">
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='6' fill='%23f2b632'/%3E%3C/svg%3E">
<link rel="stylesheet" href="${STYLE_PATH}">
${slot('appendHead')}</head>
<body class="${data.aposBodyClasses}">${slot('prependBody')}
<a class="skip" href="#main">${wordsIn(locale).skip}</a>
${masthead(data, locale, isHome)}
${content}
${foot(data, locale)}
${slot('appendBody')}</body>
</html>
`
}

function masthead(data: AnyPage, locale: string, isHome: boolean): Html {
  const words = wordsIn(locale)
  const items = childrenOf(data.home).map((page) => {
    const current = page._url === data.page?._url && !data.piece ? 'page' : isWithin(data.page, page) && 'true'
    return html`<li><a${attributes({ href: urlOf(page), 'aria-current': current })}>${page.title}</a></li>`
  })
  return html`<header class="masthead${!isHome && ' masthead-inner'}">
<div class="wide masthead-top small"><p>${words.issue}</p>${languages(data, locale)}</div>
<div class="wide masthead-bar">
<a class="wordmark" href="${urlOf(data.home)}" translate="no">Lantern</a>
<nav aria-label="${words.menu}"><ul>${items}</ul></nav>
</div>
</header>`
}

/** Whether a page is another one, or below it. */
function isWithin(page: JsonObject | null, other: JsonObject): boolean {
  // `as`: `_ancestors` of presented pages are presented pages.
  const ancestors = (page?._ancestors ?? []) as JsonObject[]
  return [page, ...ancestors].some((one) => one?._url === other._url)
}

/** The same page in the other languages, or their home pages. */
function languages({ localizations }: AnyPage, locale: string): Html {
  const items = localizations.map(
    (one) =>
      html`<li><a${attributes({ href: one._url, lang: one.locale, hreflang: one.locale, 'aria-current': one.current && 'true' })}>${one.label}</a></li>`,
  )
  return html`<nav aria-label="${wordsIn(locale).languages}"><ul>${items}</ul></nav>`
}

function foot({ home, global }: AnyPage, locale: string): Html {
  const columns = childrenOf(home)
    .filter((page) => childrenOf(page).length > 0)
    .map((page) => html`<div><h2>${page.title}</h2>${links([page, ...childrenOf(page)])}</div>`)
  return html`<footer class="foot"><div class="wide">
<div class="foot-about"><p>${global.motto as string}</p><p class="small">${global.colophon as string}</p></div>
<div><h2>${wordsIn(locale).magazine}</h2>${links(childrenOf(home))}</div>
${columns}
</div></footer>`
}

function links(pages: readonly JsonObject[]): Html {
  return html`<ul>${pages.map((page) => html`<li><a href="${urlOf(page)}">${page.title}</a></li>`)}</ul>`
}

/** The pages below one, as page data holds them. */
export function childrenOf(page: JsonObject | null): JsonObject[] {
  // `as`: `_children` of presented pages are presented pages.
  return Array.isArray(page?._children) ? (page._children as JsonObject[]) : []
}

function urlOf(page: JsonObject | null): string {
  return String(page?._url ?? '/')
}
