import { page } from '../../cms/src/index.ts'

const richText = {
  toolbar: ['styles', 'bold', 'italic', 'link'],
  styles: [
    { tag: 'p', label: 'P' },
    { tag: 'h2', label: 'H2' },
  ],
} as const

export const homePage = page('@cms/home-page', {
  label: 'Home page',
  template: 'pages/page.njk',
  fields: {
    add: {
      main: {
        type: 'area',
        widgets: {
          '@cms/rich-text': richText,
          '@cms/image': {},
          '@cms/video': {},
          '@cms/html': {},
          promo: {},
          plain: {},
        },
      },
    },
  },
})

export const defaultPage = page('default-page', {
  template: 'pages/page.njk',
  fields: {
    add: {
      intro: { type: 'string' },
      needed: { type: 'string' },
      main: { type: 'area', widgets: { '@cms/rich-text': richText, '@cms/image': {}, promo: {}, plain: {} } },
      _topics: { type: 'relationship', withType: 'topic' },
    },
  },
})

export const articlePage = page('article-page', {
  piecesType: 'article',
  piecesFilters: ['topics'],
  perPage: 10,
  index: { template: 'pages/index.njk' },
  show: { template: 'pages/show.njk' },
})
