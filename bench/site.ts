import { defineSite, html, type JsonObject, page, piece, widget } from '../cms/src/index.ts'

const topic = piece('topic', {
  publicApiProjection: ['title', 'slug', '_url'],
  fields: { add: { blurb: { type: 'string' } } },
})

const article = piece('article', {
  publicApiProjection: [
    'title',
    'slug',
    'subtitle',
    'section',
    'body',
    '_topics',
    'topicsIds',
    '_image',
    'imageIds',
    'createdAt',
    'updatedAt',
  ],
  fields: {
    add: {
      subtitle: { type: 'string', max: 200 },
      minutes: { type: 'integer' },
      section: {
        type: 'select',
        choices: [
          { value: 'news', label: 'News' },
          { value: 'essay', label: 'Essay' },
          { value: 'review', label: 'Review' },
        ],
      },
      body: { type: 'area', widgets: { '@cms/rich-text': { toolbar: ['bold', 'italic', 'link'] } } },
      _topics: { type: 'relationship', withType: 'topic' },
      _image: { type: 'relationship', withType: '@cms/image', max: 1 },
    },
  },
})

const chapter = page('chapter', {
  publicApiProjection: ['title', 'slug', 'level', 'rank', 'path', 'body', '_url', '_children', '_ancestors'],
  fields: { add: { body: { type: 'area', widgets: { '@cms/rich-text': {} } } } },
})

const quote = widget('quote', {
  fields: { add: { words: { type: 'string' }, by: { type: 'string' } } },
  render: ({ words, by }) => html`<blockquote>${words}<cite>${by}</cite></blockquote>`,
})

/** A page of many widgets, rendered by functions. */
const landing = page('landing', {
  fields: {
    add: {
      intro: { type: 'string' },
      main: { type: 'area', widgets: { '@cms/rich-text': {}, quote: {} } },
      _topics: { type: 'relationship', withType: 'topic' },
    },
  },
  render: ({ page }, scene) => html`<h1>${page.title}</h1><p>${page.intro}</p>${scene.area(page.main)}`,
})

const articles = page('articles', {
  piecesType: 'article',
  piecesFilters: ['section'],
  index: {
    render: ({ pieces = [] }) =>
      html`<ul>${pieces.map(({ _url, title }) => html`<li><a href="${_url}">${title}</a></li>`)}</ul>`,
  },
  show: { render: ({ piece }, scene) => html`<h1>${piece?.title}</h1>${scene.area(piece?.body as never)}` },
})

/**
 * The site that is measured: articles of 3 to 5 KB with two topics and one image each, and pages; readable by anonymous callers.
 */
export const site = defineSite({
  name: 'Benchmark',
  static: true,
  mcp: { limits: { calls: 1e9, characters: 1e9 } },
  types: [topic, article, chapter, landing, articles],
  widgets: [quote],
  layout: (content, { home, page }) => html`<!doctype html>
<html><head><title>${page?.title}</title></head>
<body><nav>${(home?._children as JsonObject[] | undefined)?.map(({ _url, title }) => html`<a href="${_url}">${title}</a>`)}</nav>${content}</body></html>`,
  pages: { publicApiProjection: ['title', 'slug', '_url', '_children', '_ancestors'] },
})
