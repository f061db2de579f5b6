import { defineSite, page, piece, query, widget } from 'quire'
import { z } from 'zod'
import { readingMinutes } from './reading-minutes.ts'

// A small magazine in two languages. Read from top to bottom: it is also the tutorial.

// A widget is a building block for areas. It has fields like everything else.
const quote = widget('quote', {
  label: 'Quotation',
  fields: {
    add: {
      words: { type: 'string', textarea: true, required: true },
      by: { type: 'string', label: 'Who said it' },
    },
  },
})

// A piece type is a kind of record. `title` and `slug` are always there. People have the same name in every language,
// so authors have one copy only: no locales, no drafts.
const author = piece('author', {
  label: 'Author',
  localized: false,
  publicApiProjection: ['title', 'slug', 'town', 'bio'],
  sort: { title: 1 },
  fields: {
    add: {
      town: { type: 'string', max: 80 },
      bio: { type: 'string', textarea: true, max: 500 },
      email: { type: 'email', viewPermission: 'editor', help: 'Never shown to readers.' },
    },
  },
})

const topic = piece('topic', {
  label: 'Topic',
  publicApiProjection: ['title', 'slug', 'blurb', 'color'],
  sort: { title: 1 },
  fields: {
    add: {
      blurb: { type: 'string', max: 200 },
      color: { type: 'color', label: 'Colour' },
    },
  },
})

const article = piece('article', {
  label: 'Article',
  // What anonymous callers see. Other fields, such as the note to editors, are for known callers only.
  publicApiProjection: [
    'title',
    'slug',
    'subtitle',
    'section',
    'date',
    'minutes',
    'body',
    '_image',
    '_authors',
    '_topics',
  ],
  sort: { date: -1 },
  fields: {
    add: {
      subtitle: { type: 'string', max: 160 },
      section: {
        type: 'select',
        def: 'report',
        choices: [
          { value: 'report', label: 'Report' },
          { value: 'essay', label: 'Essay' },
          { value: 'recipe', label: 'Recipe' },
          { value: 'portrait', label: 'Portrait' },
        ],
      },
      date: { type: 'date', label: 'Day of issue' },
      minutes: { type: 'integer', label: 'Minutes to read', min: 1, readOnly: true },
      body: { type: 'area', widgets: { '@cms/rich-text': { toolbar: ['bold', 'italic', 'link'] }, quote: {} } },
      // An image is a piece of its own, with the file and all its sizes in `attachment`.
      _image: { type: 'relationship', withType: '@cms/image', label: 'Picture', max: 1 },
      note: { type: 'string', label: 'Note to editors', textarea: true },
      _authors: { type: 'relationship', withType: 'author', max: 3 },
      _topics: { type: 'relationship', withType: 'topic' },
    },
  },
  // A query parameter of our own: /api/v1/article?year=2026
  queries: {
    year: query({
      description: 'Articles of one year of issue',
      input: z.coerce.number().int().min(1900).max(2999),
      where: (year) => ({ date: { min: `${year}-01-01`, max: `${year}-12-31` } }),
    }),
  },
  // Hooks see every save before it happens, with types inferred from the fields above.
  hooks: {
    beforeSave(document) {
      const texts = document.body.items.map((item) => (item.type === 'quote' ? String(item.words) : item.content))
      document.minutes = readingMinutes(texts)
    },
  },
})

// Pages stand in one tree, below the home page, which is there from the start.
const textPage = page('text-page', {
  label: 'Page',
  fields: {
    add: {
      intro: { type: 'string', textarea: true, max: 300 },
      body: { type: 'area', widgets: { '@cms/rich-text': { toolbar: ['bold', 'italic', 'link'] }, quote: {} } },
    },
  },
  publicApiProjection: [
    'title',
    'slug',
    'intro',
    'body',
    'level',
    'rank',
    '_url',
    '_children',
    '_ancestors',
    'historicUrls',
  ],
})

export const site = defineSite({
  name: 'Lantern',
  locales: { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } },
  types: [author, topic, article, textPage],
  // What anonymous callers see of pages whose type has no projection of its own, such as the home page.
  pages: { publicApiProjection: ['title', 'slug', 'level', 'rank', '_url', '_children', '_ancestors'] },
  widgets: [quote],
})

/** Runs when the database is empty: the first content. */
export { seed } from './seed.ts'
