// site.ts
import { defineSite, page, piece } from 'quire-cms'

export const site = defineSite({
  namespace: '@apostrophecms',
  static: true,
  staticBaseUrl: 'https://www.example.org',
  types: [
    piece('walk', { fields: { add: { season: { type: 'select', choices: ['summer', 'winter'] } } } }),
    page('walks-page', { piecesType: 'walk', piecesFilters: ['season'], perPage: 12 }),
  ],
})
