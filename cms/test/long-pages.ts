import { createApp } from '../src/app.ts'
import { defineSite, type Feature, page } from '../src/index.ts'

const broken: Feature = {
  name: 'broken',
  hooks: {
    present: ({ title }) => {
      if (title === 'Broken') throw new Error('This page cannot be shown.')
    },
  },
}

/** Pages whose texts anonymous callers may read; one with the title "Broken" cannot be shown. */
export const longPages = defineSite({
  types: [
    page('default-page', {
      publicApiProjection: ['title', 'main', '_children', '_ancestors'],
      fields: { add: { main: { type: 'area', widgets: { '@cms/rich-text': {} } } } },
    }),
  ],
  pages: { publicApiProjection: ['title', '_children'] },
  features: [broken],
})

// Forked, this is a service in a process of its own, so that its memory can be limited. It says its address.
if (process.send && process.argv[1] === import.meta.filename) {
  const app = await createApp(longPages, { database: process.argv[2] ?? '' })
  process.on('SIGTERM', async () => {
    await app.close()
    process.exit()
  })
  process.send(await app.listen(0, '127.0.0.1'))
}
