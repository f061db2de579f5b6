import { defineSite, html, page, piece } from 'quire-cms'

const article = piece('article', {
  fields: {
    add: {
      section: { type: 'select', choices: [{ value: 'news', label: 'News' }, { value: 'essay', label: 'Essay' }] },
      year: { type: 'integer' },
      body: { type: 'area', widgets: { '@cms/rich-text': {} } },
    },
  },
  sort: { createdAt: -1 },
})

const articles = page('articles', {
  piecesType: 'article',
  piecesFilters: ['section', { name: 'year', counts: true }],
  perPage: 12,
  index: {
    render: ({ page, pieces = [], filters = [], clearUrl }) => html`
      <h1>${page.title}</h1>
      ${filters.map(
        ({ label, choices }) => html`<p>${label}: ${choices.map(
          ({ label, count, active, _url }) => html`
            <a href="${_url}"${active && html` aria-current="true"`}>${label}${count !== undefined && html` (${count})`}</a>`,
        )}</p>`,
      )}
      ${clearUrl && html`<a href="${clearUrl}">All articles</a>`}
      <ul>${pieces.map(({ title, _url }) => html`<li><a href="${_url}">${title}</a></li>`)}</ul>`,
  },
  show: {
    render: ({ piece, previous, next }) => html`
      <h1>${piece?.title}</h1>
      ${previous && html`<a href="${previous._url}" rel="prev">${previous.title}</a>`}
      ${next && html`<a href="${next._url}" rel="next">${next.title}</a>`}`,
  },
})

export const site = defineSite({ types: [article, articles] })
