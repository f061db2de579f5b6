import { defineSite, piece } from 'quire-cms'

// A piece type is a kind of record. `title` and `slug` are always there.
const note = piece('note', {
  label: 'Note',
  // Properties that anybody may read. Everything else needs a key or a user.
  publicApiProjection: ['title', 'slug', 'text', '_url'],
  fields: {
    add: {
      text: { type: 'string', textarea: true, max: 2000 },
    },
  },
})

export const site = defineSite({
  name: 'My site',
  types: [note],
  // Misspelled parameters and properties are refused.
  strict: true,
})
