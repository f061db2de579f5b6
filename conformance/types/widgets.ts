import { html, widget } from 'quire'

export const promo = widget('promo', {
  fields: {
    add: {
      heading: { type: 'string', required: true },
      _topics: { type: 'relationship', withType: 'topic', max: 3 },
      items: { type: 'array', fields: { add: { text: { type: 'string' } } } },
    },
  },
  render: ({ heading, _topics }) =>
    html`<section class="promo"><h3>${heading}</h3>${_topics.map(({ title }) => html`<i>${title}</i>`)}</section>`,
})

export const plain = widget('plain', {
  fields: { add: { text: { type: 'string' } } },
  render: ({ text }) => html`<article class="plain" data-x="1">${text}</article>`,
})
