import { defineSite, html } from 'quire-cms'

export const site = defineSite({
  features: [
    {
      name: 'anchors',
      hooks: {
        renderWidget: (rendered, { type, _id }) => (type === 'quote' ? html`<div id="${_id}">${rendered}</div>` : undefined),
      },
    },
  ],
})
