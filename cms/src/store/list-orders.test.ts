import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabases } from '../../test/databases.ts'
import { fuzzing, seed } from '../../test/sample.ts'
import { foldText, searchWords } from '../base/text.ts'
import type { Document } from '../model/document.ts'
import { open } from './open.ts'
import { titleKey } from './rows.ts'
import type { Condition, IndexRow, Put, Query, Sort, Store, View } from './store.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }

/** A stored copy, with what the model of this test needs to know. */
interface Copy {
  readonly row: number
  readonly put: Put
}

const TOPICS = ['t1', 't2', 't3']
const WORDS = ['', 'a', 'B', 'b', 'Äpfel', 'zebra', '\ue000', '\u{1f600}', 'a b']
const LOCALES = ['en', 'fr']
const MODES = ['draft', 'published'] as const
const VISIBILITIES = ['public', 'loginRequired'] as const

const contents = fc.record({
  title: fc.constantFrom(...WORDS),
  visibility: fc.constantFrom(...VISIBILITIES),
  archived: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
  minute: fc.integer({ min: 0, max: 30 }),
  section: fc.option(fc.constantFrom('news', 'essay')),
  rank: fc.option(fc.constantFrom(-1.5, 0, 0.1 + 0.2, 12)),
  topics: fc.subarray(TOPICS),
})
const writes = fc.record({
  type: fc.oneof({ weight: 9, arbitrary: fc.constant('article') }, fc.constant('topic')),
  id: fc.integer({ min: 1, max: 150 }),
  locale: fc.constantFrom(...LOCALES),
  mode: fc.constantFrom(...MODES),
  content: fc.option(contents, { freq: 8 }),
})
type Write = typeof writes extends fc.Arbitrary<infer Value> ? Value : never

const views = fc.record<View>({
  type: fc.constant('article'),
  locale: fc.constantFrom(...LOCALES),
  mode: fc.constantFrom(...MODES),
  archived: fc.oneof(
    { weight: 4, arbitrary: fc.constant<boolean | 'any'>(false) },
    fc.constantFrom(true, 'any' as const),
  ),
  visibility: fc.constantFrom(null, 'public' as const),
})
const target = fc.record<View>({
  type: fc.constant('topic'),
  locale: fc.constant('en'),
  mode: fc.constant('published'),
  archived: fc.constant(false),
  visibility: fc.constantFrom(null, 'public' as const),
})
const topicIds = fc.subarray([...TOPICS, 'missing'], { minLength: 1 })
const conditions: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    kind: fc.constant('equals' as const),
    name: fc.constant('section'),
    anyOf: fc.subarray(['news', 'essay', 'none']),
  }),
  fc.record({
    kind: fc.constant('equals' as const),
    name: fc.constant('rank'),
    anyOf: fc.subarray([0, 12, 99], { minLength: 1 }),
  }),
  fc.record({
    kind: fc.constant('range' as const),
    name: fc.constant('rank'),
    min: fc.constantFrom(-2, 0),
    max: fc.constantFrom(1, 20),
  }),
  fc.record({
    kind: fc.constant('column' as const),
    column: fc.constant('title' as const),
    anyOf: fc.subarray(['b', 'äpfel', 'x']),
  }),
  fc.record({
    kind: fc.constant('column' as const),
    column: fc.constant('slug' as const),
    anyOf: fc.subarray(['slug-1', 'Slug-2', 'slug-3']),
  }),
  fc.record({
    kind: fc.constant('columnRange' as const),
    column: fc.constant('updatedAt' as const),
    min: fc.constantFrom(timeOf(5), timeOf(12)),
  }),
  fc.record({ kind: fc.constant('visibility' as const), anyOf: fc.subarray([...VISIBILITIES]) }),
  fc.record({
    kind: fc.constant('related' as const),
    name: fc.constant('_topics'),
    target,
    by: fc.constant('id' as const),
    anyOf: topicIds,
    orNone: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('related' as const),
    name: fc.constant('_topics'),
    target,
    by: fc.constant('slug' as const),
    anyOf: fc.subarray(['slug-t1', 'slug-t2']),
  }),
  fc.record({
    kind: fc.constant('relatedToAll' as const),
    name: fc.constant('_topics'),
    target,
    by: fc.constant('id' as const),
    allOf: topicIds,
  }),
  fc.record({ kind: fc.constant('unrelated' as const), name: fc.constant('_topics'), target }),
)
const sorts: fc.Arbitrary<Sort> = fc.oneof(
  fc.record({
    by: fc.constant('column' as const),
    column: fc.constantFrom('updatedAt' as const, 'createdAt' as const, 'title' as const, 'slug' as const),
    direction: fc.constantFrom(1 as const, -1 as const),
  }),
  fc.record({
    by: fc.constant('field' as const),
    name: fc.constant('section'),
    value: fc.constant('text' as const),
    direction: fc.constantFrom(1 as const, -1 as const),
  }),
  fc.record({
    by: fc.constant('field' as const),
    name: fc.constant('rank'),
    value: fc.constant('number' as const),
    direction: fc.constantFrom(1 as const, -1 as const),
  }),
)
const queries = fc
  .tuple(
    views,
    fc.record({
      conditions: fc.array(conditions, { maxLength: 2 }),
      sort: fc.array(sorts, { maxLength: 2 }),
      offset: fc.constantFrom(0, 0, 3, 20, 1000),
      limit: fc.constantFrom(1, 10, 500),
      docIds: fc.option(fc.constant(['article-3', 'article-1', 'missing', 'article-2', 'article-3']), { freq: 8 }),
    }),
  )
  .map(([view, { docIds, ...rest }]): Query => ({ ...view, ...rest, ...(docIds === null ? {} : { docIds }) }))

function timeOf(minute: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
}

/** What is stored, and what lists must hold: told by a walk through all of it. */
class Model {
  readonly #copies = new Map<string, Copy>()
  #rows = 0

  get(key: string): Copy | undefined {
    return this.#copies.get(key)
  }

  set(key: string, put: Put): void {
    this.#rows += 1
    this.#copies.set(key, { row: this.#copies.get(key)?.row ?? this.#rows, put })
  }

  delete(key: string): void {
    this.#copies.delete(key)
  }

  find(query: Query): { readonly ids: readonly string[]; readonly total: number } {
    const found = [...this.#copies.values()].filter(({ put }) => this.#isIn(query, put))
    const ids = query.docIds !== undefined && query.sort.length === 0 ? query.docIds : null
    const order = [...new Set(ids ?? [])]
    const place = ({ put }: Copy) => order.indexOf(put.document.id.docId)
    found.sort((one, other) => (ids === null ? compare(query.sort, one, other) : place(one) - place(other)))
    const page = found.slice(query.offset, query.offset + query.limit)
    return { ids: page.map(({ put }) => put.document.id.docId), total: found.length }
  }

  #isIn(query: Query, put: Put): boolean {
    const { document } = put
    const { docId } = document.id
    if (query.docIds?.includes(docId) === false) return false
    const { words = [], isPrefix = false } = query.search ?? {}
    const inTitle = searchWords(String(document.fields.title))
    const isHit = ([form = '']: readonly string[]) =>
      inTitle.some((word) => word === form || (isPrefix && word.startsWith(form)))
    if (!words.every(isHit)) return false
    return isShown(query, document) && query.conditions.every((condition) => this.#holds(condition, put))
  }

  #holds(condition: Condition, { document, indexRows }: Put): boolean {
    const values = (name: string) => indexRows.filter((row) => row.name === name)
    switch (condition.kind) {
      case 'equals':
        return values(condition.name).some(({ text, number }) =>
          condition.anyOf.includes(text ?? number ?? 'none at all'),
        )
      case 'range':
        return values(condition.name).some(({ number }) => {
          return number !== null && number >= Number(condition.min) && number <= Number(condition.max)
        })
      case 'column': {
        const value = foldText(String(document.fields[condition.column]))
        return condition.anyOf.some((text) => foldText(text) === value)
      }
      case 'columnRange':
        return document.updatedAt >= (condition.min ?? '')
      case 'visibility':
        return condition.anyOf.some((visibility) => visibility === document.fields.visibility)
      case 'related': {
        const targets = this.#targets(condition.target, indexRows)
        const named = targets.some(({ id, fields }) => {
          const name = condition.by === 'id' ? id.docId : String(fields.slug)
          return condition.anyOf.includes(name)
        })
        return named || (condition.orNone === true && targets.length === 0)
      }
      case 'relatedToAll': {
        const ids = this.#targets(condition.target, indexRows).map(({ id }) => id.docId)
        return condition.allOf.every((id) => ids.includes(id))
      }
      case 'unrelated':
        return this.#targets(condition.target, indexRows).length === 0
      case 'never':
        return false
    }
  }

  #targets(view: View, indexRows: readonly IndexRow[]): Document[] {
    const ids = indexRows.filter(({ name }) => name === '_topics').map(({ text }) => text)
    const all = [...this.#copies.values()].map(({ put }) => put.document)
    return all.filter((document) => ids.includes(document.id.docId) && isShown(view, document))
  }
}

function isShown(view: View, { id, type, fields }: Document): boolean {
  return (
    type === view.type &&
    id.locale === view.locale &&
    id.mode === view.mode &&
    (view.archived === 'any' || fields.archived === view.archived) &&
    (view.visibility === null || fields.visibility === view.visibility)
  )
}

function compare(sorts: readonly Sort[], one: Copy, other: Copy): number {
  const given: readonly Sort[] = sorts.length > 0 ? sorts : [{ by: 'column', column: 'updatedAt', direction: -1 }]
  for (const sort of given) {
    const left = cellOf(sort, one.put)
    const right = cellOf(sort, other.put)
    if (left === right) continue
    if (left === null || right === null) return left === null ? 1 : -1
    const difference =
      typeof left === 'number' ? left - Number(right) : Buffer.compare(Buffer.from(left), Buffer.from(String(right)))
    if (difference !== 0) return difference * sort.direction
  }
  return (one.row - other.row) * (given[0]?.direction ?? -1)
}

function cellOf(sort: Sort, { document, indexRows }: Put): string | number | null {
  if (sort.by === 'field') return indexRows.find(({ name }) => name === sort.name)?.[sort.value] ?? null
  if (sort.column === 'createdAt' || sort.column === 'updatedAt') return document[sort.column]
  const text = String(document.fields[sort.column])
  return sort.column === 'title' ? titleKey(text) : foldText(text)
}

function putOf({ type, id, locale, mode }: Write, content: NonNullable<Write['content']>, before: Put | null): Put {
  const { title, visibility, archived, minute, section, rank, topics } = content
  const docId = type === 'topic' ? `t${1 + (id % TOPICS.length)}` : `article-${id}`
  const slug = type === 'topic' ? `slug-${docId}` : `slug-${id}`
  const value = (name: string, text: string | null, number: number | null): IndexRow => ({
    kind: 'value',
    name,
    text,
    number,
  })
  const indexRows: IndexRow[] = [
    ...(section === null ? [] : [value('section', section, null)]),
    ...(rank === null ? [] : [value('rank', null, rank)]),
    ...topics.map((topic): IndexRow => ({ kind: 'document', name: '_topics', text: topic, number: null })),
  ]
  const document: Document = {
    id: type === 'topic' ? { docId, locale: 'en', mode: 'published' } : { docId, locale, mode },
    type,
    fields: { title, slug, visibility, archived },
    createdAt: before?.document.createdAt ?? timeOf(minute),
    updatedAt: timeOf(minute),
    updatedBy: { _id: 'u1', firstName: 'Ada', lastName: 'L', username: 'ada', title: 'Ada L' },
    lastPublishedAt: null,
    modified: false,
    revision: (before?.document.revision ?? 0) + 1,
  }
  return { document, indexRows: type === 'topic' ? [] : indexRows, before }
}

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

  const model = new Model()

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
