import { defineSite, page, piece, widget } from 'quire-cms'

/** A site with two public types and one that is not, an area, an array, and pages. */
export const site = defineSite({
  name: 'Client',
  strict: true,
  locales: { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } },
  types: [
    piece('article', {
      publicApiProjection: ['title', 'slug', '_url', 'section', 'body', '_topics'],
      sort: { title: 1 },
      fields: {
        add: {
          subtitle: { type: 'string', max: 60 },
          section: { type: 'select', choices: ['report', 'essay'], def: 'report' },
          minutes: { type: 'integer', min: 1 },
          body: { type: 'area', widgets: { quote: {}, '@cms/rich-text': {} } },
          links: {
            type: 'array',
            titleField: 'label',
            fields: { add: { label: { type: 'string', required: true }, to: { type: 'url' } } },
          },
          _topics: { type: 'relationship', withType: 'topic' },
        },
      },
    }),
    piece('topic', {
      publicApiProjection: ['title', 'slug'],
      fields: { add: { note: { type: 'string' } } },
    }),
    piece('memo', { fields: { add: { words: { type: 'string' } } } }),
    page('landing', { fields: { add: { lead: { type: 'string' } } } }),
  ],
  widgets: [widget('quote', { fields: { add: { words: { type: 'string', required: true } } } })],
  pages: { publicApiProjection: ['title', 'slug', '_url'] },
})
