import { defineSite, page, piece } from 'quire-cms'

/** How often saves of the type `shaky` still fail, as when something outside is away. */
export const shaky = { failures: 0 }

/** Types whose drafts have times at which they are published and archived by themselves. */
export const site = defineSite({
  locales: { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } },
  types: [
    piece('news', {
      scheduling: true,
      fields: { add: { text: { type: 'string', required: true, if: { visibility: 'public' } } } },
    }),
    piece('plain'),
    piece('shaky', {
      scheduling: true,
      hooks: {
        beforeSave: (_fields, { reason }) => {
          if (reason !== 'published' || shaky.failures === 0) return
          shaky.failures -= 1
          throw new Error('The service outside is away.')
        },
      },
    }),
    piece('guarded', { scheduling: true, publishRole: 'admin' }),
    page('landing', { scheduling: true }),
  ],
})
