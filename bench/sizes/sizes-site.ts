import { defineSite, page, piece } from '../../cms/src/index.ts'

const COMMON = ['title', 'slug', 'section', 'body', '_topics', 'createdAt', 'updatedAt'] as const

const body = { type: 'area', widgets: { '@cms/rich-text': { toolbar: ['bold', 'italic', 'link'] } } } as const
const section = { type: 'select', choices: ['news', 'essay', 'review'] } as const

const topic = piece('topic', {
  publicApiProjection: ['title', 'slug', '_url'],
  fields: { add: { blurb: { type: 'string' } } },
})

const article = piece('article', {
  publicApiProjection: [...COMMON, 'subtitle', 'topicsIds', '_image', 'imageIds'],
  fields: {
    add: {
      subtitle: { type: 'string', max: 200 },
      minutes: { type: 'integer' },
      section,
      body,
      _topics: { type: 'relationship', withType: 'topic' },
      _image: { type: 'relationship', withType: '@cms/image', max: 1 },
    },
  },
})

/** The other pieces of the site: `kind0` to `kind14`. */
export const KINDS = 15

const kinds = (minutes: string) =>
  Array.from({ length: KINDS }, (_, index) =>
    piece(`kind${index}`, {
      publicApiProjection: COMMON,
      fields: {
        add: {
          section,
          [index === 0 ? minutes : 'minutes']: { type: 'integer' },
          body,
          _topics: { type: 'relationship', withType: 'topic' },
        },
      },
    }),
  )

const pages = (['chapter', 'landing'] as const).map((name) =>
  page(name, {
    publicApiProjection: ['title', 'slug', 'level', 'rank', 'path', 'body', '_url', '_children', '_ancestors'],
    fields: { add: { body } },
  }),
)

const articles = page('articles', { piecesType: 'article', piecesFilters: ['section'] })

function siteWith(minutes: string) {
  return defineSite({
    name: 'Sizes',
    locales: {
      en: { label: 'English' },
      de: { label: 'Deutsch', prefix: '/de' },
      fr: { label: 'Français', prefix: '/fr' },
    },
    mcp: { limits: { calls: 1e9, characters: 1e9 } },
    types: [topic, article, ...kinds(minutes), ...pages, articles],
    pages: { publicApiProjection: ['title', 'slug', '_url', '_children', '_ancestors'] },
  })
}

/** The site whose sizes are measured: twenty types in three locales, readable by anonymous callers. */
export const site = siteWith('minutes')

/** The same with another name for a field of `kind0`. */
export const laterSite = siteWith('readingTime')
