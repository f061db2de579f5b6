import { defineSite, piece, widget } from 'quire-cms'

const quote = widget('quote', { fields: { add: { words: { type: 'string', required: true } } } })

const article = piece('article', {
  fields: { add: { body: { type: 'area', widgets: { '@cms/rich-text': {}, quote: {} } }, quotes: { type: 'integer', readOnly: true } } },
  hooks: {
    beforeSave(document) {
      document.quotes = document.body.items.filter(({ type }) => type === 'quote').length
    },
  },
})

export const site = defineSite({ types: [article], widgets: [quote] })
