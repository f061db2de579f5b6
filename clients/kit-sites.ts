import { defineSite, page, piece, widget } from '../cms/src/index.ts'

// The content types that the templates of three Astro starter kits read, as far as they read them.

const text = { type: 'string' } as const
const textArea = { type: 'area', widgets: { '@cms/rich-text': {} } } as const
const NAMESPACE = '@apostrophecms'
const locales = { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } } as const

const essentialsMain = {
  type: 'area',
  widgets: { '@cms/layout': {}, '@cms/rich-text': {}, '@cms/image': {}, '@cms/video': {}, '@cms/file': {} },
} as const

/** starter-kit-astro-essentials: a blog. */
export const essentials = defineSite({
  namespace: NAMESPACE,
  types: [
    page('@cms/home-page', { fields: { add: { main: essentialsMain } } }),
    page('default-page', { fields: { add: { main: essentialsMain } } }),
    piece('@apostrophecms/blog', { fields: { add: { publishedAt: { type: 'date' }, main: essentialsMain } } }),
    page('@apostrophecms/blog-page', { piecesType: '@apostrophecms/blog' }),
  ],
})

const link = {
  linkText: text,
  linkType: { type: 'select', choices: ['page', 'file', 'custom'] },
  _linkPage: { type: 'relationship', withType: '@cms/any-page', max: 1, if: { linkType: 'page' } },
  _linkFile: { type: 'relationship', withType: '@cms/file', max: 1, if: { linkType: 'file' } },
  linkUrl: { type: 'url', if: { linkType: 'custom' } },
  linkTarget: { type: 'checkboxes', choices: ['_blank'] },
} as const

const demoMain = {
  type: 'area',
  widgets: { '@cms/layout': {}, '@cms/rich-text': {}, '@cms/image': {}, hero: {}, card: {}, button: {}, article: {} },
} as const

/** astro-public-demo: articles with authors and categories, and widgets with links. */
export const publicDemo = defineSite({
  namespace: NAMESPACE,
  locales,
  types: [
    page('@cms/home-page', { fields: { add: { main: demoMain } } }),
    page('default-page', { fields: { add: { main: demoMain } } }),
    piece('article-category', { publicApiProjection: ['title', 'slug'] }),
    piece('author', { publicApiProjection: ['title', 'slug'] }),
    piece('article', {
      fields: {
        add: {
          blurb: { type: 'area', max: 1, widgets: { '@cms/rich-text': { toolbar: ['bold', 'italic'] } } },
          publishedDate: { type: 'date' },
          _categories: { type: 'relationship', withType: 'article-category' },
          _author: { type: 'relationship', withType: 'author', max: 1 },
          _image: { type: 'relationship', withType: '@cms/image' },
          main: demoMain,
        },
      },
      publicApiProjection: [
        ...(['title', 'slug', 'blurb', 'publishedDate', '_url', '_image', '_categories', '_author', 'main'] as const),
        // The article widget asks for the newest: nobody can sort by what he may not see.
        'createdAt',
      ],
    }),
    page('article-page', {
      fields: { add: { intro: textArea } },
      piecesType: 'article',
      piecesFilters: ['categories', 'author'],
    }),
  ],
  widgets: [
    widget('hero', { fields: { add: { content: textArea, links: { type: 'array', fields: { add: link } } } } }),
    widget('card', {
      fields: {
        add: {
          titleRT: { type: 'area', max: 1, widgets: { 'card-title-rt': {} } },
          contentRT: { type: 'area', max: 1, widgets: { 'card-content-rt': {} } },
          ...link,
        },
      },
    }),
    widget('card-title-rt', { fields: { add: { content: { type: 'richText' } } } }),
    widget('card-content-rt', { fields: { add: { content: { type: 'richText' } } } }),
    widget('button', { fields: { add: link } }),
    widget('article', { fields: { add: { limit: { type: 'integer', def: 5 }, display: text } } }),
  ],
  global: {
    fields: { add: { siteTitle: text, _siteLogo: { type: 'relationship', withType: '@cms/image', max: 1 } } },
  },
  features: [
    {
      name: 'public-demo',
      hooks: {
        beforeSend(data) {
          for (const localization of data.localizations) Object.assign(localization, { flag: localization.locale })
          const choices = data.piecesFilters?.categories ?? []
          data._categories = choices.map(({ value, label }) => ({ slug: value, title: label }))
        },
      },
    },
  ],
})

const apolloMain = {
  type: 'area',
  widgets: { '@cms/layout': {}, '@cms/rich-text': {}, '@cms/image': {}, '@cms/video': {}, '@cms/file': {}, link: {} },
} as const

const hero = {
  layout: { type: 'select', choices: ['full', 'split'], def: 'full' },
  background: { type: 'select', choices: ['color', 'image'], def: 'image' },
  _backgroundImage: { type: 'relationship', withType: '@cms/image', max: 1, if: { background: 'image' } },
  enableOverlay: { type: 'boolean', def: true, if: { $or: [{ background: 'image' }, { background: 'video' }] } },
  height: { type: 'select', choices: ['small', 'medium'], def: 'medium' },
  mainContent: { type: 'object', fields: { add: { pretitle: text, title: text, subtitle: text } } },
  callToAction: { type: 'area', max: 2, widgets: { link: {} } },
} as const

/**
 * starter-kit-astro-apollo: articles whose authors are related to further articles, and a global document of objects.
 */
export const apollo = defineSite({
  namespace: NAMESPACE,
  locales,
  types: [
    page('@cms/home-page', {
      fields: {
        add: {
          layout: { type: 'select', choices: ['foundation', 'showcase', 'minimal'], def: 'foundation' },
          heroSection: { type: 'object', fields: { add: hero }, if: { layout: 'foundation' } },
          main: apolloMain,
        },
      },
    }),
    page('default-page', { fields: { add: { main: apolloMain } } }),
    piece('author', {
      fields: {
        add: {
          profileImage: { type: 'area', max: 1, widgets: { '@cms/image': {} } },
          biography: textArea,
          email: { type: 'email' },
          socialLinks: {
            type: 'array',
            fields: {
              add: { platform: { type: 'select', choices: ['github', 'website'] }, url: { type: 'url' } },
            },
          },
          _articles: { type: 'relationshipReverse', withType: 'article', reverseOf: '_author' },
        },
      },
    }),
    piece('article', {
      fields: {
        add: {
          category: { type: 'select', choices: ['news', 'opinion'] },
          _heroImage: { type: 'relationship', withType: '@cms/image', max: 1 },
          excerpt: { type: 'string', textarea: true },
          mainContent: apolloMain,
          _author: { type: 'relationship', withType: 'author', withRelationships: ['_articles'] },
          publishDate: { type: 'date', required: true },
          _related: {
            type: 'relationship',
            withType: 'article',
            max: 4,
            builders: { project: { title: 1, _url: 1 } },
          },
        },
      },
    }),
    page('article-page', {
      fields: {
        add: {
          masthead: apolloMain,
          indexLayout: { type: 'select', choices: ['heroGrid', 'listAside', 'standard'], def: 'heroGrid' },
          showLayout: { type: 'select', choices: ['fullWidth', 'magazine', 'minimal'], def: 'fullWidth' },
        },
      },
      piecesType: 'article',
      piecesFilters: ['category'],
      perPage: 7,
    }),
  ],
  widgets: [widget('link', { fields: { add: link } })],
  global: {
    fields: {
      add: {
        brandingGroup: {
          type: 'object',
          fields: {
            add: { siteTitle: text, brandingType: text, siteLogo: { type: 'attachment', fileGroup: 'images' } },
          },
        },
        headerGroup: { type: 'object', fields: { add: { headerPosition: text, headerTextColor: text } } },
        footerGroup: {
          type: 'object',
          fields: {
            add: { socialLinks: { type: 'array', fields: { add: { platform: text, url: { type: 'url' } } } } },
          },
        },
      },
    },
  },
})
