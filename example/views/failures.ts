import { findPieces, html } from 'quire-cms'
import { pageHead } from './heads.ts'
import { searchForm } from './search.ts'
import { templates } from './shapes.ts'
import { newest } from './story.ts'
import { wordsIn } from './words.ts'

/** The page that readers see where there is none: it leads on. */
export const notFound = templates.notFound({
  data: async (ctx) => (await findPieces(ctx, 'article', { perPage: 5 })).results,
  render({ home }, scene) {
    const words = wordsIn(scene.locale)
    const search = home?._children.find(({ type }) => type === 'search-page')
    return html`<div class="wide">
<header class="page-head"><h1>${words.notFound}</h1><p class="intro">${words.notFoundText}</p>
${search && searchForm(search._url, '', scene)}</header>
<h2 class="unseen">${words.newest}</h2>
${newest(scene.data, scene)}
</div>`
  },
})

/** The page that readers see when rendering has failed. */
export const failed = templates.error({
  render(_data, { locale }) {
    const words = wordsIn(locale)
    return html`<div class="wide">${pageHead(words.failed, words.failedText)}</div>`
  },
})
