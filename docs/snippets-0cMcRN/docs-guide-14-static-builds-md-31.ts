import { defineSite, page, piece } from 'quire-cms'

export const site = defineSite({
  static: true,
  types: [
    piece('walk', {
      fields: { add: { season: { type: 'select', choices: ['summer', 'winter'] }, region: { type: 'string' } } },
    }),
    page('walks-page', { piecesType: 'walk', piecesFilters: ['season', 'region'], staticCombinations: 2 }),
  ],
})
