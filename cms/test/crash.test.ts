import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { compileSite } from '../src/model/compile/site.ts'
import { inconsistencies } from './consistency.ts'
import { type Expected, missingOf, writeOn } from './crash-writers.ts'
import { sampledDatabases } from './databases.ts'
import { isWhole } from './sample.ts'
import { callerOf } from './service.ts'
import { SERVING_KEYS, type Serving, serve } from './serving.ts'
import { site } from './serving-site.ts'

const KILLS = isWhole ? 5 : 2
const WRITERS = 6

describe.each(sampledDatabases('crash'))('§0 every answered write survives on $name', (databases) => {
  test(`when the process is killed ${KILLS} times while it writes`, { timeout: 60_000 }, async () => {
    const database = await databases.createReady()
    const compiled = compileSite(site)
    const known: Expected = { counts: new Map(), removed: new Set() }
    let serving: Serving = await serve(database.url)
    onTestFinished(async () => {
      await serving.end('SIGKILL')
      await database.drop()
    })
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = known.counts.size
      const caller = callerOf(serving.address, SERVING_KEYS.editor, null)
      const writers = Array.from({ length: WRITERS }, (_, writer) => writeOn(caller, known, writer))
      // Not before the first answer: a loaded machine may take its time.
      for (let tries = 0; known.counts.size === before && tries < 1_000; tries += 1) await pause(5)
      await pause(80 + Math.random() * 320)
      await serving.end('SIGKILL')
      const answered = await Promise.all(writers)
      expect(answered.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(0)
      // What was begun may be there or not, but never a part of it.
      expect((await inconsistencies(database.url, compiled)).slice(0, 5)).toEqual([])
      serving = await serve(database.url)
      const after = callerOf(serving.address, SERVING_KEYS.editor, null)
      expect(await missingOf(after, known)).toEqual([])
      const found = await after.get('article', 'search=survivor&perPage=1')
      const listed = await after.get('article', 'perPage=1')
      expect(found.body.total).toBe(listed.body.total)
      expect((await after.post('article', { title: 'No lock is left' })).status).toBe(200)
      expect(
        (
          await after.delete(
            `article/${(await after.get('article', 'slug=no-lock-is-left')).body.results[0].aposDocId}`,
          )
        ).status,
      ).toBe(200)
    }
  })

  test('SIGTERM finishes the requests that run', async () => {
    const database = await databases.createReady()
    onTestFinished(() => database.drop())
    const serving = await serve(database.url)
    const caller = callerOf(serving.address, SERVING_KEYS.editor, null)
    const writes = Array.from({ length: 40 }, (_, number) => caller.post('article', { title: `Last ${number}` }))
    await Promise.race(writes)
    const code = await serving.end('SIGTERM')
    const answers = await Promise.allSettled(writes)
    expect(code).toBe(0)
    const written = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    expect(written.map(({ status }) => status).filter((status) => status !== 200)).toEqual([])
    expect((await inconsistencies(database.url, compileSite(site))).slice(0, 5)).toEqual([])
    const again = await serve(database.url)
    const list = await callerOf(again.address, SERVING_KEYS.editor, null).get('article', 'perPage=100')
    await again.end('SIGKILL')
    expect(list.body.total).toBe(written.length)
  })
})
