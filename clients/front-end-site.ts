import { defineSite, page, piece, type SiteDeclaration, widget } from '../cms/src/index.ts'

const richText = {
  toolbar: ['styles', 'bold', 'italic', 'link'],
  styles: [
    { tag: 'p', label: 'Paragraph' },
    { tag: 'h2', label: 'Heading' },
  ],
} as const

const quote = widget('quote', {
  fields: {
    add: {
      words: { type: 'string', required: true },
      _speaker: { type: 'relationship', withType: 'author', max: 1 },
    },
  },
})

const main = {
  type: 'area',
  widgets: {
    '@cms/rich-text': richText,
    '@cms/image': {},
    '@cms/video': {},
    '@cms/file': {},
    '@cms/layout': {},
    quote: {},
  },
} as const

/** Posts have pictures in their texts, which may come from anywhere. */
const illustrated = {
  ...main,
  widgets: { ...main.widgets, '@cms/rich-text': { ...richText, toolbar: [...richText.toolbar, 'image'] } },
} as const

const home = page('@cms/home-page', { fields: { add: { main } } })
const plain = page('default-page', { fields: { add: { main, seoDescription: { type: 'string' } } } })

const author = piece('author', { publicApiProjection: ['title', 'slug'] })

const SECTIONS = [
  { value: 'news', label: 'News' },
  { value: 'essay', label: 'Essays' },
  { value: 'review', label: 'Reviews' },
] as const

const blog = piece('@apostrophecms/blog', {
  label: 'Blog post',
  fields: {
    add: {
      publishedAt: { type: 'date' },
      section: { type: 'select', choices: SECTIONS },
      mood: { type: 'string' },
      _author: { type: 'relationship', withType: 'author' },
      main: illustrated,
    },
  },
  sort: { publishedAt: -1 },
  // Fewer than there are, so that clients have to turn pages.
  perPage: 3,
  publicApiProjection: ['title', 'slug', 'publishedAt', 'section', '_author', 'main', '_url'],
})

const blogPage = (feed: boolean) =>
  page('@apostrophecms/blog-page', {
    label: 'Blog',
    piecesType: '@apostrophecms/blog',
    piecesFilters: ['section', 'author', 'mood'],
    perPage: 2,
    feed,
  })

const VIDEOS = { name: 'Videos', urls: ['https://video.example.org/w/*'], hosts: ['video.example.org'] } as const

/** The options in which the sites of the tests differ. */
export interface FrontEndOptions {
  readonly prefix?: '/site'
  readonly baseUrl?: string
  readonly staticBaseUrl?: string
  /** With files for search engines and language models. */
  readonly robots?: boolean
  readonly sitemap?: boolean
  readonly llms?: boolean
  /** The blog has feeds. */
  readonly feed?: boolean
  /** Further pages and filters have paths, not queries. */
  readonly static?: boolean
  /** The endpoint of the provider of the videos. */
  readonly videos?: string
  readonly editor?: { readonly origin: `http${string}`; readonly frontends: readonly `http${string}`[] }
}

/** A site with an external front end: a home page, nested pages, and a blog, in two languages. */
export function frontEndSite({ videos, feed = false, ...options }: FrontEndOptions = {}): SiteDeclaration {
  return defineSite({
    name: 'Front end',
    namespace: '@apostrophecms',
    ...options,
    ...(videos === undefined ? {} : { embeds: { providers: [{ ...VIDEOS, endpoint: videos }] } }),
    locales: { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } },
    types: [home, plain, author, blog, blogPage(feed)],
    widgets: [quote],
    pages: { publicApiProjection: ['title', 'slug', 'type', '_url', '_children', '_ancestors'] },
    global: { fields: { add: { footer: { type: 'string' } } } },
  })
}
