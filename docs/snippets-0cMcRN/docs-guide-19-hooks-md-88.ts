import { defineSite, invalid, piece } from 'quire-cms'

const event = piece('event', {
  fields: { add: { begins: { type: 'date' }, ends: { type: 'date' } } },
  hooks: {
    beforeSave({ begins, ends }) {
      if (begins && ends && ends < begins) throw invalid('An event ends after it begins.')
    },
  },
})

export const site = defineSite({ types: [event] })
