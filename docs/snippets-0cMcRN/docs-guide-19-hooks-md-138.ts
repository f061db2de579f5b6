import { defineSite, type Feature } from 'quire-cms'

const CACHE = process.env.CACHE_URL

const purge: Feature = {
  name: 'purge',
  hooks: {
    async afterSave({ id, type }, ctx) {
      if (CACHE === undefined || id.mode !== 'published') return
      const found = await ctx.as({ kind: 'anonymous' }).findOne(type.family === 'page' ? '@cms/page' : type.name, id.docId, {
        ...(id.locale && { locale: id.locale }),
      })
      const url = found?._url
      if (typeof url !== 'string') return
      const answer = await fetch(`${CACHE}?url=${encodeURIComponent(url)}`, {
        method: 'PURGE',
        signal: AbortSignal.timeout(5_000),
      })
      if (!answer.ok) throw new Error(`The cache answered ${answer.status} for ${url}.`)
    },
  },
}

export const site = defineSite({ features: [purge] })
