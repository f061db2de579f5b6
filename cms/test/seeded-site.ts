import { setTimeout as pause } from 'node:timers/promises'
import { defineSite, piece, type SiteApp } from 'quire-cms'

const SLOWLY_MS = 100
const note = piece('note', { label: 'Note', publicApiProjection: ['title'], fields: { add: {} } })

/** A site that is seeded. */
export const site = defineSite({ name: 'Seeded', types: [note] })

/** Takes a while, and would fail if it ran twice; also where the environment says. */
export async function seed(app: SiteApp<readonly [typeof note]>): Promise<void> {
  const content = app.as({ role: 'admin', name: 'Seed' })
  for (const slug of ['one', 'two', 'three', 'four', 'five']) {
    await pause(SLOWLY_MS)
    if (slug === process.env.SEED_FAILS_AT) throw new Error('The seed fails.')
    await content.insert('note', { title: slug, slug })
  }
}
