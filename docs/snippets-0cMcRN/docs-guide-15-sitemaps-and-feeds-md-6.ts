// site.ts
import { defineSite, page, piece } from 'quire-cms'

const walk = piece('walk', {
  fields: {
    add: {
      day: { type: 'date' },
      teaser: { type: 'string', textarea: true },
      unlisted: { type: 'boolean', label: 'Not for search engines' },
      _photo: { type: 'relationship', withType: '@cms/image', max: 1 },
      _guides: { type: 'relationship', withType: 'guide' },
    },
  },
  // For each walk. `sitemap: false` leaves out the whole type.
  sitemap: ({ unlisted }) => (unlisted ? false : { changefreq: 'weekly', priority: 0.7 }),
})

const search = page('search-page')

const walks = page('walks-page', {
  piecesType: 'walk',
  // At /walks/rss.xml and /walks/atom.xml.
  feed: { items: 30, date: 'day', summary: 'teaser', image: '_photo', author: '_guides' },
})

export const site = defineSite({
  name: 'Walks',
  baseUrl: 'https://www.example.org',
  types: [piece('guide'), walk, walks, search],
  robots: {
    rules: [
      { userAgent: 'GPTBot', disallow: ['/'] },
      { disallow: ['/api/'], disallowPages: ['search-page'] },
    ],
  },
  sitemap: true,
  llms: { title: 'Walks', summary: 'Walks along the river, and who leads them.' },
})
