import { type Html, html } from 'quire-cms'

/** The head of a page: its title and introduction. */
export function pageHead(title: string, intro?: string | null): Html {
  return html`<header class="page-head"><h1>${title}</h1>${intro && html`<p class="intro">${intro}</p>`}</header>`
}
