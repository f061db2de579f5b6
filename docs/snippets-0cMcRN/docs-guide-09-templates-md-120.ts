import { findPieces, html, page, piece, widget } from 'quire-cms'

export const article = piece('article', { publicApiProjection: ['title', '_url'] })

export const front = page('front', {
  data: async (ctx) => (await findPieces(ctx, 'article', { perPage: 3 })).results,
  render: ({ page }, { data }) => html`<h1>${page.title}</h1>
    <ul>${data.map(({ title, _url }) => html`<li><a href="${_url}">${title}</a></li>`)}</ul>`,
})

/** `data` runs once for all tickers of a page, and returns one value for each, in their order. */
export const ticker = widget('ticker', {
  fields: { add: { symbol: { type: 'string' } } },
  data: async (ctx, widgets) => {
    ctx.caching.forbid()
    return widgets.map(({ symbol }) => `${symbol}: ${new Date().getSeconds()}`)
  },
  render: (_ticker, { data }) => html`<p>${data}</p>`,
})
