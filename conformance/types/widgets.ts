import { widget } from 'quire'

export const promo = widget('promo', {
  fields: {
    add: {
      heading: { type: 'string', required: true },
      _topics: { type: 'relationship', withType: 'topic', max: 3 },
      items: { type: 'array', fields: { add: { text: { type: 'string' } } } },
    },
  },
})

export const plain = widget('plain', { fields: { add: { text: { type: 'string' } } } })
