import { setTimeout as pause } from 'node:timers/promises'
import type { App } from 'quire-cms'
import { site } from './tiny-site.ts'

export { site }

const SLOWLY_MS = 100
const TYPE = 'note'

/** Takes a while, and would fail if it ran twice. */
export async function seed(app: App): Promise<void> {
  const content = app.as({ role: 'admin', name: 'Seed' })
  for (const slug of ['one', 'two', 'three', 'four', 'five']) {
    await pause(SLOWLY_MS)
    await content.insert(TYPE, { title: slug, slug })
  }
}
