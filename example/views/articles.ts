import { attributes, type Html, html, type Scene, type ShownDocument } from 'quire-cms'
import { authorBoxes } from './authors.ts'
import { pageHead } from './heads.ts'
import { type Article, articlesOf, type IntroducedPage, type SceneWith } from './shapes.ts'
import { datelineOf, dot, labelOf, pictureOf, stories } from './story.ts'
import { wordsIn } from './words.ts'

/** All articles, or those of a section or a topic, page by page. */
export function articleIndex(data: IntroducedPage, scene: Scene): Html {
  const { page, pieces } = data
  return html`<div class="wide">
${pageHead(page.title, page.intro)}
${filters(data, scene)}
${stories(articlesOf(pieces), scene, { heading: 2 })}
${pager(data, scene)}
</div>`
}

/** Links that narrow the list; the chosen one leads back to all. */
function filters({ page, filters = [] }: IntroducedPage, { locale }: Scene): Html {
  const words = wordsIn(locale)
  const lists = filters.map(({ name, choices }) => {
    const items = choices.map(({ value, label, active, _url }) => {
      const text = name === 'section' ? words.sections[value as Article['section']] : label
      const href = active ? String(page._url) : _url
      return html`<li><a${attributes({ class: 'pill', href, 'aria-current': active ? 'true' : null })}>${text}</a></li>`
    })
    return html`<nav aria-label="${name === 'section' ? words.section : words.topics}"><ul>${items}</ul></nav>`
  })
  return html`<div class="filters">${lists}</div>`
}

function pager({ currentPage = 1, totalPages = 1 }: IntroducedPage, { locale, urls }: Scene): Html | null {
  if (totalPages < 2) return null
  const items = Array.from({ length: totalPages }, (_, index) => {
    const number = index + 1
    const href = urls.getPageUrl(number)
    return html`<li><a${attributes({ class: 'pill', href, 'aria-current': number === currentPage && 'page' })}>${number}</a></li>`
  })
  return html`<nav class="pager" aria-label="${wordsIn(locale).pages}"><ul>${items}</ul></nav>`
}

/** An article. */
export function articleShow({ piece, previous, next }: IntroducedPage, scene: SceneWith<ShownDocument[]>): Html {
  const [article] = articlesOf(piece && [piece])
  if (article === undefined) return html``
  const words = wordsIn(scene.locale)
  const [image] = article._image
  const related = articlesOf(scene.data)
  return html`<article class="article">
<header class="page-head article-head">
${labelOf(article, scene)}
<h1>${article.title}</h1>
<p class="intro">${article.subtitle}</p>
${datelineOf(article, scene)}
<p class="small">${words.minutes(article.minutes)}</p>
</header>
${
  image &&
  html`<figure class="wide hero">
${pictureOf(article, scene, { sizes: '(min-width: 82rem) 76rem, 94vw', alt: image.alt, isFirst: true })}
<figcaption>${image.title}. ${words.illustration}: ${image.credit as string}</figcaption>
</figure>`
}
<div class="narrow prose">${scene.area(article.body as never)}</div>
<footer class="narrow">
<ul class="tags" aria-label="${words.topics}">${article._topics.map(
    (topic) => html`<li><a class="pill" href="${topic._url}">${dot(topic)}${topic.title}</a></li>`,
  )}</ul>
${authorBoxes(article._authors, scene)}
<nav class="neighbours" aria-label="${words.pages}">
${neighbour(previous, 'prev', words.previous)}${neighbour(next, 'next', words.next)}
</nav>
</footer>
</article>
${
  related.length > 0 &&
  html`<section class="wide shelf related">
<div class="shelf-head"><h2>${words.readOn}</h2></div>
${stories(related, scene, { isWithStandfirst: false })}
</section>`
}`
}

function neighbour(article: ShownDocument | null | undefined, rel: string, label: string): Html | null {
  if (!article) return null
  return html`<a href="${article._url as string}" rel="${rel}"><span class="small">${label}</span>${article.title}</a>`
}
