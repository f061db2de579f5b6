// site.ts
import { defineSite, page, piece, widget } from 'quire-cms'

const main = {
  type: 'area',
  widgets: { '@cms/rich-text': {}, '@cms/image': {}, '@cms/video': {}, '@cms/layout': {}, quote: {} },
} as const

export const site = defineSite({
  name: 'Walks',
  namespace: '@apostrophecms',
  locales: { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } },
  types: [
    page('@cms/home-page', { fields: { add: { main } } }),
    page('default-page', { fields: { add: { main } } }),
    piece('walk', {
      fields: { add: { kilometres: { type: 'integer' }, season: { type: 'select', choices: ['summer', 'winter'] }, main } },
    }),
    // Lists walks at its own address, /walks, and shows each below it: /walks/round-the-lake.
    page('walks-page', { piecesType: 'walk', piecesFilters: ['season'], perPage: 12 }),
  ],
  widgets: [widget('quote', { fields: { add: { words: { type: 'string' }, by: { type: 'string' } } } })],
})
