import { defineSite, piece } from 'quire-cms'

const member = piece('member', {
  // Names are public; the address is for editors, and only admins change the note.
  publicApiProjection: ['title', 'slug'],
  fields: {
    add: {
      address: { type: 'string', viewPermission: 'editor' },
      note: { type: 'string', editPermission: 'admin' },
    },
  },
})

// Nobody below editor sees payments, and only admins may change them.
const payment = piece('payment', { viewRole: 'editor', editRole: 'admin', publishRole: 'admin' })

export const site = defineSite({ types: [member, payment] })
