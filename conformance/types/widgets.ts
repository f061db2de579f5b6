import { html, widget } from '../../cms/src/index.ts'

export const promo = widget('promo', {
  fields: {
    add: {
      heading: { type: 'string', required: true },
      _topics: { type: 'relationship', withType: 'topic', max: 3 },
      items: { type: 'array', fields: { add: { text: { type: 'string' } } } },
    },
  },
  styles: {
    add: {
      alignment: 'alignment',
      padding: 'padding',
      background: 'background',
      width: 'width',
      border: 'border',
      boxShadow: 'boxShadow',
      headingColor: { type: 'color', selector: 'h3', property: 'color' },
      fontSize: {
        type: 'range',
        min: 10,
        max: 60,
        unit: 'px',
        def: 16,
        property: 'font-size',
        mediaQuery: '(max-width: 600px)',
      },
    },
  },
  render: ({ heading, _topics }) =>
    html`<section class="promo"><h3>${heading}</h3>${_topics.map(({ title }) => html`<i>${title}</i>`)}</section>`,
})

export const plain = widget('plain', {
  fields: { add: { text: { type: 'string' } } },
  styles: { add: { margin: 'margin', textColor: { type: 'color', property: 'color' } } },
  stylesWrapper: false,
  render: (own, { styles }) => {
    const prepared = styles.render(own)
    const attributes = styles.attributes(prepared, { class: 'plain', 'data-x': 1 })
    return html`${styles.elements(prepared)}<article${attributes}>${own.text}</article>`
  },
})
