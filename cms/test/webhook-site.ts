import { defineSite, page, piece } from 'quire-cms'

const note = piece('note', {
  fields: { add: { text: { type: 'string' } } },
})

/** Sends to the receiver named by the environment, which may be on this machine. */
export const site = defineSite({
  locales: { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } },
  types: [note, piece('other'), page('landing')],
  webhooks: {
    allowPrivate: true,
    receivers: [
      {
        name: 'declared',
        url: process.env.RECEIVER ?? 'http://127.0.0.1:9/',
        secret: 'a secret of the site',
        events: ['document.published'],
        types: ['note'],
      },
    ],
  },
})
