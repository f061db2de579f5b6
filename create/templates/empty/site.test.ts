import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createApp } from 'quire-cms'
import { site } from './site.ts'

test('an editor writes a note, and anybody reads it', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'my-site-'))
  const app = await createApp(site, { database: join(folder, 'test.db') })
  t.after(async () => {
    await app.close()
    await rm(folder, { recursive: true })
  })
  const address = await app.listen(0)

  await app.as({ role: 'editor', name: 'Test' }).insert('note', { title: 'Milk', text: 'Two bottles.' })

  const response = await fetch(`${address}/api/v1/note`)
  assert.equal(response.status, 200)
  const list = await response.text()
  assert.match(list, /"text":\s*"Two bottles\."/)
})
