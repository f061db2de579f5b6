import { defineSite, page, piece } from 'quire-cms'

const note = piece('note', {
  publicApiProjection: ['title', '_others'],
  fields: { add: { _others: { type: 'relationship', withType: 'note' } } },
})
/** A small site, with a cache in front of it as declared. */
export const small = (purge?: object) =>
  defineSite({
    baseUrl: 'https://site.example',
    sitemap: true,
    types: [note, page('landing')],
    ...(purge === undefined ? {} : { purge: purge as { url: string; kind: 'http' } }),
  })
