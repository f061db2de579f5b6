import { defineSite, piece } from 'quire-cms'

export const product = piece('product', {
  fields: {
    add: {
      firstName: { type: 'string' },
      lastName: { type: 'string' },
      price: { type: 'integer' },
      address: { type: 'object', fields: { add: { street: { type: 'string' }, city: { type: 'string', def: 'Bern' } } } },
    },
  },
})
export const site = defineSite({ types: [product] })
