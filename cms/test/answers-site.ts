import { referenceSite } from '../../conformance/site.ts'

const { kind, options } = referenceSite({
  QUIRE_ARTICLE_PUBLIC: '1',
  QUIRE_PAGE_PUBLIC: '1',
  QUIRE_BASE_URL: 'http://site.test',
})

/** The reference site, open to all, with all files for search engines. */
export const site = { kind, options: { ...options, robots: true, sitemap: true, llms: true } }
