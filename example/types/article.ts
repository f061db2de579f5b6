import { piece, query } from 'quire-cms'
import { z } from 'zod'
import { readingMinutes } from '../reading-minutes.ts'

export const article = piece('article', {
  label: 'Article',
  // Properties that anonymous callers see. Other fields, such as the note to editors, are for known callers only.
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
    '_url',
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
      body: {
        type: 'area',
        widgets: { '@cms/rich-text': { toolbar: ['bold', 'italic', 'link'] }, quote: {}, '@cms/image': {} },
      },
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
      const texts = document.body.items.map((item) => {
        if (item.type === '@cms/rich-text') return item.content
        return item.type === 'quote' ? String(item.words) : ''
      })
      document.minutes = readingMinutes(texts)
    },
  },
})
