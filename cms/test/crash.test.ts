import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { compileSite } from '../src/model/site.ts'
import { inconsistencies } from './consistency.ts'
import { testDatabases } from './databases.ts'
import { isWhole } from './sample.ts'
import { type Caller, callerOf } from './service.ts'
import { SERVING_KEYS, type Serving, serve } from './serving.ts'
import { site } from './serving-site.ts'

const KILLS = isWhole ? 5 : 2
const WRITERS = 6

/** What was answered, and therefore must be there. */
interface Known {
  /** The least `count` that the copy may have, by id and mode. */
  readonly counts: Map<string, number>
  readonly removed: Set<string>
}

/** Writes until the service is gone, and notes what was answered. Anything but success or a lost connection throws. */
async function writeOn(caller: Caller, known: Known, writer: number): Promise<number> {
  let answered = 0
  const noted = async (id: string, mode: 'draft' | 'published', count: number, answer: Promise<{ status: number }>) => {
    const { status } = await answer
    if (status !== 200) throw new Error(`A write was answered ${status}.`)
    known.counts.set(`${id}:en:${mode}`, count)
    if (mode === 'published') known.counts.set(`${id}:en:draft`, count)
    answered += 1
  }
  try {
    for (;;) {
      const title = `Survivor ${writer}`
      const made = await caller.post('article', { title, code: `w${writer}`, count: 0 })
      if (made.status !== 200) throw new Error(`A new document was answered ${made.status}.`)
      const id: string = made.body.aposDocId
      await noted(id, 'published', 0, Promise.resolve(made))
      await noted(id, 'published', 1, caller.patch(`article/${id}`, { count: 1, subtitle: 'patched' }))
      await noted(id, 'draft', 2, caller.patch(`article/${id}`, { count: 2, tags: ['red'] }, 'aposMode=draft'))
      await noted(id, 'published', 2, caller.post(`article/${id}/publish`))
      await caller.get('article', 'search=survivor&perPage=1')
      if (writer !== 0) continue
      for (const mode of ['draft', 'published']) known.counts.delete(`${id}:en:${mode}`)
      if ((await caller.delete(`article/${id}`)).status === 200) known.removed.add(id)
    }
  } catch (error) {
    // `fetch` fails with a TypeError when the connection breaks.
    if (!(error instanceof TypeError)) throw error
    return answered
  }
}

async function expectAllThere(caller: Caller, known: Known): Promise<void> {
  for (const mode of ['draft', 'published']) {
    const ids = [...known.counts.keys()].filter((id) => id.endsWith(mode))
    for (let start = 0; start < ids.length; start += 100) {
      const wanted = ids.slice(start, start + 100)
      const list = await caller.get('article', wanted.map((id) => `_ids[]=${id}`).join('&'))
      const found = new Map<string, { count: number; title: string }>(
        list.body.results.map((document: { _id: string }) => [document._id, document]),
      )
      expect(wanted.filter((id) => !found.has(id))).toEqual([])
      expect(wanted.filter((id) => (found.get(id)?.count ?? -1) < (known.counts.get(id) ?? 0))).toEqual([])
    }
  }
  for (const id of known.removed) expect((await caller.get(`article/${id}`)).status).toBe(404)
}

describe.each(testDatabases)('§0 every answered write survives on $name', (databases) => {
  test(`when the process is killed ${KILLS} times while it writes`, { timeout: 60_000 }, async () => {
    const database = await databases.create()
    const compiled = compileSite(site)
    const known: Known = { counts: new Map(), removed: new Set() }
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
      await expectAllThere(after, known)
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
    const database = await databases.create()
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
