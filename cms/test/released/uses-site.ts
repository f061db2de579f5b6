import { defineSite, piece } from 'quire-cms'

/** The site of `0024.db.gz`, whose index names no documents in texts, nor below the top level of their fields. */
export const usesSite = defineSite({
  name: 'Uses',
  locales: { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } },
  types: [
    piece('topic'),
    piece('note', {
      scheduling: true,
      fields: {
        add: {
          _topics: { type: 'relationship', withType: 'topic' },
          _images: { type: 'relationship', withType: '@cms/image' },
          rows: { type: 'array', fields: { add: { _topics: { type: 'relationship', withType: 'topic' } } } },
          text: { type: 'richText', toolbar: ['link'] },
          file: { type: 'attachment' },
        },
      },
    }),
  ],
})
