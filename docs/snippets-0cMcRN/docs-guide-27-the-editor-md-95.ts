import { defineSite, html, page, widget } from 'quire-cms'

export const site = defineSite({
  types: [
    page('landing', {
      fields: { add: { body: { type: 'area', widgets: { quote: {} } } } },
      render: ({ page }, scene) => html`<h1${scene.edit(page, 'title')}>${page?.title}</h1>${scene.area(page?.body as never)}`,
    }),
  ],
  widgets: [
    widget('quote', {
      fields: { add: { words: { type: 'string' }, by: { type: 'string' } } },
      render: (quote, { edit }) =>
        html`<blockquote>${quote.words} <cite${edit(quote, 'by')}>${quote.by}</cite></blockquote>`,
    }),
  ],
})
