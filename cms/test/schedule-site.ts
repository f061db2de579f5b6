import { defineSite, page, piece } from 'quire-cms'

/** Types whose drafts have times at which they are published and archived by themselves. */
export const site = defineSite({
  locales: { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } },
  types: [
    piece('news', {
      scheduling: true,
      fields: { add: { text: { type: 'string', required: true, if: { visibility: 'public' } } } },
    }),
    piece('plain'),
    piece('guarded', { scheduling: true, publishRole: 'admin' }),
    page('landing', { scheduling: true }),
  ],
})
