import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { compileSite } from '../src/model/compile/site.ts'
import { quire } from './command.ts'
import { inconsistencies, rowsOf } from './consistency.ts'
import { CrashedSearch } from './crashed-search.ts'
import { sampledDatabases } from './databases.ts'
import { isWhole } from './sample.ts'
import { callerOf } from './service.ts'
import { SERVING_KEYS, type Serving, serve } from './serving.ts'
import { site } from './serving-site.ts'

const KILLS = isWhole ? 12 : 2

describe.each(sampledDatabases('search after a crash'))('§4.1 search on $name', (databases) => {
  test(`finds each document once after ${KILLS} kills of one process, or both, while it indexes`, {
    timeout: 300_000,
  }, async () => {
    const database = await databases.createReady()
    const compiled = compileSite(site)
    const all: (Serving | null)[] = [null, null]
    onTestFinished(async () => {
      for (const serving of all) await serving?.end('SIGKILL')
      await database.drop()
    })
    const searched = new CrashedSearch(database.url, compiled)
    for (let kill = 0; kill < KILLS; kill += 1) {
      const isDown = all.every((one) => one === null)
      if (isDown && kill % 2 === 0) await rowsOf(database.url, ['update documents set search_stale = 1'])
      for (const [index, one] of all.entries()) all[index] = one ?? (await serve(database.url))
      const callers = all.flatMap((one) => (one ? [callerOf(one.address, SERVING_KEYS.editor, null)] : []))
      expect(await searched.mistakes(callers)).toEqual([])
      const stopWriting = searched.write(callers)
      await pause(60 + Math.random() * 500)
      // Half of the times while the index catches up, after the writes.
      if (Math.random() < 0.5) {
        await stopWriting()
        await pause(200 + Math.random() * 300)
      }
      const killed = [[0], [1], [0, 1], [0, 1]][kill % 4] ?? []
      await Promise.all(killed.map((index) => all[index]?.end('SIGKILL')))
      for (const index of killed) all[index] = null
      await stopWriting()
      // A server finishes what it was sent before it notices that the sender is gone.
      if (databases.name === 'PostgreSQL') await untilIdle(database.url)
      expect((await inconsistencies(database.url, compiled)).slice(0, 5)).toEqual([])
      expect(await searched.lost()).toEqual([])
      const left = all.flatMap((one) => (one ? [callerOf(one.address, SERVING_KEYS.editor, null)] : []))
      expect(await searched.mistakes(left)).toEqual([])
    }
    for (const serving of all) await serving?.end('SIGTERM')
    all.fill(null)
    const environment = { QUIRE_DATABASE: database.url }
    const doctor = await quire(tmpdir(), ['doctor'], environment)
    expect(doctor.out).not.toMatch(/^fail/m)
    expect((await searched.indexMistakes()).slice(0, 5)).toEqual([])
  })
})

async function untilIdle(databaseUrl: string): Promise<void> {
  const others = 'datname = current_database() and pid <> pg_backend_pid()'
  const busy = `select count(*) as count from pg_stat_activity where ${others} and state <> 'idle'`
  await pause(100)
  await expect.poll(async () => (await rowsOf(databaseUrl, [busy]))[0]?.[0]?.count).toBe('0')
}
