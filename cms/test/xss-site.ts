import {
  attributes,
  type Html,
  html,
  json,
  type PageData,
  page,
  piece,
  raw,
  type Scene,
  type ShownDocument,
  widget,
} from '../src/index.ts'
import { defineSite } from '../src/model/compile/site.ts'

// A site that shows every field in every place where a template may put it.

const add = {
  words: { type: 'string', textarea: true },
  link: { type: 'url' },
  colour: { type: 'color' },
  mail: { type: 'email' },
  lines: { type: 'array', fields: { add: { line: { type: 'string' } } } },
} as const

/** What `add` declares, as templates have it. */
interface WidgetValues {
  readonly words: string
  readonly link: string | null
  readonly colour: string | null
  readonly mail: string
  readonly lines: readonly { readonly line: string }[]
}

/** The values in text, in attributes, as addresses, in styles, and in scripts. */
function everywhere({ words, link, colour, mail, lines }: WidgetValues): Html {
  // An address of another site is one that an image may have.
  const image = words.includes('evil.example') ? '' : words
  return html`<section title="${words}" data-words='${words}'>
<a${attributes({ title: words, href: words, style: words, 'data-words': words })}>${words}</a>
<p data-text>${words}</p>
<a href="${words}">${words}</a><a href='${link}'>${link}</a><a href="mailto:${mail}">${mail}</a>
<a href="/search?q=${words}#${words}" rel="${words}" class="one ${words}">${words}</a>
<form action="${words}"><button formaction="${words}" value="${words}">${words}</button></form>
<svg><a xlink:href="${words}"><text>${words}</text></a></svg>
<img src="${image}" srcset="${image}" alt="${words}"><video poster="${image}"></video>
<p style="color: ${colour}; background: ${words}">${colour}</p>
<p style="--own: ${words}">${lines.map(({ line }) => html`<i title="${line}">${line}</i>`)}</p>
<textarea>${words}</textarea><select><option value="${words}">${words}</select>
<script type="application/json" data-own>${json({ words, [words]: words, lines })}</script>
<script data-own>window.read = ${json(words)}</script>
</section>`
}

const typed = widget('typed', { fields: { add }, render: (shown) => everywhere(shown) })
const file = widget('file', { fields: { add }, template: 'words.njk' })
const plain = widget('plain', { fields: { add } })
/** What the rule is for: a template that trusts what people write. */
const unsafe = widget('unsafe', { fields: { add }, render: ({ words }) => raw(words) })

const label = piece('label', { publicApiProjection: ['title', '_url'] })
const thing = piece('thing', {
  publicApiProjection: ['title', 'slug', 'words', 'link', 'colour', 'mail', 'lines', '_labels', '_url'],
  fields: { add: { ...add, _labels: { type: 'relationship', withType: 'label' } } },
})

const widgets = { typed: {}, file: {}, plain: {}, unsafe: {}, '@cms/rich-text': {}, '@cms/image': {}, '@cms/file': {} }
const body = { type: 'area', widgets } as const
const publicApiProjection = ['title', 'slug', 'body', '_url'] as const

const drawn = page('drawn', {
  fields: { add: { body } },
  publicApiProjection,
  render: ({ page }, scene) => html`<h1>${page.title}</h1>${scene.area(page.body)}`,
})
const filed = page('filed', { fields: { add: { body } }, publicApiProjection, template: 'page.njk' })
const defaults = page('defaults', { fields: { add: { body } }, publicApiProjection })

/** Fails with what people wrote. */
const failing = page('failing', {
  publicApiProjection: ['title', 'slug', '_url'],
  render({ page }) {
    throw new Error(`Cannot draw ${page.title}`)
  },
})

const things = page('things', {
  publicApiProjection: ['title', 'slug', '_url'],
  piecesType: 'thing',
  piecesFilters: ['_labels', 'words'],
  perPage: 50,
  index: {
    render: ({ pieces = [], filters = [] }) => html`<h1>Things</h1>
${filters.map(({ choices }) => choices.map(({ label, _url }) => html`<a href="${_url}">${label}</a>`))}
${pieces.map((one) => html`<article><h2><a href="${String(one._url)}">${one.title}</a></h2>${everywhere(one as unknown as WidgetValues)}</article>`)}`,
  },
  show: {
    render: ({ piece }) =>
      piece ? html`<h1>${piece.title}</h1>${everywhere(piece as unknown as WidgetValues)}` : html``,
  },
})
/** Pieces without a template. */
const labels = page('labels', { publicApiProjection: ['title', 'slug', '_url'], piecesType: 'label' })

function layout(
  content: Html,
  { page, piece, url, query, slug }: PageData<ShownDocument | null, ShownDocument>,
  scene: Scene,
): Html {
  const title = (piece ?? page)?.title ?? ''
  return html`<!doctype html><html lang="${scene.locale}"><head><meta charset="utf-8"><title>${title}</title>
<meta name="description" content="${title} ${url}"></head>
<body data-url="${url}"><p>${url} ${slug}</p><a href="?${url}">${title}</a>
<script type="application/json" data-own>${json({ url, query, title })}</script>
${content}</body></html>`
}

const options = {
  types: [label, thing, drawn, filed, defaults, failing, things, labels],
  widgets: [typed, file, plain, unsafe],
  templates: new URL('./xss-templates', import.meta.url),
} as const
const pages = { publicApiProjection: ['title', 'slug', '_url', '_children'] } as const

/** The site with a layout that is a function. */
export const xssSite = defineSite({ ...options, pages, layout })
/** The same site with the other layouts that there are. */
export const xssLayouts = {
  'the default layout': defineSite({ ...options, pages }),
  'a layout file': defineSite({ ...options, pages, layout: 'layout.njk' }),
}
