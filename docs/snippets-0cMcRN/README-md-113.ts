// site.ts
import { defineSite, piece } from 'quire-cms'

const book = piece('book', {
  publicApiProjection: ['title', 'slug', 'year'],
  fields: { add: { year: { type: 'integer', min: 1450 } } },
})

export const site = defineSite({ name: 'Shelf', types: [book] })
