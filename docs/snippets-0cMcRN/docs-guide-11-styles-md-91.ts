import { defineSite, html, widget } from 'quire-cms'

export const site = defineSite({
  widgets: [
    widget('promo', {
      fields: { add: { heading: { type: 'string' } } },
      styles: {
        add: {
          padding: 'padding',
          background: 'background',
          boxShadow: 'boxShadow',
          headingColor: { type: 'color', selector: 'h3', property: 'color' },
        },
      },
      render: ({ heading }) => html`<h3>${heading}</h3>`,
    }),
  ],
})
