import { piece } from 'quire-cms'

// A piece type is a kind of record. `title` and `slug` are always there. People have the same name in every language,
// so authors have one copy only: no locales, no drafts.
export const author = piece('author', {
  label: 'Author',
  localized: false,
  publicApiProjection: ['title', 'slug', 'town', 'bio', '_url'],
  sort: { title: 1 },
  fields: {
    add: {
      town: { type: 'string', max: 80 },
      bio: { type: 'string', textarea: true, max: 500 },
      email: { type: 'email', viewPermission: 'editor', help: 'Never shown to readers.' },
    },
  },
})

export const topic = piece('topic', {
  label: 'Topic',
  publicApiProjection: ['title', 'slug', 'blurb', 'color', '_url'],
  sort: { title: 1 },
  fields: {
    add: {
      blurb: { type: 'string', max: 200 },
      color: { type: 'color', label: 'Colour' },
    },
  },
})
