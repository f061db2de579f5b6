import { defineSite, page, piece } from 'quire-cms'

/** The site of the databases that earlier programs have made. */
export const site = defineSite({
  name: 'Released',
  locales: { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } },
  types: [
    piece('topic', { publicApiProjection: ['title', 'slug'], fields: { add: {} } }),
    piece('article', {
      publicApiProjection: ['title', 'slug', 'price', 'day', 'kind', 'body', 'points', '_topics'],
      fields: {
        add: {
          price: { type: 'float' },
          day: { type: 'date' },
          kind: {
            type: 'select',
            choices: [
              { value: 'news', label: 'News' },
              { value: 'essay', label: 'Essay' },
            ],
          },
          secret: { type: 'string', viewPermission: 'editor' },
          body: { type: 'area', widgets: { '@cms/rich-text': {} } },
          points: { type: 'array', fields: { add: { text: { type: 'string' } } } },
          _topics: { type: 'relationship', withType: 'topic' },
        },
      },
    }),
    page('default', { publicApiProjection: ['title', 'slug'], fields: { add: { intro: { type: 'string' } } } }),
  ],
})
