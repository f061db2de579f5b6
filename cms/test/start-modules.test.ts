import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createApp } from '../src/app.ts'
import { refreshSearch } from '../src/engine/lists/search-index.ts'
import { DOORS, START_PACKAGE_FILES, START_PACKAGES } from './doors.ts'
import { serveTiny } from './serving.ts'
import { site } from './tiny-site.ts'

/** What a process loads until it has answered its first request, on a database in which nothing is left to do. */
async function loadedAtStart(): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-start-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const database = `sqlite:${join(folder, 'content.db')}`
  const app = await createApp(site, { database, uploads: join(folder, 'uploads') })
  await refreshSearch(app.context({ kind: 'operator' }))
  await app.close()
  const modules = join(folder, 'modules')
  const noting = new URL('./note-modules.ts', import.meta.url).href
  const service = await serveTiny(database, { NODE_OPTIONS: `--import=${noting}`, MODULES_FILE: modules })
  onTestFinished(async () => void (await service.end('SIGKILL')))
  expect(await fetch(`${service.address}/api/v1/note`)).toMatchObject({ status: 200 })
  await expect.poll(() => readFile(modules, 'utf8')).toContain('\nanswered\n')
  return [...new Set((await readFile(modules, 'utf8')).split('\n'))]
}

test('a start and the first answer open no door, and load these packages and no others', async () => {
  const loaded = await loadedAtStart()
  const inPackages = loaded.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? [])
  expect([...new Set(inPackages)].toSorted()).toEqual(START_PACKAGES)
  expect(inPackages.length).toBeLessThanOrEqual(START_PACKAGE_FILES)
  expect(loaded).not.toContain('node:undici')
  expect(DOORS.filter(({ module }) => loaded.some((url) => url.endsWith(`/cms/src/${module}`)))).toEqual([])
})
