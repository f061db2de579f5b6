import { defineSite, findPieces } from 'quire-cms'
import { publicUrl } from './public-url.ts'
import { serveStyle } from './style.ts'
import { article } from './types/article.ts'
import { articlesPage, authorsPage, homePage, searchPage, textPage, topicsPage } from './types/pages.ts'
import { author, topic } from './types/people-and-topics.ts'
import { styles } from './types/theme.ts'
import { front, latest, quote, shelf } from './types/widgets.ts'
import { failed, notFound } from './views/failures.ts'
import { layout } from './views/layout.ts'

// A small magazine in two languages, and the tutorial. What there is, is declared in the folder `types`: read
// article.ts, widgets.ts and pages.ts there, in this order. How it looks is in `views` (functions), `templates` (files)
// and lantern.css, and in theme.ts as far as editors may change it.
export const site = defineSite({
  name: 'Lantern',
  locales: { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } },
  types: [author, topic, article, homePage, textPage, articlesPage, authorsPage, topicsPage, searchPage],
  widgets: [quote, front, shelf, latest],
  styles,
  // What anonymous callers see of pages whose type has no projection of its own.
  pages: { publicApiProjection: ['title', 'slug', 'level', 'rank', '_url', '_children', '_ancestors'] },
  // One document for the whole site, with words for every page.
  global: {
    fields: {
      add: { motto: { type: 'string', max: 160 }, colophon: { type: 'string', textarea: true, max: 300 } },
    },
  },
  // What is around every page, and the files of templates.
  layout,
  templates: new URL('./templates', import.meta.url),
  notFound: {
    data: async (ctx) => (await findPieces(ctx, 'article', { perPage: 5 })).results,
    render: notFound,
  },
  error: { render: failed },
  fastify: serveStyle,
  // What search engines read.
  robots: { rules: [{ disallow: ['/api/', '/search'] }] },
  ...(publicUrl === undefined ? {} : { baseUrl: publicUrl, sitemap: true }),
})

/** Runs when the database is empty: the first content. */
export { seed } from './seed.ts'
