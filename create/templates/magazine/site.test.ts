import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createApp } from 'quire-cms'
import { site } from './site.ts'

test('readers see an article once it is published, on its own page and in the list', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'magazine-'))
  const app = await createApp(site, { database: join(folder, 'test.db') })
  t.after(async () => {
    await app.close()
    await rm(folder, { recursive: true })
  })
  const address = await app.listen(0)
  const content = app.as({ role: 'editor', name: 'Test' }, { mode: 'draft' })
  await content.insert('articles-page', { title: 'Articles', _targetId: '_home', _position: 'lastChild' })
  const { _id } = await content.insert('article', { title: 'Ink and rain', section: 'essay', date: '2027-01-01' })
  const read = (path: string) => fetch(address + path)

  assert.equal((await read('/articles/ink-and-rain')).status, 404)
  await app.as({ role: 'editor', name: 'Test' }).publish('article', _id)
  assert.match(await (await read('/articles')).text(), /Ink and rain/)
  assert.match(await (await read('/articles/ink-and-rain')).text(), /<h1[^>]*>[\s\S]*Ink and rain/)
})
