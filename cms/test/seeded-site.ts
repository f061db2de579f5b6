import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { defineSite, importFile, piece, type SiteApp } from 'quire-cms'

const SLOWLY_MS = 100
const note = piece('note', { label: 'Note', publicApiProjection: ['title'], fields: { add: {} } })

/** A site that is seeded. */
export const site = defineSite({ name: 'Seeded', types: [note] })

/** Takes a while, and would fail if it ran twice; also where the environment says, or with a document without a title. */
export async function seed(app: SiteApp<typeof site>): Promise<void> {
  const content = app.as({ role: 'admin', name: 'Seed' })
  await importFile(app.context({ kind: 'operator' }), fileURLToPath(import.meta.url), 'Notes.txt')
  for (const slug of ['one', 'two', 'three', 'four', 'five']) {
    await pause(SLOWLY_MS)
    if (slug === process.env.SEED_FAILS_AT) throw new Error('The seed fails.')
    const isRefused = slug === process.env.SEED_IS_REFUSED_AT
    await content.insert('note', { title: slug, slug, ...(isRefused && { visibility: 'nobody' as 'public' }) })
  }
}
