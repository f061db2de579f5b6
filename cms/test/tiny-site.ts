import { defineSite, piece } from 'quire-cms'

/** A site of one type, for what is the same on every site. */
export const site = defineSite({
  name: 'Tiny',
  types: [piece('note', { label: 'Note', publicApiProjection: ['title'], fields: { add: {} } })],
})
