import { type Html, html, type PiecesFound, type Scene } from 'quire-cms'
import { articlesOf, type IntroducedPage, type SceneWith } from './shapes.ts'
import { stories } from './story.ts'
import { wordsIn } from './words.ts'

/** A form, and what was found. It works without any script. */
export function search({ page, query }: IntroducedPage, scene: SceneWith<PiecesFound | null>): Html {
  const asked = typeof query.q === 'string' ? query.q : ''
  const found = scene.data
  const words = wordsIn(scene.locale)
  return html`<div class="wide">
<header class="page-head"><h1>${page.title}</h1><p class="intro">${page.intro}</p>${searchForm(String(page._url), asked, scene)}</header>
${found && html`<p class="small found" role="status">${words.found(found.total, asked)}</p>${stories(articlesOf(found.results), scene, { heading: 2 })}`}
</div>`
}

/** The form, which leads to the search page. */
export function searchForm(url: string, asked: string, { locale }: Scene): Html {
  const words = wordsIn(locale)
  return html`<form class="search" role="search" action="${url}">
<label class="unseen" for="q">${words.searchFor}</label>
<input id="q" name="q" type="search" value="${asked}" enterkeyhint="search">
<button>${words.search}</button>
</form>`
}
