import { attributes, type Html, html, type PageMetadata, pageMetadata } from 'quire-cms'
import { ICON_PATH, STYLE_PATH } from '../assets.ts'
import { type AnyPage, type MenuPage, templates } from './shapes.ts'
import { wordsIn } from './words.ts'

/** Every page: what is around its content. */
export const layout = templates.layout((content, data, scene) => {
  const { locale, direction, slot } = scene
  const { page, piece } = data
  const title = (piece ?? page)?.title ?? wordsIn(locale).notFound
  const isHome = page?.slug === '/'
  return html`<!doctype html>
<html lang="${locale}" dir="${direction}">
<head>${slot('prependHead')}
<meta charset="utf-8">
<title>${isHome ? `Lantern · ${wordsIn(locale).issue}` : `${title} · Lantern`}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
${pageMetadata(scene, { title: isHome ? 'Lantern' : title, description: summaryOf(data), ...articleIn(data) })}<link rel="icon" href="${ICON_PATH}">
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
})

/** What others say of the page when they name it. The type of a document says which fields it has. */
function summaryOf({ page, piece, global }: AnyPage): string {
  if (piece?.type === 'article') return piece.subtitle
  if (piece?.type === 'author') return piece.bio
  if (piece?.type === 'topic') return piece.blurb
  return page && 'intro' in page ? page.intro : global.motto
}

/** The picture of an article, and what else others say of it. */
function articleIn({ piece }: AnyPage): Pick<PageMetadata, 'image' | 'article'> {
  if (piece?.type !== 'article') return {}
  return { image: piece._image[0], article: { published: piece.date, authors: piece._authors } }
}

function masthead(data: AnyPage, locale: string, isHome: boolean): Html {
  const words = wordsIn(locale)
  const items = data.home?._children.map((page) => {
    const current = page._url === data.page?._url && !data.piece ? 'page' : isWithin(data.page, page) && 'true'
    return html`<li><a${attributes({ href: page._url, 'aria-current': current })}>${page.title}</a></li>`
  })
  return html`<header class="masthead${!isHome && ' masthead-inner'}">
<div class="wide masthead-top small"><p>${words.issue}</p>${languages(data, locale)}</div>
<div class="wide masthead-bar">
<a class="wordmark" href="${data.home?._url ?? '/'}" translate="no">Lantern</a>
<nav aria-label="${words.menu}"><ul>${items}</ul></nav>
</div>
</header>`
}

/** Whether a page is another one, or below it. */
function isWithin(page: AnyPage['page'], other: MenuPage): boolean {
  return page !== null && [page, ...page._ancestors].some(({ _url }) => _url === other._url)
}

/** Links to the page in the other languages, or to their home pages. */
function languages({ localizations }: AnyPage, locale: string): Html {
  const items = localizations.map(
    (one) =>
      html`<li><a${attributes({ href: one._url, lang: one.locale, hreflang: one.locale, 'aria-current': one.current && 'true' })}>${one.label}</a></li>`,
  )
  return html`<nav aria-label="${wordsIn(locale).languages}"><ul>${items}</ul></nav>`
}

function foot({ home, global }: AnyPage, locale: string): Html {
  const pages = home?._children ?? []
  const columns = pages
    .filter((page) => page._children.length > 0)
    .map((page) => html`<div><h2>${page.title}</h2>${links([page, ...page._children])}</div>`)
  return html`<footer class="foot"><div class="wide">
<div class="foot-about"><p>${global.motto}</p><p class="small">${global.colophon}</p></div>
<div><h2>${wordsIn(locale).magazine}</h2>${links(pages)}</div>
${columns}
</div></footer>`
}

function links(pages: readonly MenuPage[]): Html {
  return html`<ul>${pages.map((page) => html`<li><a href="${page._url}">${page.title}</a></li>`)}</ul>`
}
