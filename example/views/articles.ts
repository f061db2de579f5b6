import { attributes, findPieces, type Html, html, type Scene } from 'quire-cms'
import { authorBoxes } from './authors.ts'
import { pageHead } from './heads.ts'
import { type Article, type ArticlesPage, templates } from './shapes.ts'
import { datelineOf, dot, labelOf, pictureOf, stories } from './story.ts'
import { isSection, wordsIn } from './words.ts'

/** All articles, or those of a section or a topic, page by page. */
export const articleIndex = templates.index('articles-page', {
  render: (data, scene) => html`<div class="wide">
${pageHead(data.page.title, data.page.intro)}
${filters(data, scene)}
${stories(data.pieces, scene, { heading: 2 })}
${pager(data, scene)}
</div>`,
})

/** Links that narrow the list, together; a chosen one takes itself back, and the last link all of them. */
function filters({ filters, clearUrl }: ArticlesPage, { locale }: Scene): Html {
  const words = wordsIn(locale)
  const lists = filters.map(({ name, choices }) => {
    const items = choices.map(({ value, label, active, _url }) => {
      const text = name === 'section' && isSection(value) ? words.sections[value] : label
      return html`<li><a${attributes({ class: 'pill', href: _url, 'aria-current': active ? 'true' : null })}>${text}</a></li>`
    })
    return html`<nav aria-label="${name === 'section' ? words.section : words.topics}"><ul>${items}</ul></nav>`
  })
  return html`<div class="filters">${lists}${clearUrl && html`<p><a href="${clearUrl}">${words.all}</a></p>`}</div>`
}

function pager({ currentPage, totalPages }: ArticlesPage, { locale, urls }: Scene): Html | null {
  if (totalPages < 2) return null
  const items = Array.from({ length: totalPages }, (_, index) => {
    const number = index + 1
    const href = urls.getPageUrl(number)
    return html`<li><a${attributes({ class: 'pill', href, 'aria-current': number === currentPage && 'page' })}>${number}</a></li>`
  })
  return html`<nav class="pager" aria-label="${wordsIn(locale).pages}"><ul>${items}</ul></nav>`
}

/** An article. */
export const articleShow = templates.show('articles-page', {
  // Further reading: articles on the same topics.
  async data(ctx, { piece }) {
    const found = await findPieces(ctx, 'article', { _topics: piece.topicsIds, perPage: 4 })
    return found.results.filter(({ _id }) => _id !== piece._id).slice(0, 3)
  },
  render({ piece: article, previous, next }, scene) {
    const words = wordsIn(scene.locale)
    const [image] = article._image
    const related = scene.data
    return html`<article class="article">
<header class="page-head article-head">
${labelOf(article, scene)}
<h1${scene.edit(article, 'title')}>${article.title}</h1>
<p class="intro"${scene.edit(article, 'subtitle')}>${article.subtitle}</p>
${datelineOf(article, scene)}
<p class="small">${article.minutes && words.minutes(article.minutes)}</p>
</header>
${
  image &&
  html`<figure class="wide hero">
${pictureOf(article, scene, { sizes: '(min-width: 82rem) 76rem, 94vw', alt: image.alt, isFirst: true })}
<figcaption>${image.title}.${image.credit && ` ${words.illustration}: ${image.credit}`}</figcaption>
</figure>`
}
<div class="narrow prose">${scene.area(article.body)}</div>
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
  },
})

function neighbour(article: Article | null, rel: string, label: string): Html | null {
  if (!article) return null
  return html`<a href="${article._url}" rel="${rel}"><span class="small">${label}</span>${article.title}</a>`
}
