import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { rowsOf } from '../../../test/consistency.ts'
import { type StoreDatabase, storeDatabases } from '../../../test/store-databases.ts'
import { CmsError } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import { type Document, type OpenDocument, openValues } from '../../model/terms/document.ts'
import type { Mode } from '../../model/terms/document-id.ts'
import { open } from '../open-store.ts'
import {
  type Condition,
  type IndexRow,
  type Put,
  type Query,
  SlugTaken,
  type Store,
  type Version,
  type View,
} from './store.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }

const PUBLISHED: View = { type: 'article', locale: 'en', mode: 'published', archived: false, visibility: null }
const PUBLIC: View = { ...PUBLISHED, visibility: 'public' }

interface Content {
  readonly docId?: string
  readonly type?: string
  readonly locale?: string
  readonly mode?: Mode
  readonly fields?: JsonObject
  readonly updatedAt?: string
  readonly revision?: number
}

let minutes = 0

/** A document with a title and a slug of its own, each updated after the one before. */
function documentOf(given: Content = {}): OpenDocument {
  const docId = given.docId ?? newId()
  minutes += 1
  const time = new Date(Date.UTC(2026, 0, 1) + minutes * 60_000).toISOString()
  return {
    id: { docId, locale: given.locale ?? 'en', mode: given.mode ?? 'published' },
    type: given.type ?? 'article',
    fields: { title: `Title ${docId}`, slug: docId, visibility: 'public', archived: false, ...given.fields },
    createdAt: time,
    updatedAt: given.updatedAt ?? time,
    updatedBy: { _id: 'u1', firstName: 'Ada', lastName: 'L', username: 'ada', title: 'Ada L' },
    lastPublishedAt: null,
    wasPublished: true,
    modified: false,
    revision: given.revision ?? 1,
  }
}

const text = (name: string, value: string): IndexRow => ({ kind: 'value', name, text: value, number: null })
const number = (name: string, value: number): IndexRow => ({ kind: 'value', name, text: null, number: value })
const link = (name: string, id: string): IndexRow => ({ kind: 'document', name, text: id, number: null })

function putOf(document: OpenDocument, indexRows: readonly IndexRow[] = [], before: Put['before'] = null): Put {
  return { document, indexRows, before }
}

function queryOf(conditions: readonly Condition[] = [], rest: Partial<Query> = {}): Query {
  return { ...PUBLISHED, conditions, sort: [], offset: 0, limit: 10, ...rest }
}

const titles = (documents: readonly Document[]) => documents.map((document) => openValues(document).title)

describe.each(storeDatabases)('the store on $title', ({ create, name, isTold }) => {
  let database: StoreDatabase
  let store: Store
  let statements: string[] = []
  /**
   * Announces a change to other processes: a row, or a commit that does not wait for the disk, and the wait for it.
   */
  const announcement = 1

  beforeAll(async () => {
    database = await create()
    store = await open(database.url, { log, listenAt: database.listenAt, onStatement: (sql) => statements.push(sql) })
  })
  afterAll(async () => {
    await store.close()
    await database.drop()
  })
  beforeEach(async () => {
    const { documents } = await store.documents.find(queryOf([], { archived: 'any', limit: 10_000 }))
    await store.transaction((tx) => tx.documents.remove(documents.map(({ id }) => id)))
    statements = []
  })

  async function add(given: Content & { title?: string; indexRows?: readonly IndexRow[] } = {}): Promise<OpenDocument> {
    const fields = given.title === undefined ? given.fields : { ...given.fields, title: given.title }
    const document = documentOf({ ...given, ...(fields && { fields }) })
    expect(await store.transaction((tx) => tx.documents.insert([putOf(document, given.indexRows)]))).toBe(true)
    return document
  }

  /** Brings the search index up to date: a document's words are its title and its `words` field. */
  async function index(): Promise<void> {
    await store.transaction(async (tx) => {
      const stale = await tx.read.documents.unsearched(0, 1000)
      const rows = stale.map(({ row, titleChanges, document }) => {
        const fields = openValues(document)
        return {
          row,
          titleChanges,
          revision: document.revision,
          words: `${fields.title} ${fields.title} _${fields.title} ${fields.words ?? ''}`.toLowerCase(),
        }
      })
      await tx.documents.putSearchWords(rows)
    })
  }

  const find = async (conditions: readonly Condition[], rest: Partial<Query> = {}) =>
    titles((await store.documents.find(queryOf(conditions, rest))).documents)

  describe('documents', () => {
    test('a transaction that comes when the store was closed is refused, and nothing else fails', async () => {
      const closed = await open(database.url, { log, listenAt: database.listenAt })
      await closed.close()
      await expect(closed.transaction(async () => 1)).rejects.toThrow()
      await expect(closed.close()).resolves.toBeUndefined()
    })

    test('§4.5 all types are found in all locales, also in those that nobody knows of, with their documents', async () => {
      const before = await store.locales.types()
      const made = [
        await add({ type: 'article', locale: 'xx' }),
        await add({ type: 'zebra', locale: 'xx' }),
        await add({ type: 'author', locale: 'yy', mode: 'draft' }),
        await add({ type: 'author', locale: '' }),
      ]
      const all = made.map(({ type, id: { locale } }) => ({ type, locale }))
      expect(await store.locales.types()).toEqual(expect.arrayContaining([...before, ...all]))
      expect(await store.locales.types()).toHaveLength(before.length + 4)
      expect(await store.locales.counts(all)).toEqual([
        { type: 'article', locale: 'xx', documents: 1 },
        { type: 'author', locale: '', documents: 1 },
        { type: 'author', locale: 'yy', documents: 1 },
        { type: 'zebra', locale: 'xx', documents: 1 },
      ])
      expect(await store.locales.counts([])).toEqual([])
      await store.transaction((tx) => tx.documents.remove(made.map(({ id }) => id)))
    })

    test('§2 a document comes back as it was stored', async () => {
      const document = await add({ title: 'Ünïcode 😀', fields: { nested: { list: [1, null, 'x\u0000y'] } } })
      expect(await store.documents.get(document.id)).toEqual(document)
      expect(await store.documents.get({ ...document.id, mode: 'draft' })).toBe(null)
      expect(await store.documents.copies(document.id.docId, 'en')).toEqual({ draft: null, published: document })
      expect(await store.documents.types([document.id.docId, 'no'])).toEqual(new Map([[document.id.docId, 'article']]))
    })

    test('§3 both copies are replaced in two statements, and found by what they hold now', async () => {
      const published = documentOf()
      const draft = { ...published, id: { ...published.id, mode: 'draft' as const } }
      const indexRows = [text('topic', 'a'), text('same', 's')]
      await store.transaction((tx) => tx.documents.insert([putOf(published, indexRows), putOf(draft, indexRows)]))
      const change = (document: OpenDocument) => {
        const after = { ...document, revision: 2, fields: { ...document.fields, title: 'New' } }
        return putOf(after, [text('topic', 'b'), text('same', 's')], { document, indexRows })
      }
      statements = []
      await store.transaction((tx) => tx.documents.put([change(published), change(draft)]))
      expect(statements).toHaveLength(6 + announcement)
      expect(await find([{ kind: 'equals', name: 'topic', anyOf: ['a'] }])).toEqual([])
      expect(await find([{ kind: 'equals', name: 'topic', anyOf: ['b'] }])).toEqual(['New'])
      expect(await find([{ kind: 'equals', name: 'same', anyOf: ['s'] }], { mode: 'draft' })).toEqual(['New'])
      await store.transaction((tx) => tx.documents.remove([draft.id]))
    })

    test('§3.1 a document that is archived is found as archived by its fields too', async () => {
      const document = await add({ title: 'Old', indexRows: [text('topic', 'a')] })
      const archived = { ...document, revision: 2, fields: { ...document.fields, archived: true } }
      const put = putOf(archived, [text('topic', 'a')], { document, indexRows: [text('topic', 'a')] })
      await store.transaction((tx) => tx.documents.put([put]))
      const condition: Condition = { kind: 'equals', name: 'topic', anyOf: ['a'] }
      expect(await find([condition])).toEqual([])
      expect(await find([condition], { archived: true })).toEqual(['Old'])
      expect(await find([condition], { archived: 'any' })).toEqual(['Old'])
      expect(await store.documents.values(queryOf([], { archived: true }), 'topic')).toHaveLength(1)
      expect(await store.documents.values(queryOf(), 'topic')).toHaveLength(0)
    })
  })

  describe('slugs', () => {
    test('§2.12 a slug is taken within its type, without regard to case, and in one locale and mode', async () => {
      const given = { fields: { slug: 'one' } }
      await add(given)
      const insert = (put: Put) => store.transaction((tx) => tx.documents.insert([put]))
      expect(await insert(putOf(documentOf({ fields: { slug: 'ONE' } })))).toBe(false)
      expect(await insert(putOf(documentOf({ ...given, type: 'topic' })))).toBe(true)
      expect(await insert(putOf(documentOf({ ...given, locale: 'fr' })))).toBe(true)
      expect(await insert(putOf(documentOf({ ...given, mode: 'draft' })))).toBe(true)
      expect(await insert(putOf(documentOf({ type: 'home', fields: { slug: '/one' } })))).toBe(true)
      expect(await insert(putOf(documentOf({ type: 'page', fields: { slug: '/one' } })))).toBe(false)
    })

    test('§3 an archived document frees its slug', async () => {
      await add({ fields: { slug: 'free', archived: true } })
      await add({ fields: { slug: 'free' } })
    })

    test('§2.12 nothing of a document is stored when one copy finds its slug taken', async () => {
      const taken = documentOf({ mode: 'draft', fields: { slug: 'half' } })
      await store.transaction((tx) => tx.documents.insert([putOf(taken)]))
      const published = documentOf({ fields: { slug: 'half' } })
      const draft = { ...published, id: { ...published.id, mode: 'draft' as const } }
      await store.transaction(async (tx) => {
        expect(await tx.documents.insert([putOf(published), putOf(draft)])).toBe(false)
        expect(await tx.read.documents.slugsLike(PUBLISHED, 'half', 'x')).toEqual(new Set())
      })
      expect(await store.documents.types([published.id.docId])).toEqual(new Map())
    })

    test('§2.12 changing a slug to a taken one throws SlugTaken', async () => {
      await add({ fields: { slug: 'mine' } })
      const other = await add({ fields: { slug: 'other' } })
      const after = { ...other, fields: { ...other.fields, slug: 'mine' } }
      const change = store.transaction((tx) => tx.documents.put([putOf(after, [], { document: other, indexRows: [] })]))
      await expect(change).rejects.toThrow(SlugTaken)
      expect(await store.documents.get(other.id)).toEqual(other)
    })

    test('§2.12 taken slugs that begin alike are named, but the own one', async () => {
      await add({ fields: { slug: 'a-b' } })
      await add({ fields: { slug: 'a-b-2' } })
      await add({ fields: { slug: 'a-c' } })
      const own = await add({ fields: { slug: 'a-b-3' } })
      const slugs = await store.transaction((tx) => tx.read.documents.slugsLike(PUBLISHED, 'a-b', own.id.docId))
      expect(slugs).toEqual(new Set(['a-b', 'a-b-2']))
    })

    test('§2.12 of many at once, one gets the slug', async () => {
      const insert = () =>
        store.transaction((tx) => tx.documents.insert([putOf(documentOf({ fields: { slug: 'raced' } }))]))
      const results = await Promise.all(Array.from({ length: 12 }, insert))
      expect(results.filter(Boolean)).toHaveLength(1)
    })
  })

  describe('lists', () => {
    test('§4.1 pages in the order asked for, with the total, in two statements', async () => {
      for (const title of ['b', 'Á', 'C', 'd', 'E']) await add({ title })
      const sort = [{ by: 'column', column: 'title', direction: 1 } as const]
      statements = []
      const found = await store.documents.find(queryOf([], { sort, offset: 1, limit: 3 }))
      expect(titles(found.documents)).toEqual(['b', 'C', 'd'])
      expect(found.total).toBe(5)
      expect(statements.length).toBeLessThanOrEqual(2)
      await store.documents.find(queryOf([], { sort, offset: 3, limit: 3 }))
      // Who is not told what has changed reads the order again.
      expect(statements.length).toBeLessThanOrEqual(isTold ? 3 : 5)
      const latest = [{ by: 'column', column: 'updatedAt', direction: -1 } as const]
      expect(await find([], { sort: latest })).toEqual(['E', 'd', 'C', 'Á', 'b'])
      expect(await find([], { sort: latest, offset: 5 })).toEqual([])
    })

    test('§5.10 a view shows only what its visibility and state allow', async () => {
      await add({ title: 'public' })
      await add({ title: 'members', fields: { visibility: 'loginRequired' } })
      await add({ title: 'archived', fields: { archived: true } })
      const sort = [{ by: 'column', column: 'title', direction: 1 } as const]
      expect(await find([], { sort })).toEqual(['members', 'public'])
      expect(await find([], { ...PUBLIC, sort })).toEqual(['public'])
      expect(await find([], { archived: true })).toEqual(['archived'])
      expect(await find([], { archived: 'any', sort })).toEqual(['archived', 'members', 'public'])
      expect(await find([{ kind: 'visibility', anyOf: ['loginRequired'] }])).toEqual(['members'])
      expect(await store.documents.count({ ...PUBLIC, conditions: [] })).toBe(1)
    })

    test('§4.1 _ids come in the order given, each once, unknown ones left out', async () => {
      const ids: string[] = []
      for (let index = 0; index < 500; index += 1) ids.push(`many-${String(index).padStart(3, '0')}`)
      await store.transaction(async (tx) => {
        for (const docId of ids) await tx.documents.insert([putOf(documentOf({ docId, fields: { title: docId } }))])
      })
      const docIds = ['unknown', ...ids.toReversed(), 'many-003']
      const found = await store.documents.find(queryOf([], { docIds, offset: 1, limit: 2 }))
      expect(titles(found.documents)).toEqual(['many-498', 'many-497'])
      expect(found.total).toBe(500)
      expect(await store.documents.many(PUBLISHED, ids)).toHaveLength(500)
      expect(await store.documents.many({ ...PUBLISHED, type: 'topic' }, ids)).toHaveLength(0)
      const sort = [{ by: 'column', column: 'title', direction: 1 } as const]
      expect(await find([], { docIds: ['many-002', 'many-001'], sort })).toEqual(['many-001', 'many-002'])
      expect(await find([], { docIds: [] })).toEqual([])
    })

    test('§4.1 documents without the value come last, in either direction, on every page', async () => {
      for (const [title, value] of [
        ['a', 2],
        ['b', null],
        ['c', 1],
        ['d', null],
        ['e', 3],
      ] as const) {
        await add({ title, indexRows: value === null ? [] : [number('price', value), text('kind', 'x')] })
      }
      const sort = (direction: 1 | -1) => [{ by: 'field', name: 'price', value: 'number', direction } as const]
      expect(await find([], { sort: sort(1) })).toEqual(['c', 'a', 'e', 'b', 'd'])
      expect(await find([], { sort: sort(-1) })).toEqual(['e', 'a', 'c', 'd', 'b'])
      expect(await find([], { sort: sort(1), offset: 2, limit: 2 })).toEqual(['e', 'b'])
      expect(await find([], { sort: sort(-1), offset: 4, limit: 2 })).toEqual(['b'])
      const isX: Condition = { kind: 'equals', name: 'kind', anyOf: ['x'] }
      expect(await find([isX], { sort: sort(-1) })).toEqual(['e', 'a', 'c'])
      const both = [{ by: 'field', name: 'kind', value: 'text', direction: -1 } as const, ...sort(1)]
      expect(await find([], { sort: both })).toEqual(['c', 'a', 'e', 'd', 'b'])
    })

    test('§4.1 every kind of condition', async () => {
      const one = await add({
        title: 'One',
        indexRows: [text('color', 'red'), text('color', 'blue'), number('price', 5)],
      })
      await add({ title: 'Two', indexRows: [text('color', 'red'), number('price', 7.5)] })
      await add({ title: 'three', indexRows: [text('day', '2026-05-01')] })
      const sort = [{ by: 'column', column: 'createdAt', direction: 1 } as const]
      const all = (conditions: readonly Condition[]) => find(conditions, { sort })
      expect(await all([{ kind: 'equals', name: 'color', anyOf: ['red'] }])).toEqual(['One', 'Two'])
      expect(await all([{ kind: 'equals', name: 'color', anyOf: ['red', 'blue'] }])).toEqual(['One', 'Two'])
      expect(
        await all([
          { kind: 'equals', name: 'color', anyOf: ['red'] },
          { kind: 'equals', name: 'color', anyOf: ['blue'] },
        ]),
      ).toEqual(['One'])
      expect(await all([{ kind: 'equals', name: 'price', anyOf: [7.5, 8] }])).toEqual(['Two'])
      expect(await all([{ kind: 'equals', name: 'price', anyOf: [] }])).toEqual([])
      expect(await all([{ kind: 'equals', name: 'price', anyOf: [5, 'x'] }])).toEqual(['One'])
      expect(await all([{ kind: 'range', name: 'price', min: 5.5 }])).toEqual(['Two'])
      expect(await all([{ kind: 'range', name: 'price', min: 5, max: 7.5 }])).toEqual(['One', 'Two'])
      expect(await all([{ kind: 'range', name: 'day', max: '2026-12-31' }])).toEqual(['three'])
      expect(await all([{ kind: 'column', column: 'title', anyOf: ['THREE', 'one'] }])).toEqual(['One', 'three'])
      expect(await all([{ kind: 'column', column: 'slug', anyOf: [one.id.docId] }])).toEqual(['One'])
      expect(await all([{ kind: 'columnRange', column: 'createdAt', min: one.createdAt, max: one.createdAt }])).toEqual(
        ['One'],
      )
      expect(await all([{ kind: 'never' }])).toEqual([])
      expect(await store.documents.count(queryOf([{ kind: 'range', name: 'price', max: 6 }]))).toBe(1)
      expect(await store.documents.values(queryOf(), 'color')).toEqual([
        { text: 'blue', number: null, count: 1 },
        { text: 'red', number: null, count: 2 },
      ])
      expect(await store.documents.writtenValues(queryOf(), 'color')).toEqual([
        { text: 'blue', number: null, count: 1, written: null },
        { text: 'red', number: null, count: 2, written: null },
      ])
      const cheap: Condition = { kind: 'range', name: 'price', max: 6 }
      expect(await store.documents.values(queryOf([cheap]), 'color')).toEqual([
        { text: 'blue', number: null, count: 1 },
        { text: 'red', number: null, count: 1 },
      ])
    })

    test('§4.1 a narrow filter and a broad one list the same way', async () => {
      await store.transaction(async (tx) => {
        for (let index = 0; index < 400; index += 1) {
          const indexRows = [number('half', index % 2), number('rare', index % 100), number('rank', 400 - index)]
          await tx.documents.insert([putOf(documentOf({ fields: { title: String(index) } }), indexRows)])
        }
      })
      const sort = [{ by: 'column', column: 'updatedAt', direction: -1 } as const]
      expect(await find([{ kind: 'equals', name: 'half', anyOf: [1] }], { sort, limit: 3 })).toEqual([
        '399',
        '397',
        '395',
      ])
      expect(await find([{ kind: 'equals', name: 'rare', anyOf: [7] }], { sort, limit: 3 })).toEqual([
        '307',
        '207',
        '107',
      ])
      expect(await find([{ kind: 'equals', name: 'half', anyOf: [1] }], { sort, offset: 197 })).toEqual(['5', '3', '1'])
      const byRank = [{ by: 'field', name: 'rank', value: 'number', direction: 1 } as const]
      expect(await find([{ kind: 'equals', name: 'half', anyOf: [1] }], { sort: byRank, limit: 2 })).toEqual([
        '399',
        '397',
      ])
      expect(await find([{ kind: 'equals', name: 'rare', anyOf: [7] }], { sort: byRank, limit: 2 })).toEqual([
        '307',
        '207',
      ])
    })
  })

  describe('relationships', () => {
    test('§4.1 filters, counts and reverse lists see only what the target view shows', async () => {
      const TOPICS: View = { ...PUBLISHED, type: 'topic' }
      const stamp = newId()
      const shown = await add({ type: 'topic', fields: { title: 'Shown', slug: `shown-${stamp}` } })
      const hidden = await add({
        type: 'topic',
        fields: { title: 'Hidden', slug: `hidden-${stamp}`, visibility: 'loginRequired' },
      })
      const toShown = link('_topics', shown.id.docId)
      const toHidden = link('_topics', hidden.id.docId)
      await add({ title: 'both', indexRows: [toShown, toHidden] })
      await add({ title: 'secret', indexRows: [toHidden] })
      await add({ title: 'none' })
      const sort = [{ by: 'column', column: 'title', direction: 1 } as const]
      const by = (way: 'id' | 'slug', value: string, target: View): Condition => {
        return { kind: 'related', name: '_topics', targets: [{ view: target, by: way }], anyOf: [value] }
      }
      expect(await find([by('id', shown.id.docId, TOPICS)])).toEqual(['both'])
      expect(await find([by('slug', `HIDDEN-${stamp}`, TOPICS)], { sort })).toEqual(['both', 'secret'])
      expect(await find([by('slug', `hidden-${stamp}`, { ...TOPICS, visibility: 'public' })])).toEqual([])
      expect(await find([by('id', shown.id.docId, TOPICS), by('id', hidden.id.docId, TOPICS)])).toEqual(['both'])
      const unrelated: Condition = { kind: 'unrelated', name: '_topics', targets: [{ view: TOPICS, by: 'id' }] }
      expect(await find([unrelated])).toEqual(['none'])
      const publicTopics = { view: { ...TOPICS, visibility: 'public' }, by: 'id' } as const
      const unseen: Condition = { ...unrelated, targets: [publicTopics] }
      expect(await find([unseen], { sort })).toEqual(['none', 'secret'])
      const counts = await store.documents.related(queryOf(), '_topics', [{ view: TOPICS, by: 'id' }])
      expect(counts.map(({ title, count }) => [title, count])).toEqual([
        ['Hidden', 2],
        ['Shown', 1],
      ])
      expect(
        await store.documents.related(queryOf([by('id', shown.id.docId, TOPICS)]), '_topics', [publicTopics]),
      ).toEqual([{ docId: shown.id.docId, type: 'topic', title: 'Shown', slug: `shown-${stamp}`, count: 1 }])
    })

    test('§2.15 who points here, the newest, so many of each', async () => {
      for (const [title, ids] of [
        ['1', ['x']],
        ['2', ['x', 'y']],
        ['3', ['x', 'x']],
        ['4', ['y']],
      ] as const) {
        await add({ title, indexRows: ids.map((id) => link('_to', id)) })
      }
      const found = await store.documents.pointingTo(PUBLISHED, { name: '_to', docIds: ['x', 'y', 'z'], limit: 2 })
      expect(found.map(({ target, document }) => [target, openValues(document).title])).toEqual([
        ['x', '3'],
        ['x', '2'],
        ['y', '4'],
        ['y', '2'],
      ])
    })
  })

  describe('search', () => {
    /** What has all words in the title comes first. */
    const words = (...forms: string[]) => {
      return { words: forms.map((form) => [form]), isPrefix: false, ranks: [forms.map((form) => [`_${form}`])] }
    }

    test('§4.1 all words, whole or the last by its beginning, the more telling first', async () => {
      await add({ title: 'Apple', fields: { words: 'pie über 東京 ~0secret' } })
      await add({ title: 'Pie', fields: { words: 'apple' } })
      await add({ title: 'Applesauce' })
      await index()
      expect(await find([], { search: words('apple') })).toEqual(['Apple', 'Pie'])
      expect(await find([], { search: words('apple', 'pie') })).toHaveLength(2)
      expect(await find([], { search: words('apple', 'cake') })).toEqual([])
      expect(await find([], { search: { words: [['pie'], ['app']], isPrefix: true } })).toHaveLength(2)
      expect(await find([], { search: { words: [['app']], isPrefix: true } })).toHaveLength(3)
      expect(await find([], { search: words('app') })).toEqual([])
      expect(await find([], { search: { words: [['cake', 'applesauce']], isPrefix: false } })).toEqual(['Applesauce'])
      for (const word of ['über', '東京', '~0secret'])
        expect(await find([], { search: words(word) })).toEqual(['Apple'])
      expect(await find([], { search: words('secret') })).toEqual([])
      expect(await find([], { search: { words: [], isPrefix: false } })).toEqual([])
      const sort = [{ by: 'column', column: 'title', direction: -1 } as const]
      expect(await find([], { search: words('apple'), sort })).toEqual(['Pie', 'Apple'])
    })

    test('§4.1 what is not indexed yet is matched in addition to the index, with the same conditions', async () => {
      const stamp = newId()
      const red = [text('color', 'red')]
      await add({ title: 'indexed', fields: { words: stamp }, indexRows: red })
      await add({ title: 'changed', fields: { words: stamp } })
      await index()
      for (const title of ['fresh', 'title']) await add({ title, indexRows: red })
      await add({ title: 'hidden', fields: { visibility: 'loginRequired' } })
      const rows = new Map(
        (await store.documents.following(0, 10_000)).map((one) => [openValues(one.document).title, one.row]),
      )
      const rowOf = (title: string) => rows.get(title) ?? 0
      const found = ['fresh', 'title', 'hidden'].map((title) => ({
        row: rowOf(title),
        rank: title === 'title' ? 0 : 1,
      }))
      const unindexed = { rows: ['changed', 'fresh', 'title', 'hidden'].map(rowOf), found }
      const search = { ...words(stamp), unindexed }
      expect(await find([], { ...PUBLIC, search })).toEqual(['title', 'fresh', 'indexed'])
      const sort = [{ by: 'column', column: 'title', direction: 1 } as const]
      expect(await find([], { ...PUBLIC, search, sort })).toEqual(['fresh', 'indexed', 'title'])
      expect(await find([], { search, sort, limit: 1, offset: 1 })).toEqual(['hidden'])
      const isRed: Condition = { kind: 'equals', name: 'color', anyOf: ['red'] }
      expect(await store.documents.count(queryOf([isRed], { search }))).toBe(3)
      expect(await find([isRed], { search, docIds: [] })).toEqual([])
      expect(await store.documents.values(queryOf([], { search }), 'color')).toMatchObject([{ count: 3 }])
    })

    test('§5.8 only in its own scope, and with the conditions that come with it', async () => {
      const stamp = newId()
      await add({ title: 'here', fields: { words: stamp }, indexRows: [text('color', 'red')] })
      await add({ title: 'member', fields: { words: stamp, visibility: 'loginRequired' } })
      await add({ title: 'old', fields: { words: stamp, archived: true } })
      const draft = await add({ title: 'draft', fields: { words: stamp }, mode: 'draft' })
      await add({ title: 'other', fields: { words: stamp }, type: 'other' })
      await index()
      const search = words(stamp)
      expect((await find([], { search })).sort()).toEqual(['here', 'member'])
      expect(await find([], { ...PUBLIC, search })).toEqual(['here'])
      expect(await find([], { search, archived: true })).toEqual(['old'])
      expect(await find([], { search, archived: 'any' })).toHaveLength(3)
      expect(await find([], { search, mode: 'draft' })).toEqual(['draft'])
      const red: Condition = { kind: 'equals', name: 'color', anyOf: ['red'] }
      expect(await find([red], { search })).toEqual(['here'])
      expect(await find([{ kind: 'visibility', anyOf: ['loginRequired'] }], { search })).toEqual(['member'])
      expect(await store.documents.count(queryOf([], { search }))).toBe(2)
      expect(await store.documents.values(queryOf([], { search }), 'color')).toHaveLength(1)
      expect(await find([], { search, docIds: [draft.id.docId] })).toEqual([])
      await store.transaction((tx) => tx.documents.remove([draft.id]))
      expect(await find([], { search, mode: 'draft' })).toEqual([])
    })

    test('§0.5 a batch of documents is small in bytes; what is larger comes alone', async () => {
      const { documents } = store
      const readAll = async (name: 'unsearched' | 'following', after: number) => {
        const lengths: number[] = []
        let last = after
        for (;;) {
          const batch = await documents[name](last, 4)
          if (batch.length === 0) return { lengths, last }
          lengths.push(batch.length)
          last = batch.at(-1)?.row ?? last
        }
      }
      const { last } = await readAll('following', 0)
      for (const bytes of [400_000, 400_000, 3_000_000, 10, 10]) await add({ fields: { words: 'x'.repeat(bytes) } })
      expect((await readAll('unsearched', last)).lengths).toEqual([2, 1, 2])
      expect((await readAll('following', last)).lengths).toEqual([2, 1, 2])
    })

    test('technology 4: a saved document is unsearched until its newest words are there', async () => {
      const document = await add({ title: 'before' })
      const [stale] = await store.documents.unsearched(0, 10)
      expect(stale?.document).toEqual(document)
      if (stale === undefined) return
      const after = { ...document, revision: 2, fields: { ...document.fields, title: 'after' } }
      await store.transaction((tx) => tx.documents.put([putOf(after, [], { document, indexRows: [] })]))
      const former = { row: stale.row, titleChanges: 0, words: 'before' }
      await store.transaction((tx) => tx.documents.putSearchWords([{ ...former, revision: 1 }]))
      await store.transaction((tx) => tx.documents.putSearchWords([{ ...former, revision: 2, titleChanges: 1 }]))
      expect(await store.documents.unsearched(0, 10)).toHaveLength(1)
      await index()
      expect(await store.documents.unsearched(0, 10)).toEqual([])
      expect(await find([], { search: words('after') })).toEqual(['after'])
      expect(await find([], { search: words('before') })).toEqual([])
    })
  })

  describe('transactions', () => {
    test('§3 what is thrown leaves nothing behind', async () => {
      const document = documentOf()
      const work = store.transaction(async (tx) => {
        await tx.documents.insert([putOf(document, [text('color', 'undone')])])
        await tx.versions.add(versionOf(document), { title: 'x' })
        expect(await tx.read.documents.get(document.id)).toEqual(document)
        expect(await store.documents.get(document.id)).toBe(null)
        throw new Error('no')
      })
      await expect(work).rejects.toThrow('no')
      expect(await store.documents.get(document.id)).toBe(null)
      expect(await find([{ kind: 'equals', name: 'color', anyOf: ['undone'] }])).toEqual([])
      expect(await store.versions.list({ docId: document.id.docId, locale: 'en' }, { limit: 10 })).toEqual([])
    })

    test('§0.8 forty writers of one document lose nothing', async () => {
      const { id } = await add({ fields: { list: [] } })
      const append = (value: number) =>
        store.transaction(async (tx) => {
          const { published } = await tx.documents.lockCopies(id.docId, 'en')
          if (published === null) throw new Error('It is gone.')
          const list = [...(published.fields.list as number[]), value]
          const document = { ...published, revision: published.revision + 1, fields: { ...published.fields, list } }
          await tx.documents.put([putOf(document, [], { document: published, indexRows: [] })])
        })
      await Promise.all(Array.from({ length: 40 }, (_, value) => append(value)))
      const stored = await store.documents.get(id)
      const list = (stored && openValues(stored).list) as number[]
      expect(list.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 40 }, (_, value) => value))
    })

    test('two that take their documents in opposite order both end', async () => {
      const one = await add({ title: 'one' })
      const two = await add({ title: 'two' })
      const touch = (documents: readonly Document[]) =>
        store.transaction(async (tx) => {
          for (const { id } of documents) {
            const { published } = await tx.documents.lockCopies(id.docId, 'en')
            await new Promise((resolve) => setTimeout(resolve, 30))
            if (published === null) throw new Error('It is gone.')
            const document = { ...published, revision: published.revision + 1 }
            await tx.documents.put([putOf(document, [], { document: published, indexRows: [] })])
          }
        })
      await Promise.all([touch([one, two]), touch([two, one])])
      expect((await store.documents.get(one.id))?.revision).toBe(3)
    })

    test('creating a published document takes seven statements, changing it eight, publishing it six, without its announcement', async () => {
      const published = documentOf()
      const draft = { ...published, id: { ...published.id, mode: 'draft' as const } }
      const indexRows = [text('color', 'red')]
      const after = (document: OpenDocument, fields = document.fields) => ({ ...document, fields, revision: 2 })
      statements = []
      await store.transaction(async (tx) => {
        await tx.documents.insert([putOf(published, indexRows), putOf(draft, indexRows)])
        await tx.versions.add(versionOf(published), published.fields)
      })
      expect(statements.length).toBeLessThanOrEqual(7 + announcement)
      statements = []
      await store.transaction(async (tx) => {
        const before = await tx.documents.lockCopies(published.id.docId, 'en')
        const fields = { ...published.fields, title: 'Changed' }
        const changed = [before.draft, before.published].flatMap((document) =>
          document ? [putOf(after(document, fields), [text('color', 'b')], { document, indexRows })] : [],
        )
        await tx.documents.put(changed)
        await tx.versions.add(versionOf(published), fields)
      })
      expect(statements.length).toBeLessThanOrEqual(8 + announcement)
      statements = []
      await store.transaction(async (tx) => {
        const before = await tx.documents.lockCopies(published.id.docId, 'en')
        if (before.draft === null || before.published === null) throw new Error('They are gone.')
        const { fields } = before.draft
        await tx.documents.put([
          putOf(after(before.published, fields), indexRows, { document: before.published, indexRows }),
        ])
        await tx.versions.add(versionOf(published), fields)
      })
      expect(statements.length).toBeLessThanOrEqual(6 + announcement)
      await store.transaction((tx) => tx.documents.remove([draft.id]))
    })
  })

  describe('versions and keys', () => {
    test('§2.4 contents come back, equal ones are stored once, and go when nothing needs them', async () => {
      const document = documentOf({ docId: newId() })
      const { docId } = document.id
      const [one, two] = [versionOf(document), versionOf(document)]
      const content = { title: 'same', body: 'x'.repeat(5000) }
      await store.transaction(async (tx) => {
        await tx.versions.add(one, content)
        await tx.versions.add(two, content)
      })
      expect(await store.versions.get(one.id)).toEqual({ version: one, content })
      expect(await store.versions.newest({ docId: docId, locale: 'en' })).toEqual(two)
      expect((await store.versions.list({ docId: docId, locale: 'en' }, { limit: 5 })).map(({ id }) => id)).toEqual([
        two.id,
        one.id,
      ])
      await store.transaction((tx) =>
        tx.versions.update({ id: two.id, updatedAt: '2026-02-02T00:00:00.000Z', data: null }, { title: 'other' }),
      )
      expect((await store.versions.get(two.id))?.content).toEqual({ title: 'other' })
      expect((await store.versions.get(one.id))?.content).toEqual(content)
      await store.transaction((tx) => tx.versions.removeOf(docId, 'fr'))
      expect(await store.versions.list({ docId: docId, locale: 'en' }, { limit: 5 })).toHaveLength(2)
      await store.transaction((tx) => tx.versions.removeOf(docId, null))
      expect(await store.versions.get(one.id)).toBe(null)
    })

    test('§2.4 what only versions hold is compressed, and read as before; what a document has again is not', async () => {
      const document = documentOf()
      const { docId } = document.id
      const former: JsonObject = { ...document.fields, body: 'x'.repeat(5000) }
      const held = async () => {
        const [rows = []] = await rowsOf(database.url, [
          `select packed from contents where doc_id = '${docId}' order by n`,
        ])
        return rows.map(({ packed }) => packed !== null)
      }
      const pack = async () => {
        const { contents, last } = await store.versions.packable(0, 10_000)
        expect(last).toBeGreaterThan(0)
        await store.transaction((tx) => tx.versions.pack(contents.map(({ n }) => n)))
      }
      const save = (fields: JsonObject, version: Version) =>
        store.transaction(async (tx) => {
          const { published } = await tx.documents.lockCopies(docId, 'en')
          const before = published && { document: published, indexRows: [] }
          await tx.documents.put([putOf({ ...document, fields }, [], before)])
          await tx.versions.add(version, fields)
        })
      const [one, two, three] = [versionOf(document), versionOf(document), versionOf(document)]
      await save(former, one)
      await pack()
      expect(await held()).toEqual([false])
      await save(document.fields, two)
      await pack()
      expect(await held()).toEqual([true, false])
      const { visibility: _visibility, archived: _archived, ...content } = former
      expect((await store.versions.get(one.id))?.content).toEqual(content)
      expect(await store.documents.get(document.id)).toEqual(document)
      await save(former, three)
      expect(await held()).toEqual([false, false])
      expect((await store.documents.get(document.id))?.fields).toEqual(former)
      expect((await store.versions.get(one.id))?.content).toEqual(content)
      await store.transaction(async (tx) => {
        await tx.documents.remove([document.id])
        await tx.versions.removeOf(docId, 'en')
      })
      expect(await held()).toEqual([])
    })

    test('§5.5 keys are found by their hash, and revoked once', async () => {
      const key = {
        id: newId(),
        name: 'CI',
        role: 'editor',
        ai: true,
        draftsOnly: false,
        createdAt: '2026-01-01T00:00:00.000Z',
        expiresAt: null,
        revokedAt: null,
      } as const
      const before = store.revision()
      await store.transaction((tx) => tx.keys.add(key, 'abc'))
      if (isTold) expect(store.revision()).toBe(before)
      expect(await store.keys.byHash('abc')).toEqual(key)
      expect(await store.keys.byHash('abd')).toBe(null)
      expect(await store.transaction((tx) => tx.keys.revoke(key.id, key.createdAt))).toBe(true)
      expect(await store.transaction((tx) => tx.keys.revoke(key.id, key.createdAt))).toBe(false)
      expect((await store.keys.list())[0]?.revokedAt).toBe(key.createdAt)
    })
  })

  describe('opening', () => {
    test('two stores on one database see each other’s changes', async () => {
      const other = await open(database.url, { log, listenAt: database.listenAt })
      try {
        const before = other.revision()
        expect(before).not.toBe(null)
        const document = await add()
        await expect.poll(() => other.revision()).not.toBe(before)
        expect(await other.documents.get(document.id)).toEqual(document)
        const now = other.revision()
        expect(other.revision()).toBe(now)
      } finally {
        await other.close()
      }
    })

    test('two that open a new database at once set it up once', async () => {
      const fresh = await create()
      try {
        const stores = await Promise.all([1, 2, 3].map(() => open(fresh.url, { log, listenAt: fresh.listenAt })))
        for (const one of stores) await one.check()
        await Promise.all(stores.map((one) => one.close()))
        const again = await open(fresh.url, { log, listenAt: fresh.listenAt, migrate: false })
        await again.close()
      } finally {
        await fresh.drop()
      }
    })

    test('a database that was not set up, or by a newer program, is refused in plain words', async () => {
      const fresh = await create()
      try {
        await expect(open(fresh.url, { log, listenAt: fresh.listenAt, migrate: false })).rejects.toThrow(
          'has no tables of Quire',
        )
        await (await open(fresh.url, { log, listenAt: fresh.listenAt })).close()
        await setVersion(fresh.direct, name, '99')
        await expect(open(fresh.url, { log, listenAt: fresh.listenAt })).rejects.toThrow(
          'is at version 99, this program knows versions up to',
        )
        await expect(open(fresh.url, { log, listenAt: fresh.listenAt, migrate: false })).rejects.toThrow(
          'is at version 99',
        )
      } finally {
        await fresh.drop()
      }
    })
  })
})

describe('opening', () => {
  test('§0.2 a server that is away is unavailable, a wrong URL is reported', async () => {
    const error = await open('postgres://x@127.0.0.1:1/x', { log }).catch((reason) => reason)
    expect(error).toBeInstanceOf(CmsError)
    expect(error.name).toBe('unavailable')
    await expect(open('mysql://x:secret@y/z', { log })).rejects.toThrow('mysql://x@y/z')
    await expect(open(':memory:', { log })).rejects.toThrow('No database')
  })
})

function versionOf(document: Document): Version {
  return {
    id: newId(),
    docId: document.id.docId,
    locale: document.id.locale,
    mode: document.id.mode,
    type: document.type,
    createdAt: document.updatedAt,
    updatedAt: null,
    author: 'Ada',
    authorId: null,
    ai: false,
    restoredFrom: null,
    label: null,
    data: null,
  }
}

async function setVersion(url: string, name: string, version: string): Promise<void> {
  if (name === 'SQLite') {
    const { DatabaseSync } = await import('node:sqlite')
    const database = new DatabaseSync(url.replace('sqlite:', ''))
    database.prepare(`update meta set value = ? where name = 'version'`).run(version)
    database.close()
    return
  }
  const { Client } = await import('pg')
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`update meta set value = $1 where name = 'version'`, [version])
  await client.end()
}
