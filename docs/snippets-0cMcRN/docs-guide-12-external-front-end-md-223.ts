import { defineSite } from 'quire-cms'

export const site = defineSite({
  features: [
    {
      name: 'front',
      hooks: {
        beforeSend(data) {
          data.year = new Date().getFullYear()
        },
      },
    },
  ],
})
