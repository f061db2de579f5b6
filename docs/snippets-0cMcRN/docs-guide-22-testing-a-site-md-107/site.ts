import { defineSite, type Feature, html, page, piece, route } from 'quire-cms'

const book = piece('book', {
  publicApiProjection: ['title', 'text', 'words', '_url'],
  fields: { add: { text: { type: 'string', textarea: true, max: 200 }, words: { type: 'integer' }, votes: { type: 'integer', def: 0 } } },
  hooks: {
    beforeSave(book) {
      book.words = book.text.split(/\s+/).filter(Boolean).length
    },
  },
})

const books = page('books', {
  piecesType: 'book',
  index: { render: ({ pieces }) => html`<ul>${pieces?.map(({ title, _url }) => html`<li><a href="${_url}">${title}</a></li>`)}</ul>` },
  show: { render: ({ piece }) => html`<h1>${piece?.title}</h1><p>${piece?.words} words</p>` },
})

const voting: Feature = {
  name: 'voting',
  routes: () => [
    route({
      method: 'POST',
      path: '/api/v1/book/:_id/vote',
      summary: 'Vote for a book',
      tag: 'book',
      operationId: 'book.vote',
      body: { type: 'object', required: ['stars'], properties: { stars: { type: 'integer', minimum: 1, maximum: 5 } } },
      answer: { type: 'object', properties: { votes: { type: 'integer' } } },
      handle: async (ctx, { params, body }) => {
        const content = ctx.as({ role: 'editor', name: 'Voting' })
        const found = await content.findOne('book', params._id ?? '')
        const votes = Number(found?.votes ?? 0) + Number(body.stars)
        await content.patch('book', params._id ?? '', { votes })
        return { votes }
      },
    }),
  ],
}

export const site = defineSite({
  name: 'Shelf',
  types: [book, books],
  features: [voting],
  pages: { parked: [{ parkedId: 'books', type: 'books', title: 'Books', slug: '/books' }] },
})
