import { defineSite, page, piece } from '../cms/src/index.ts'

/** What is written while processes are killed. A job of the site inserts, too. */
export const site = defineSite({
  types: [
    piece('article', {
      scheduling: true,
      fields: { add: { count: { type: 'integer' }, text: { type: 'string' }, download: { type: 'attachment' } } },
    }),
    page('chapter'),
    piece('tick'),
  ],
  jobs: [
    {
      name: 'tick',
      every: '2s',
      as: { role: 'editor', name: 'Ticker' },
      run: async ({ content }) => void (await content.insert('tick', { title: 'Tick' })),
    },
  ],
})
