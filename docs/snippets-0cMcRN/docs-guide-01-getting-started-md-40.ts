// site.ts
import { defineSite, piece } from 'quire-cms'

const note = piece('note', {
  label: 'Note',
  publicApiProjection: ['title', 'slug', 'text', '_url'],
  fields: { add: { text: { type: 'string', textarea: true, max: 2000 } } },
})

const recipe = piece('recipe', {
  label: 'Recipe',
  // Properties that anybody may read. Everything else needs a key or a user.
  publicApiProjection: ['title', 'slug', 'minutes', 'steps'],
  fields: {
    add: {
      minutes: { type: 'integer', min: 1 },
      steps: { type: 'array', fields: { add: { text: { type: 'string', required: true } } } },
    },
  },
})

export const site = defineSite({ name: 'Kitchen', types: [note, recipe] })
