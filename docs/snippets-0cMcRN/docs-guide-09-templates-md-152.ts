import { defineSite, findPieces, html, page, piece, type Shown, templatesFor, widget, withTemplates } from 'quire-cms'

const author = piece('author', { fields: { add: { town: { type: 'string' } } } })
const article = piece('article', {
  fields: {
    add: {
      section: { type: 'select', choices: ['report', 'essay'] },
      body: { type: 'area', widgets: { '@cms/rich-text': {}, quote: {} } },
      _authors: { type: 'relationship', withType: 'author' },
    },
  },
})
const quote = widget('quote', { fields: { add: { words: { type: 'string' } } } })

/** What there is. */
export const model = defineSite({
  types: [author, article, page('articles', { piecesType: 'article' })],
  widgets: [quote],
  global: { fields: { add: { motto: { type: 'string' } } } },
})

const templates = templatesFor<typeof model>()

const articleIndex = templates.index('articles', {
  render: ({ page, pieces }) => html`<h1>${page.title}</h1>${pieces.map(teaser)}`,
})

const articleShow = templates.show('articles', {
  data: (ctx) => findPieces(ctx, 'article', { section: 'essay', perPage: 3 }),
  render: ({ piece }, { area, data }) => html`<h1>${piece.title}</h1>
    ${area(piece.body)}
    <p>${piece.body.items.filter((item) => item.type === 'quote').map((item) => item.words)}</p>
    ${data.results.map(teaser)}`,
})

const layout = templates.layout((content, { home, global }) => html`<!doctype html>
  <title>${global.motto}</title>
  <nav>${home?._children.map(({ _url, title }) => html`<a href="${_url}">${title}</a>`)}</nav>
  ${content}`)

/** A function that templates share names the type that it takes. */
function teaser({ _url, title, _authors }: Shown<typeof model, 'article'>) {
  return html`<p><a href="${_url}">${title}</a> ${_authors.map(({ town }) => town)}</p>`
}

export const site = withTemplates(model, [articleIndex, articleShow, layout])
