import { defineSite, page, piece } from 'quire-cms'

const topic = piece('topic', { publicApiProjection: ['title'] })

const article = piece('article', {
  publicApiProjection: ['title', 'code', 'count', 'tags', '_topics'],
  fields: {
    add: {
      code: { type: 'string' },
      count: { type: 'integer' },
      tags: {
        type: 'checkboxes',
        choices: [
          { label: 'Red', value: 'red' },
          { label: 'Blue', value: 'blue' },
        ],
      },
      body: { type: 'area', widgets: { '@cms/rich-text': {} } },
      _topics: { type: 'relationship', withType: 'topic' },
    },
  },
})

/** The site that the releases before and now serve side by side. */
export const site = defineSite({ name: 'Release', types: [topic, article, page('chapter')] })
