import { defineSite, findPieces, html, page, piece } from 'quire-cms'

// Where concerts are.
const stage = piece('stage', {
  label: 'Stage',
  publicApiProjection: ['title', 'slug', 'seats'],
  sort: { title: 1 },
  fields: { add: { seats: { type: 'integer', min: 1 } } },
})

// The artists who play.
const artist = piece('artist', {
  label: 'Artist',
  publicApiProjection: ['title', 'slug', 'from', 'about', '_url'],
  sort: { title: 1 },
  fields: {
    add: {
      from: { type: 'string', max: 80 },
      about: { type: 'area', widgets: { '@cms/rich-text': {}, '@cms/image': {} } },
    },
  },
})

// Relationships begin with `_`. They know the other document, whatever its title becomes.
const concert = piece('concert', {
  label: 'Concert',
  publicApiProjection: ['title', 'slug', 'day', 'time', '_stage', '_artists', '_url'],
  sort: { day: 1, time: 1 },
  fields: {
    add: {
      day: { type: 'date', required: true },
      time: { type: 'time', required: true },
      _stage: { type: 'relationship', withType: 'stage', max: 1, required: true },
      _artists: { type: 'relationship', withType: 'artist' },
    },
  },
})

const home = page('@cms/home-page', {
  fields: { add: { welcome: { type: 'area', widgets: { '@cms/rich-text': {}, '@cms/image': {} } } } },
  data: async (ctx) => (await findPieces(ctx, 'concert', { perPage: 5 })).results,
  template: 'home.njk',
})

// This page lists the concerts, by stage if a visitor wishes. Each concert has a page of its own below it.
const programme = page('programme', {
  label: 'Programme',
  piecesType: 'concert',
  piecesFilters: ['stage'],
  perPage: 20,
  index: { template: 'programme.njk' },
  show: { template: 'concert.njk' },
})

const artists = page('artists', {
  label: 'Artists',
  piecesType: 'artist',
  index: { template: 'artists.njk' },
  show: { template: 'artist.njk' },
})

export const site = defineSite({
  name: 'Festival',
  types: [stage, artist, concert, home, programme, artists],
  templates: new URL('./templates', import.meta.url),
  layout: 'layout.njk',
  // Misspelled parameters and properties are refused.
  strict: true,
  // Browsers run no script but the site's own files. It has none.
  contentSecurityPolicy: { 'script-src': "'self'" },
  notFound: { render: () => html`<h1>Nothing plays here</h1><p><a href="/">To the beginning</a></p>` },
})

/** Runs when the database is empty: the first content. */
export { seed } from './seed.ts'
