import { defineSite, piece } from 'quire-cms'

const recipe = piece('recipe', {
  icon: 'spoon',
  description: 'How to cook one dish.',
  fields: {
    add: {
      minutes: { type: 'integer', min: 1, placeholder: '30', help: 'From the first cut to the table.' },
      source: { type: 'url', placeholder: 'https://' },
    },
    group: {
      basics: { label: 'Basics', fields: ['title', 'minutes'] },
      origin: { label: 'Where it comes from', fields: ['source'] },
    },
  },
})

export const site = defineSite({ types: [recipe] })
