import { defineSite, piece } from 'quire-cms'

export const site = defineSite({
  types: [piece('article')],
  webhooks: {
    receivers: [
      {
        name: 'search',
        url: 'https://search.example/quire',
        secret: process.env.SEARCH_SECRET ?? 'only for development',
        events: ['document.published', 'document.unpublished', 'document.archived', 'document.removed'],
        types: ['article'],
      },
    ],
  },
})
