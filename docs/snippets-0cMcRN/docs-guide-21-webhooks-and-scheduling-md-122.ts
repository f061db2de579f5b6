import { defineSite, piece } from 'quire-cms'

export const site = defineSite({
  types: [piece('news', { scheduling: true, fields: { add: { text: { type: 'string', required: true } } } })],
})
