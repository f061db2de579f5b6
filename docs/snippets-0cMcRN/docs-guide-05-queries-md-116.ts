import { defineSite, piece, widget } from 'quire-cms'

const quote = widget('quote', {
  fields: { add: { words: { type: 'string' }, speaker: { type: 'string', filterable: true } } },
})

const event = piece('event', {
  fields: {
    add: {
      place: { type: 'object', fields: { add: { city: { type: 'string', filterable: true } } } },
      body: { type: 'area', widgets: { quote: {}, '@cms/rich-text': {} } },
    },
  },
})

export const site = defineSite({ types: [event], widgets: [quote] })
