import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabases } from '../../test/databases.ts'
import { putOf, queries, type Write, writes } from '../../test/list-cases.ts'
import { ListModel } from '../../test/list-model.ts'
import { fuzzing, seed } from '../../test/sample.ts'
import { searchWords } from '../base/text.ts'
import { open } from './open.ts'
import type { Put, Query, Store } from './store.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }

describe.each(testDatabases)('lists on $name', ({ createReady }) => {
  let database: TestDatabase
  let stores: readonly [Store, Store]

  beforeAll(async () => {
    database = await createReady()
    stores = [await open(database.url, { log }), await open(database.url, { log })]
  })
  afterAll(async () => {
    for (const store of stores) await store.close()
    await database.drop()
  })

  const model = new ListModel()

  async function write(store: Store, batch: readonly Write[]): Promise<void> {
    const puts = new Map<string, Put | null>()
    for (const one of batch) {
      const content = one.content ?? {
        title: '',
        visibility: 'public',
        archived: false,
        minute: 0,
        section: null,
        rank: null,
        topics: [],
      }
      const { id } = putOf(one, content, null).document
      const key = `${id.docId}:${id.locale}:${id.mode}`
      const before = model.get(key)?.put ?? null
      if (!puts.has(key))
        puts.set(key, one.content === null ? null : putOf(one, one.content, before && { ...before, before: null }))
    }
    await store.transaction(async ({ documents }) => {
      for (const [key, put] of puts) {
        const before = model.get(key)
        if (put !== null) await documents.put([put])
        else if (before !== undefined) await documents.remove([before.put.document.id])
      }
    })
    for (const [key, put] of puts) {
      if (put === null) model.delete(key)
      else model.set(key, put)
    }
  }

  async function idsOf(store: Store, query: Query) {
    const { documents, total } = await store.documents.find(query)
    return { ids: documents.map(({ id }) => id.docId), total }
  }

  test('§4.1 pages and totals are right after any writes, in each process', async () => {
    // Asked again and again, so that their orders follow what is written.
    const asked = fc.sample(queries, { seed, numRuns: 120 })
    const steps = fc.record({
      writer: fc.nat(1),
      batches: fc.array(fc.array(writes, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 }),
      chosen: fc.subarray([...asked.keys()], { minLength: 10, maxLength: 25 }),
      fresh: fc.array(queries, { maxLength: 3 }),
    })
    await write(stores[0], fc.sample(writes, { seed, numRuns: 600 }))
    await fc.assert(
      fc.asyncProperty(steps, async ({ writer, batches, chosen, fresh }) => {
        for (const batch of batches) await write(stores[writer] ?? stores[0], batch)
        const revision = stores[writer]?.revision() ?? undefined
        for (const store of stores) {
          await store.catchUp(revision)
          for (const query of [...chosen.flatMap((index) => asked[index] ?? []), ...fresh])
            expect(await idsOf(store, query), JSON.stringify(query)).toEqual(model.find(query))
        }
      }),
      fuzzing(24),
    )
  })

  async function index(store: Store): Promise<void> {
    const waiting = await store.documents.unsearched(0, 1000)
    const rows = waiting.map(({ row, document: { revision, fields } }) => {
      return { row, revision, words: searchWords(String(fields.title)).join(' ') }
    })
    await store.transaction(({ documents }) => documents.putSearchWords(rows))
  }

  test('§4.1 hits and their number are right after any writes, in each process', async () => {
    const searches = fc.sample(
      fc.record({
        query: queries,
        search: fc.constantFrom(
          { words: [['b']], isPrefix: false },
          { words: [['a'], ['b']], isPrefix: false },
          { words: [['z']], isPrefix: true },
        ),
      }),
      { seed, numRuns: 15 },
    )
    for (const batch of fc.sample(fc.array(writes, { minLength: 1, maxLength: 8 }), { seed: seed + 2, numRuns: 6 })) {
      const [one, other] = stores
      await write(one, batch)
      await index(one)
      await other.catchUp(one.revision() ?? undefined)
      for (const store of stores) {
        const indexed = store.changes()?.now
        for (const { query, search } of searches) {
          const asked = {
            ...query,
            search: indexed === undefined ? search : { ...search, indexed },
            offset: 0,
            limit: 500,
          }
          const found = await idsOf(store, asked)
          const expected = model.find(asked)
          const isRanked = asked.sort.length === 0 && asked.docIds === undefined
          const inOrder = (ids: readonly string[]) => (isRanked ? ids.toSorted() : ids)
          expect(found.total, JSON.stringify(asked)).toBe(expected.total)
          expect(inOrder(found.ids), JSON.stringify(asked)).toEqual(inOrder(expected.ids))
        }
      }
    }
  })

  test('§4.1 while others write, a page is as long as its total says', async () => {
    const asked = fc.sample(queries, { seed: seed + 1, numRuns: 40 }).filter(({ docIds }) => docIds === undefined)
    let isWriting = true
    const writing = (async () => {
      for (const batch of fc.sample(fc.array(writes, { minLength: 1, maxLength: 5 }), { seed, numRuns: 25 }))
        await write(stores[1], batch)
      isWriting = false
    })()
    while (isWriting) {
      await nextTurn()
      for (const query of asked) {
        const { documents, total } = await stores[0].documents.find(query)
        expect(documents).toHaveLength(Math.max(0, Math.min(query.limit, total - query.offset)))
      }
    }
    await writing
  })
})
