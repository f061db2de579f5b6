import { defineSite } from '../src/model/compile/site-options.ts'
import { page as pageType, piece, widget } from '../src/model/declared/content-type.ts'

const level = { type: 'select', choices: ['low', 'high'], def: 'low' } as const
const choices = ['a', 'b', 'c']
const widgets = { '@cms/rich-text': {}, '@cms/image': {}, '@cms/video': {}, '@cms/html': {}, card: {} }
const image = { type: 'relationship', withType: '@cms/image' } as const

/** A site with the types of the dump: every field type, each that can have one with a default. */
export const dumpSite = defineSite({
  name: 'Harbour',
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
  widgets: [
    widget('card', {
      label: 'Card',
      fields: { add: { heading: { type: 'string', def: 'Untitled' }, tone: level } },
      styles: { add: { edge: 'border', shadow: 'boxShadow', back: 'background' } },
    }),
  ],
  types: [
    piece('article', {
      label: 'Article',
      fields: {
        add: {
          // In pages these names are bookkeeping.
          level,
          rank: { type: 'integer', def: 7 },
          path: { type: 'string', def: 'none' },
          summary: { type: 'string', def: 'Nothing yet' },
          mood: { type: 'radio', choices, def: 'a' },
          marks: { type: 'checkboxes', choices, def: ['a'] },
          count: { type: 'integer', def: 3 },
          price: { type: 'float', def: 1.5 },
          isNew: { type: 'boolean', def: true },
          share: { type: 'range', min: 0, max: 10, def: 5 },
          tint: { type: 'color', def: '#112233' },
          space: { type: 'box', def: { top: 1, right: 1, bottom: 1, left: 1 } },
          day: { type: 'date', def: '2020-01-01' },
          hour: { type: 'time', def: '10:00:00' },
          moment: { type: 'dateAndTime', def: '2020-01-01T10:00:00.000Z' },
          link: { type: 'url', def: 'https://example.org' },
          mail: { type: 'email', def: 'a@example.org' },
          film: { type: 'oembed' },
          paper: { type: 'attachment' },
          body: { type: 'area', widgets },
          stops: {
            type: 'array',
            fields: { add: { name: { type: 'string' }, level, body: { type: 'area', widgets } } },
          },
          address: { type: 'object', fields: { add: { city: { type: 'string', def: 'Hull' }, level } } },
          _topics: { type: 'relationship', withType: 'topic', fields: { add: { weight: { type: 'integer' }, level } } },
          _image: { ...image, max: 1 },
        },
      },
    }),
    piece('topic', { label: 'Topic' }),
    piece('note', { label: 'Note', localized: false, fields: { add: { text: { type: 'string' } } } }),
    pageType('@cms/home-page', { label: 'Home', fields: { add: { main: { type: 'area', widgets } } } }),
    pageType('default-page', { label: 'Page', fields: { add: { intro: { type: 'string', def: 'Welcome' } } } }),
  ],
  styles: {
    add: { edge: { preset: 'border', selector: '.card' }, shadow: { preset: 'boxShadow', selector: '.card' } },
  },
  global: { fields: { add: { footer: { type: 'string', def: 'A footer' } } } },
})
