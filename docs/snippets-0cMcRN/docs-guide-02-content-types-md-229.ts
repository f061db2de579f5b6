import { defineSite, type Feature, piece } from 'quire-cms'

const mirror: Feature = {
  name: 'mirror',
  hooks: {
    afterSave: {
      wait: true,
      async run({ reason, id }, ctx) {
        ctx.log.info({ reason, id }, 'Mirrored before the answer was sent.')
      },
    },
  },
}

const article = piece('article', {
  hooks: { afterSave: { wait: true, run: (document) => console.log(document.title) } },
})

export const site = defineSite({ types: [article], features: [mirror] })
