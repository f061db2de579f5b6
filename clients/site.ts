import { defineSite, page, piece, widget } from '../cms/src/index.ts'

const venue = piece('venue', {
  label: 'Venue',
  fields: {
    add: { capacity: { type: 'integer' }, address: { type: 'object', fields: { add: { city: { type: 'string' } } } } },
  },
  publicApiProjection: ['title', 'slug', 'capacity'],
})

const event = piece('event', {
  label: 'Event',
  fields: {
    add: {
      starts: { type: 'date', required: true },
      price: { type: 'float', min: 0, help: 'In euros.' },
      contact: { type: 'email' },
      website: { type: 'url' },
      tint: { type: 'color' },
      kind: { type: 'select', choices: ['talk', 'concert'] },
      _venue: { type: 'relationship', withType: 'venue', max: 1, fields: { add: { room: { type: 'string' } } } },
      program: { type: 'array', fields: { add: { title: { type: 'string', required: true }, at: { type: 'time' } } } },
      internal: { type: 'string', viewPermission: 'editor' },
    },
  },
  publicApiProjection: ['title', 'slug', 'starts', 'price', '_venue'],
})

const diary = piece('diary', { label: 'Diary', pluralLabel: 'Diaries', fields: { add: { mood: { type: 'string' } } } })

const quote = widget('quote', {
  label: 'Quotation',
  fields: { add: { words: { type: 'string', required: true }, by: { type: 'string' } } },
})

const plain = page('plain-page', {
  label: 'Plain page',
  fields: { add: { main: { type: 'area', widgets: { '@cms/rich-text': {}, quote: {} } } } },
})
const landing = page('landing-page', {
  label: 'Landing page',
  fields: { add: { intro: { type: 'string' }, _event: { type: 'relationship', withType: 'event', max: 1 } } },
})

/** A site with a bit of everything that generated clients must be able to say. */
export const site = defineSite({
  name: 'Events',
  baseUrl: 'https://example.org',
  types: [venue, event, diary, plain, landing],
  widgets: [quote],
})
