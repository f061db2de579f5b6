import { defineSite, piece } from 'quire-cms'

const recipe = piece('recipe', {
  publicApiProjection: ['titel'],
  fields: { add: { minutes: { type: 'integer', min: 9, max: 3 }, _cooks: { type: 'relationship', withType: 'cook' } } },
})

export const site = defineSite({ types: [recipe] })
