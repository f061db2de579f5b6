import { html, type PageData, type Scene } from 'quire-cms'

export function pager({ url, currentPage = 1, totalPages = 1 }: PageData, { urls }: Scene) {
  return html`<nav>
    ${currentPage < totalPages && html`<a href="${urls.getPageUrl(currentPage + 1)}" rel="next">Next</a>`}
    <a href="${urls.build(url, { sort: 'title', page: null })}">By title</a>
    <a href="${urls.build(url, { tags: { $addToSet: 'sea' } })}">Also about the sea</a>
    <a href="${urls.getBaseUrl()}/">Home</a>
  </nav>`
}
