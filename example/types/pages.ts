import { html, page } from 'quire-cms'
import { publicUrl } from '../public-url.ts'

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

// An index page lists pieces, by filters and page by page; each piece has a page of its own below it. Both have their
// templates in `views`.
export const articlesPage = page('articles-page', {
  label: 'Articles',
  fields: { add: { intro } },
  publicApiProjection: [...around, 'intro'],
  piecesType: 'article',
  piecesFilters: ['section', 'topics'],
  perPage: 9,
  // For feed readers, at /articles/rss.xml and /articles/atom.xml.
  feed: publicUrl !== undefined && { date: 'date', summary: 'subtitle', image: '_image', author: '_authors' },
})

export const authorsPage = page('authors-page', {
  label: 'Authors',
  fields: { add: { intro } },
  publicApiProjection: [...around, 'intro'],
  piecesType: 'author',
  perPage: 24,
})

export const topicsPage = page('topics-page', {
  label: 'Topics',
  fields: { add: { intro } },
  publicApiProjection: [...around, 'intro'],
  piecesType: 'topic',
  perPage: 24,
})

export const searchPage = page('search-page', {
  label: 'Search',
  fields: { add: { intro } },
  publicApiProjection: [...around, 'intro'],
})
