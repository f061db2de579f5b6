import { defineSite, page, piece } from 'quire'

const topic = piece('topic', {
  publicApiProjection: ['title', 'slug', '_url'],
  fields: { add: { blurb: { type: 'string' } } },
})

const article = piece('article', {
  publicApiProjection: [
    'title',
    'slug',
    'subtitle',
    'section',
    'body',
    '_topics',
    'topicsIds',
    'createdAt',
    'updatedAt',
  ],
  fields: {
    add: {
      subtitle: { type: 'string', max: 200 },
      section: {
        type: 'select',
        choices: [
          { value: 'news', label: 'News' },
          { value: 'essay', label: 'Essay' },
          { value: 'review', label: 'Review' },
        ],
      },
      body: { type: 'area', widgets: { '@cms/rich-text': { toolbar: ['bold', 'italic', 'link'] } } },
      _topics: { type: 'relationship', withType: 'topic' },
    },
  },
})

const chapter = page('chapter', {
  publicApiProjection: ['title', 'slug', 'level', 'rank', 'path', 'body', '_url', '_children', '_ancestors'],
  fields: { add: { body: { type: 'area', widgets: { '@cms/rich-text': {} } } } },
})

/** What is measured: articles of 3 to 5 KB with two topics each, and pages; readable by anonymous callers. */
export const site = defineSite({
  name: 'Benchmark',
  types: [topic, article, chapter],
  pages: { publicApiProjection: ['title', 'slug', '_url', '_children', '_ancestors'] },
})
