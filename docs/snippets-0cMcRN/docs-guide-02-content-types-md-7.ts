import { defineSite, piece, query, widget } from 'quire-cms'
import { z } from 'zod'

const maker = piece('maker', { localized: false, publicApiProjection: ['title'] })

const gallery = widget('gallery', {
  fields: { add: { pictures: { type: 'array', fields: { add: { caption: { type: 'string' } } } } } },
})

const product = piece('product', {
  label: 'Product',
  publicApiProjection: ['title', 'slug', 'price', 'kind', '_makers', 'description'],
  sort: { price: 1 },
  fields: {
    add: {
      price: { type: 'float', min: 0, required: true },
      kind: {
        type: 'select',
        def: 'tool',
        choices: [
          { value: 'tool', label: 'Tool' },
          { value: 'toy', label: 'Toy' },
        ],
      },
      batteries: { type: 'integer', min: 1, if: { kind: 'toy' } },
      size: { type: 'object', fields: { add: { width: { type: 'float' }, height: { type: 'float' } } } },
      description: { type: 'area', widgets: { '@cms/rich-text': { toolbar: ['bold', 'link'] }, gallery: {} } },
      _makers: { type: 'relationship', withType: 'maker', max: 2 },
    },
  },
  queries: {
    // /api/v1/product?upTo=20
    upTo: query({ input: z.coerce.number().min(0), where: (price) => ({ price: { max: price } }) }),
  },
  hooks: {
    // `document` has the types of the fields: document.kind is 'tool' | 'toy' | null.
    beforeSave(document) {
      if (document.kind === 'tool') document.batteries = null
    },
  },
})

export const site = defineSite({
  name: 'Workshop',
  locales: { en: { label: 'English' }, de: { label: 'Deutsch', prefix: '/de' } },
  types: [maker, product],
  widgets: [gallery],
})
