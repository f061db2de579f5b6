import { defineSite, type Feature } from 'quire-cms'

const year: Feature = {
  name: 'year',
  hooks: {
    beforeSend(data, { now }) {
      data.year = now().getFullYear()
      data.appendHead += '<meta name="generator" content="Quire">'
    },
  },
}

export const site = defineSite({ features: [year] })
