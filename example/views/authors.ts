import { findPieces, type Html, html, type Scene } from 'quire-cms'
import { pageHead } from './heads.ts'
import { type Author, templates } from './shapes.ts'
import { stories } from './story.ts'
import { wordsIn } from './words.ts'

/** Everybody who writes. */
export const authorIndex = templates.index('authors-page', {
  render({ page, pieces }) {
    const items = pieces.map((author) => html`<li>${authorBox(author, 2)}</li>`)
    return html`<div class="wide">${pageHead(page.title, page.intro)}<ul class="authors">${items}</ul></div>`
  },
})

/** The page of an author, with all their articles. */
export const authorShow = templates.show('authors-page', {
  data: async (ctx, { piece }) =>
    (await findPieces(ctx, 'article', { _authors: piece.aposDocId, perPage: 50 })).results,
  render: ({ piece: author }, scene) => html`<div class="wide">
<header class="page-head author" data-initials="${initials(author.title)}">
<h1>${author.title}</h1><p class="small">${author.town}</p><p class="intro">${author.bio}</p>
</header>
<h2 class="unseen">${wordsIn(scene.locale).articlesBy(author.title)}</h2>
${stories(scene.data, scene)}
</div>`,
})

/** Below an article: those who wrote it. */
export function authorBoxes(authors: readonly Author[], { locale }: Scene): Html {
  return html`<section class="author-boxes" aria-label="${wordsIn(locale).aboutAuthors(authors.length)}">
${authors.map((author) => authorBox(author, 2))}
</section>`
}

function authorBox(author: Author, level: 2 | 3): Html {
  const name = html`<a href="${author._url}">${author.title}</a>`
  return html`<div class="author" data-initials="${initials(author.title)}">
${level === 2 ? html`<h2>${name}</h2>` : html`<h3>${name}</h3>`}
<p class="small">${author.town}</p><p>${author.bio}</p>
</div>`
}

function initials(name: string): string {
  return name
    .split(' ')
    .map((part) => part.slice(0, 1))
    .join('')
}
