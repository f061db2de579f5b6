import { z } from 'zod'
import { piece, query } from '../../cms/src/index.ts'
import { choices } from './choices.ts'

export const topic = piece('topic', {
  publicApiProjection: ['title', 'slug', '_url'],
  fields: {
    add: {
      blurb: { type: 'string' },
      _articles: { type: 'relationshipReverse', withType: 'article', reverseOf: '_topics' },
    },
  },
})

export const product = piece('product', {
  perPage: 10,
  sort: { price: 1 },
  publicApiProjection: ['title', 'slug', 'price', 'sku', 'color', 'tags', 'topicsIds', '_topics', '_url', 'visibility'],
  fields: {
    add: {
      sku: { type: 'string', required: true },
      price: { type: 'float', required: true, min: 0 },
      color: { type: 'select', choices: choices('red', 'blue'), required: true },
      tags: { type: 'checkboxes', choices: choices('a', 'b', 'c') },
      active: { type: 'boolean' },
      qty: { type: 'integer' },
      secretNote: { type: 'string', viewPermission: 'editor' },
      _topics: { type: 'relationship', withType: 'topic' },
    },
  },
  queries: {
    minPrice: query({
      input: z.coerce.number(),
      description: 'Price at least.',
      where: (least) => ({ price: { min: least } }),
    }),
  },
})

export const secret = piece('secret', {
  localized: false,
  viewRole: 'editor',
  editRole: 'admin',
  publishRole: 'admin',
})

export const note = piece('note', { localized: false, publicApiProjection: ['title', 'slug'] })

export const draftless = piece('draftless', {
  autopublish: true,
  slugPrefix: 'auto-',
  publicApiProjection: ['title', 'slug'],
  fields: { add: { code: { type: 'string', pattern: '^[A-Z]{2}\\d+$' } } },
})

export const guesty = piece('guesty', { guestApiAccess: true })
