import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { putOf, queries, type Write, writes } from '../../../test/list-cases.ts'
import { ListModel } from '../../../test/list-model.ts'
import { fuzzing, seed } from '../../../test/sample.ts'
import { type StoreDatabase, storeDatabases } from '../../../test/store-databases.ts'
import { searchWords } from '../../base/text.ts'
import { openValues } from '../../model/terms/document.ts'
import type { Store } from '../contract/store.ts'
import { open } from '../open-store.ts'
import type { Condition, Query, Scope } from '../terms/document-query.ts'
import type { Put } from '../terms/document-writes.ts'
import { type DocumentWords, type SearchQuery, unindexedMatches } from '../terms/search-query.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }

describe.each(storeDatabases)('lists on $title', ({ createReady, isTold }) => {
  let database: StoreDatabase
  let stores: readonly [Store, Store]

  beforeAll(async () => {
    database = await createReady()
    stores = [
      await open(database.url, { log, listenAt: database.listenAt }),
      await open(database.url, { log, listenAt: database.listenAt }),
    ]
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

  // In full, hundreds of rounds take a minute where the machine is slow.
  test('§4.1 pages and totals are right after any writes, in each process', { timeout: 180_000 }, async () => {
    // Asked again and again, so that their orders follow what is written.
    const sampled = fc.sample(queries, { seed, numRuns: 120 })
    const steps = fc.record({
      writer: fc.nat(1),
      batches: fc.array(fc.array(writes, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 }),
      chosen: fc.subarray([...sampled.keys()], { minLength: 10, maxLength: 25 }),
      fresh: fc.array(queries, { maxLength: 3 }),
    })
    await write(stores[0], fc.sample(writes, { seed, numRuns: 600 }))
    await fc.assert(
      fc.asyncProperty(steps, async ({ writer, batches, chosen, fresh }) => {
        for (const batch of batches) await write(stores[writer] ?? stores[0], batch)
        const revision = stores[writer]?.revision() ?? undefined
        for (const store of stores) {
          await store.catchUp(revision)
          for (const query of [...chosen.flatMap((index) => sampled[index] ?? []), ...fresh])
            expect(await idsOf(store, query), JSON.stringify(query)).toEqual(model.find(query))
        }
      }),
      fuzzing(24),
    )
  })

  const wordsOf = (title: unknown) => searchWords(String(title)).join(' ')

  async function index(store: Store): Promise<void> {
    const waiting = await store.documents.unsearched(0, 1000)
    const rows = waiting.map(({ row, titleChanges, document }) => {
      return { row, titleChanges, revision: document.revision, words: wordsOf(openValues(document).title) }
    })
    await store.transaction(({ documents }) => documents.putSearchWords(rows))
  }

  /** The words of documents as they are now. */
  async function recentWords(store: Store, scope: Scope, rows: readonly number[]) {
    const stored = await store.documents.numbered(rows, 0, 1000)
    const documents = stored.filter(({ document: { type, id } }) => {
      return type === scope.type && id.locale === scope.locale && id.mode === scope.mode
    })
    return new Map(
      documents.map(({ row, document }): [number, DocumentWords] => {
        const { archived, visibility, title } = openValues(document)
        const isPublic = visibility !== 'loginRequired'
        const words = ` ${wordsOf(title)} `
        return [row, { isArchived: archived === true, visibility: isPublic ? 'public' : 'loginRequired', words }]
      }),
    )
  }

  /** The search as the engine asks it, when the index holds all up to a commit. */
  async function fresh(store: Store, query: Query, search: SearchQuery, indexed: number): Promise<Query> {
    const rows = store.changes()?.rowsSince(query, indexed)
    if (!rows) throw new Error('It is not known what was changed.')
    const of = (scope: Scope, rows: readonly number[]) => recentWords(store, scope, rows)
    // Now they are followed, now read again.
    const unread = async (_scope: Scope, rows: readonly number[]) => (indexed % 2 === 0 ? 0 : rows.length)
    const unindexed = unindexedMatches(await of(query, rows), rows, search)
    return { ...query, search: { ...search, unindexed, recent: { indexed, of, unread } }, offset: 0, limit: 500 }
  }

  const search = fc.constantFrom<SearchQuery>(
    { words: [['b']], isPrefix: false },
    { words: [['a'], ['b']], isPrefix: false },
    { words: [['x', 'a']], isPrefix: false },
    { words: [['z']], isPrefix: true },
    { words: [['apfel', 'b']], isPrefix: true },
    { words: [['a']], isPrefix: true },
  )
  /** Mostly those that have a way of their own: by relevance, without conditions. */
  const searches = fc.record({
    query: fc.tuple(queries, fc.nat(3)).map(([{ docIds, ...query }, which]): Query => {
      if (which > 0) return { ...query, conditions: [], sort: [] }
      return docIds === undefined ? query : { ...query, docIds }
    }),
    search,
  })

  const searchSteps = fc.record({
    batches: fc.array(fc.array(writes, { minLength: 1, maxLength: 8 }), { maxLength: 3 }),
    writer: fc.nat(1),
    indexer: fc.nat(4),
    fresh: fc.array(searches, { minLength: 4, maxLength: 8 }),
  })

  // Where nobody tells what was changed, searches wait for the index.
  test.runIf(isTold)(
    '§4.1 hits and their number are right after any writes, in each process, whatever is indexed',
    async () => {
      // Asked again and again, so that they follow what is written.
      const sampled = fc.sample(searches, { seed, numRuns: 15 })
      const indexed = new Map<Store, number>()
      const indexBy = async (store: Store) => {
        const now = store.changes()?.now ?? 0
        await index(store)
        indexed.set(store, now)
      }
      await write(stores[0], fc.sample(writes, { seed: seed + 3, numRuns: 300 }))
      for (const store of stores) await indexBy(store)
      for (const { batches, writer, indexer, fresh: once } of fc.sample(searchSteps, { seed: seed + 2, numRuns: 9 })) {
        for (const batch of batches) await write(stores[writer] ?? stores[0], batch)
        const revision = stores[writer]?.revision() ?? undefined
        for (const store of stores) await store.catchUp(revision)
        const chosen = stores[indexer]
        if (chosen) await indexBy(chosen)
        for (const store of stores) {
          for (const { query, search } of [...sampled, ...once]) {
            const question = await fresh(store, query, search, indexed.get(store) ?? 0)
            const expected = model.find(question)
            // Where no document is read, nothing tells that a hit is none.
            expect(await idsOf(store, { ...question, limit: 0 })).toEqual({ ids: [], total: expected.total })
            const found = await idsOf(store, question)
            const isRanked = question.sort.length === 0 && question.docIds === undefined
            const inOrder = (ids: readonly string[]) => (isRanked ? ids.toSorted() : ids)
            expect(found.total, JSON.stringify(question)).toBe(expected.total)
            expect(inOrder(found.ids), JSON.stringify(question)).toEqual(inOrder(expected.ids))
          }
        }
      }
    },
  )

  test('§4.1 while others write, a page is as long as its total says', async () => {
    const sampled = fc.sample(queries, { seed: seed + 1, numRuns: 40 }).filter(({ docIds }) => docIds === undefined)
    let isWriting = true
    const writing = (async () => {
      for (const batch of fc.sample(fc.array(writes, { minLength: 1, maxLength: 5 }), { seed, numRuns: 25 }))
        await write(stores[1], batch)
      isWriting = false
    })()
    while (isWriting) {
      await nextTurn()
      for (const query of sampled) {
        const { documents, total } = await stores[0].documents.find(query)
        expect(documents).toHaveLength(Math.max(0, Math.min(query.limit, total - query.offset)))
      }
    }
    await writing
  })

  test('§4.1 an order of more documents than have cached keys follows what is written anywhere in it', async () => {
    const many = fc.record({
      id: fc.integer({ min: 1000, max: 1600 }),
      word: fc.constantFrom('a', 'Äpfel', 'zebra', '\ue000', '\u{1f600}'),
      number: fc.nat(99),
      minute: fc.nat(600),
    })
    const toWrite = ({ id, word, number, minute }: typeof many extends fc.Arbitrary<infer Value> ? Value : never) => ({
      ...{ type: 'article' as const, id, locale: 'de', mode: 'published' as const },
      content: {
        ...{ title: `${word} ${number}`, visibility: 'public' as const, archived: false, minute },
        ...{ section: null, rank: null, topics: [] },
      },
    })
    const view = { type: 'article', locale: 'de', mode: 'published', archived: false, visibility: null } as const
    const orders = (['title', 'slug', 'createdAt', 'updatedAt'] as const).flatMap((column) =>
      ([1, -1] as const).map((direction): Query => {
        const sort = [{ by: 'column' as const, column, direction }]
        return { ...view, conditions: [], sort, offset: 0, limit: 3000 }
      }),
    )
    await write(stores[0], fc.sample(many, { seed, numRuns: 800 }).map(toWrite))
    for (let round = 0; round < 4; round += 1) {
      const batch = fc.sample(many, { seed: seed + round, numRuns: 1 + 4 * round }).map(toWrite)
      await write(stores[round % 2] ?? stores[0], batch)
      for (const store of stores) {
        await store.catchUp(stores[round % 2]?.revision() ?? undefined)
        for (const query of orders) expect(await idsOf(store, query), JSON.stringify(query)).toEqual(model.find(query))
      }
    }
  })

  test('§4.1 the values of a long list are looked through only where another condition names some of them', async () => {
    const scope = { type: 'article', locale: 'es', mode: 'published' } as const
    const content = { title: 'a', visibility: 'public', archived: false, minute: 0, section: null, topics: [] }
    const puts = Array.from({ length: 20_001 }, (_, id) =>
      putOf({ ...scope, id, content: null }, { ...content, rank: id < 5 ? 1 : null } as never, null),
    )
    await stores[0].transaction(async ({ documents }) => {
      for (let at = 1; at < puts.length; at += 500) await documents.put(puts.slice(at, at + 500))
    })
    const part: Condition = { kind: 'columnText', column: 'title', is: 'part', text: 'a' }
    const total = async (...conditions: Condition[]) => {
      const view = { ...scope, archived: false, visibility: null }
      return (await stores[0].documents.page({ ...view, conditions, sort: [], offset: 0, limit: 1 }, () => 1)).total
    }
    expect(await total(part)).toBe(20_000)
    await stores[0].transaction(({ documents }) => documents.put(puts.slice(0, 1)))
    const refused = expect.objectContaining({ name: 'invalid' })
    const inSlug: Condition = { ...part, column: 'slug' }
    for (const condition of [inSlug, { kind: 'not', of: part }, { kind: 'any', of: [part] }] satisfies Condition[]) {
      await expect(total(condition)).rejects.toEqual(refused)
    }
    expect(await total(part, { kind: 'equals', name: 'rank', anyOf: [1] })).toBe(5)
    expect(await total({ ...part, is: 'beginning' })).toBe(20_001)
  })
})
