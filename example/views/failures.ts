import { type Html, html, type PageData, type Scene, type ShownDocument } from 'quire-cms'
import { pageHead } from './heads.ts'
import { childrenOf } from './layout.ts'
import { searchForm } from './search.ts'
import { latest } from './story.ts'
import { wordsIn } from './words.ts'

type NoPage = PageData<ShownDocument | null, ShownDocument>

/** What readers see where there is no page: a way on. */
export function notFound({ home }: NoPage, scene: Scene): Html {
  const words = wordsIn(scene.locale)
  const search = childrenOf(home).find(({ type }) => type === 'search-page')
  return html`<div class="wide">
<header class="page-head"><h1>${words.notFound}</h1><p class="intro">${words.notFoundText}</p>
${search && searchForm(String(search._url), '', scene)}</header>
<h2 class="unseen">${words.newest}</h2>
${latest(scene.data as ShownDocument[], scene)}
</div>`
}

/** What readers see when rendering a page has failed. */
export function failed(_data: NoPage, { locale }: Scene): Html {
  const words = wordsIn(locale)
  return html`<div class="wide">${pageHead(words.failed, words.failedText)}</div>`
}
