import { type Html, html } from 'quire-cms'

/** What a page is called, and what it is about. */
export function pageHead(title: string, intro?: string | null): Html {
  return html`<header class="page-head"><h1>${title}</h1>${intro && html`<p class="intro">${intro}</p>`}</header>`
}
