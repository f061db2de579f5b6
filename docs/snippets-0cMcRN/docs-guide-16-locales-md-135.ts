import { defineSite, html, page, piece, templatesFor, withTemplates } from 'quire-cms'

const declared = defineSite({
  locales: {
    en: { label: 'English' },
    de: { label: 'Deutsch', prefix: '/de', fallback: 'en' },
    'de-at': { label: 'Deutsch (Österreich)', prefix: '/at', fallback: 'de' },
  },
  // The path of a page that is missing shows the English one.
  pages: { fallback: true },
  global: { fields: { add: { footer: { type: 'string' } } } },
  types: [
    piece('author', {}),
    page('story', { fields: { add: { _author: { type: 'relationship', withType: 'author', max: 1 } } } }),
  ],
})

const story = templatesFor<typeof declared>().page('story', {
  render: ({ page, global }, scene) => html`<h1>${page.title}</h1>
    ${page._author.map((author) => html`<p${scene.lang(author)}>${author.title}</p>`)}
    <footer${scene.lang(global, 'footer')}>${global.footer}</footer>`,
})

export const site = withTemplates(declared, [story])
