import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createApp } from 'quire-cms'
import { site } from './site.ts'

/** The key of an editor, for requests. */
export const KEY = 'only-for-tests'

/** A service of the site with an empty database; both are removed at the end of the test. */
export async function testService(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'shelf-'))
  const app = await createApp(site, {
    database: join(folder, 'test.db'),
    keys: [{ key: KEY, role: 'editor', name: 'Test' }],
  })
  t.after(async () => {
    await app.close()
    await rm(folder, { recursive: true })
  })
  return { app, content: app.as({ role: 'editor', name: 'Test' }), address: await app.listen(0) }
}
