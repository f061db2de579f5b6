import { findPieces, html, page, type ShownDocument } from 'quire-cms'
import { publicUrl } from '../public-url.ts'
import { articleIndex, articleShow } from '../views/articles.ts'
import { authorIndex, authorShow } from '../views/authors.ts'
import { search } from '../views/search.ts'
import { topicIndex, topicShow } from '../views/topics.ts'

// Pages stand in one tree, below the home page, which is there from the start. Its type may be declared like any other.
export const homePage = page('@cms/home-page', {
  label: 'Home page',
  fields: { add: { main: { type: 'area', widgets: { front: {}, shelf: {}, latest: {}, quote: {} } } } },
  publicApiProjection: ['title', 'slug', 'main', 'level', 'rank', '_url', '_children', '_ancestors'],
  render: ({ page }, scene) => html`<h1 class="unseen">Lantern</h1><div class="home">${scene.area(page.main)}</div>`,
})

const around = ['title', 'slug', 'level', 'rank', '_url', '_children', '_ancestors', 'historicUrls'] as const
const intro = { type: 'string', textarea: true, max: 300 } as const

// A page of text, rendered by a file of the folder `templates`.
export const textPage = page('text-page', {
  label: 'Page',
  fields: {
    add: {
      intro,
      body: { type: 'area', widgets: { '@cms/rich-text': { toolbar: ['bold', 'italic', 'link'] }, quote: {} } },
    },
  },
  publicApiProjection: [...around, 'intro', 'body'],
  template: 'pages/text-page.njk',
})

// An index page lists pieces, by filters and page by page; each piece has a page of its own below it.
export const articlesPage = page('articles-page', {
  label: 'Articles',
  fields: { add: { intro } },
  publicApiProjection: [...around, 'intro'],
  piecesType: 'article',
  piecesFilters: ['section', 'topics'],
  perPage: 9,
  // For feed readers, at /articles/rss.xml and /articles/atom.xml.
  feed: publicUrl !== undefined && { date: 'date', summary: 'subtitle', image: '_image', author: '_authors' },
  index: { render: articleIndex },
  show: {
    // What else to read: articles on the same topics.
    async data(ctx, { piece }) {
      const found = await findPieces(ctx, 'article', { _topics: idsOf(piece?._topics), perPage: 4 })
      return found.results.filter(({ _id }) => _id !== piece?._id).slice(0, 3)
    },
    render: (page, scene) => articleShow(page, scene),
  },
})

export const authorsPage = page('authors-page', {
  label: 'Authors',
  fields: { add: { intro } },
  publicApiProjection: [...around, 'intro'],
  piecesType: 'author',
  perPage: 24,
  index: { render: authorIndex },
  show: {
    data: async (ctx, { piece }) =>
      (await findPieces(ctx, 'article', { _authors: idsOf([piece]), perPage: 50 })).results,
    render: (page, scene) => authorShow(page, scene),
  },
})

export const topicsPage = page('topics-page', {
  label: 'Topics',
  fields: { add: { intro } },
  publicApiProjection: [...around, 'intro'],
  piecesType: 'topic',
  perPage: 24,
  index: { render: topicIndex },
  show: {
    data: async (ctx, { piece }) =>
      (await findPieces(ctx, 'article', { _topics: idsOf([piece]), perPage: 50 })).results,
    render: (page, scene) => topicShow(page, scene),
  },
})

export const searchPage = page('search-page', {
  label: 'Search',
  fields: { add: { intro } },
  publicApiProjection: [...around, 'intro'],
  data: async (ctx, { query: { q } }) =>
    typeof q === 'string' && q.trim() !== '' ? await findPieces(ctx, 'article', { search: q, perPage: 24 }) : null,
  render: (page, scene) => search(page, scene),
})

/** The ids of documents, for a filter. */
function idsOf(documents: unknown): string[] {
  // `as`: what relationships and page data hold are documents.
  return Array.isArray(documents) ? documents.map((one) => (one as ShownDocument).aposDocId) : []
}
