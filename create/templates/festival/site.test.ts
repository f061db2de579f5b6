import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createApp } from 'quire-cms'
import { seed, site } from './site.ts'

test('visitors find a concert, and the page of those who play there', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'festival-'))
  const app = await createApp(site, { database: join(folder, 'test.db') })
  t.after(async () => {
    await app.close()
    await rm(folder, { recursive: true })
  })
  await seed(app)
  const address = await app.listen(0)
  const read = async (path: string) => {
    const response = await fetch(address + path)
    assert.equal(response.status, 200, path)
    return response.text()
  }

  assert.match(await read('/'), /Three days by the river[\s\S]*Opening night/)
  assert.match(await read('/programme'), /href="[^"]*\/programme\?stage=courtyard"/)
  assert.match(await read('/programme?stage=courtyard'), /href="[^"]*\/programme" aria-current="true"/)
  assert.match(await read('/programme?stage=courtyard'), /Morning songs/)
  assert.doesNotMatch(await read('/programme?stage=courtyard'), /Brass at noon/)
  assert.match(await read('/programme/opening-night'), /href="[^"]*\/artists\/the-night-ferry-brass"/)
  assert.match(await read('/artists/the-night-ferry-brass'), /Seven horns/)
})
