import { defineSite } from 'quire-cms'
import { assets } from './assets.ts'
import { publicUrl } from './public-url.ts'
import { article } from './types/article.ts'
import { articlesPage, authorsPage, homePage, searchPage, textPage, topicsPage } from './types/pages.ts'
import { author, topic } from './types/people-and-topics.ts'
import { styles } from './types/theme.ts'
import { front, latest, quote, shelf } from './types/widgets.ts'

// What there is: types of documents, building blocks for areas, and what is the same on all pages. Its templates are
// added in site.ts.
export const model = defineSite({
  name: 'Lantern',
  locales: { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } },
  types: [author, topic, article, homePage, textPage, articlesPage, authorsPage, topicsPage, searchPage],
  widgets: [quote, front, shelf, latest],
  styles,
  // Properties that anonymous callers see of pages whose type has no projection of its own.
  pages: { publicApiProjection: ['title', 'slug', 'level', 'rank', '_url', '_children', '_ancestors'] },
  // One document for the whole site, with words for every page.
  global: {
    fields: {
      add: { motto: { type: 'string', max: 160 }, colophon: { type: 'string', textarea: true, max: 300 } },
    },
  },
  // The files of templates.
  templates: new URL('./templates', import.meta.url),
  // Misspelled parameters and properties are refused.
  strict: true,
  features: [assets],
  // Browsers run no script but the site's own files. It has none.
  contentSecurityPolicy: { 'script-src': "'self'" },
  // Files for search engines.
  robots: { rules: [{ disallow: ['/api/'], disallowPages: ['search-page'] }] },
  ...(publicUrl === undefined ? {} : { baseUrl: publicUrl, sitemap: true }),
})
