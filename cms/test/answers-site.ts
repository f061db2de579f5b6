import { referenceSite } from '../../conformance/site.ts'

const { kind, options } = referenceSite({
  QUIRE_ARTICLE_PUBLIC: '1',
  QUIRE_PAGE_PUBLIC: '1',
  QUIRE_BASE_URL: 'http://site.test',
  QUIRE_FALLBACK: '1',
})

/** The reference site, open to all, with all files for search engines, and locales that fall back to others. */
export const site = { kind, options: { ...options, robots: true, sitemap: true, llms: true } }
