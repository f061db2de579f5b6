import { defineSite, piece } from 'quire-cms'

export const site = defineSite({
  types: [piece('recipe')],
  features: [
    {
      name: 'length',
      hooks: {
        beforeVersion({ content, data }) {
          data.titleLength = String(content.title).length
        },
      },
    },
  ],
})
