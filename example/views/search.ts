import { findPieces, type Html, html, type Scene } from 'quire-cms'
import { templates } from './shapes.ts'
import { stories } from './story.ts'
import { wordsIn } from './words.ts'

/** A form, and what was found. It works without any script. */
export const search = templates.page('search-page', {
  async data(ctx, { query: { q } }) {
    const asked = typeof q === 'string' ? q : ''
    const found = asked.trim() === '' ? null : await findPieces(ctx, 'article', { search: asked, perPage: 24 })
    return { asked, found }
  },
  render({ page }, scene) {
    const { asked, found } = scene.data
    const words = wordsIn(scene.locale)
    return html`<div class="wide">
<header class="page-head"><h1>${page.title}</h1><p class="intro">${page.intro}</p>${searchForm(page._url, asked, scene)}</header>
${found && html`<p class="small found" role="status">${words.found(found.total, asked)}</p>${stories(found.results, scene, { heading: 2 })}`}
</div>`
  },
})

/** The form, which leads to the search page. */
export function searchForm(url: string, asked: string, { locale }: Scene): Html {
  const words = wordsIn(locale)
  return html`<form class="search" role="search" action="${url}">
<label class="unseen" for="q">${words.searchFor}</label>
<input id="q" name="q" type="search" value="${asked}" enterkeyhint="search">
<button type="submit">${words.search}</button>
</form>`
}
