import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type StoreDatabase, storeDatabases } from '../../../test/store-databases.ts'
import { readsOf, type StoredIds } from '../../../test/store-reads.ts'
import { writerMethods } from '../../../test/writer-methods.ts'
import { newId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { IndexRow } from '../../model/field-type/value-terms.ts'
import type { OpenDocument } from '../../model/terms/document.ts'
import type { Mode } from '../../model/terms/document-id.ts'
import type { Store, StoreReader, StoreWriter } from '../contract/store.ts'
import { open } from '../open-store.ts'
import { type Changes, changed } from '../terms/changes.ts'
import type { Put } from '../terms/document-writes.ts'
import { Basis, Sources } from '../terms/sources.ts'
import type { Version } from '../terms/version-store.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }
const NOW = '2026-01-02T00:00:00.000Z'
const CROP = { top: 0, left: 0, width: 2, height: 2 }
const ids = (count: number) => Array.from({ length: count }, newId)

const [home = '', above = '', below = '', sibling = '', added = ''] = ids(5)
const [first = '', second = '', third = '', later = '', absent = ''] = ids(5)
const [red = '', blue = ''] = ids(2)
const [used = '', unused = '', another = ''] = ids(3)
const known: StoredIds = {
  articles: [first, second, third, later, absent],
  topics: [red, blue],
  pages: [home, above, below, sibling, added],
  attachments: [used, unused, another],
  versions: ids(4),
}

interface Content {
  readonly fields?: JsonObject
  readonly color?: string
  readonly size?: number
  readonly topics?: readonly string[]
  readonly image?: string
  readonly type?: string
  readonly updatedAt?: string
  /** A value of `color` that no other document may have. */
  readonly unique?: string
}

function documentOf(docId: string, mode: Mode, { fields, type = 'article', updatedAt = NOW }: Content): OpenDocument {
  return {
    id: { docId, locale: 'en', mode },
    type,
    fields: { title: docId, slug: docId, visibility: 'public', archived: false, ...fields },
    createdAt: NOW,
    updatedAt,
    updatedBy: { _id: null, firstName: '', lastName: '', username: null, title: 'System' },
    lastPublishedAt: null,
    wasPublished: true,
    modified: false,
    revision: 1,
  }
}

function indexRowsOf({ color = 'red', size = 1, topics = [red], image = used }: Content): IndexRow[] {
  return [
    { kind: 'value', name: 'color', text: color, number: null },
    { kind: 'value', name: 'size', text: null, number: size },
    ...topics.map((text) => ({ kind: 'document', name: '_topics', text, number: null }) as const),
    { kind: 'attachment', name: 'image', text: image, number: null },
  ]
}

/** The writing of both copies of a document, or of one. */
function putsOf(
  docId: string,
  given: Content = {},
  before: Content | null = null,
  modes: readonly Mode[] = ['draft', 'published'],
): Put[] {
  const state = (mode: Mode, of: Content) => ({
    document: documentOf(docId, mode, of),
    indexRows: indexRowsOf(of),
    ...(of.unique === undefined ? {} : { unique: [{ name: 'color', value: of.unique }] }),
  })
  return modes.map((mode) => ({ ...state(mode, given), before: before === null ? null : state(mode, before) }))
}

const pageOf = (docId: string, fields: JsonObject = {}): Content => ({
  type: 'page',
  fields: { slug: `/${docId}`, ...fields },
})
const topicOf = (fields: JsonObject = {}): Content => ({ type: 'topic', topics: [], fields })

const HOME = { docId: home, parent: '', path: home, level: 0, rank: 0 }
const ABOVE = { docId: above, parent: home, path: `${home}/${above}`, level: 1, rank: 0 }
const BELOW = { docId: below, parent: above, path: `${home}/${above}/${below}`, level: 2, rank: 0 }
const SIBLING = { docId: sibling, parent: home, path: `${home}/${sibling}`, level: 1, rank: 1 }
const ADDED = { docId: added, parent: home, path: `${home}/${added}`, level: 1, rank: 0 }

function versionOf(index: number, docId = first, mode: Mode = 'draft'): Version {
  return {
    id: known.versions[index] ?? '',
    docId,
    locale: 'en',
    mode,
    type: 'article',
    createdAt: NOW,
    updatedAt: null,
    author: 'System',
    authorId: null,
    ai: false,
    restoredFrom: null,
    label: null,
    data: null,
  }
}

const attachmentOf = (id: string) => ({
  ...{ id, group: 'images', name: 'a', title: 'A', extension: 'png', length: 12, md5: 'abc', width: 20, height: 10 },
  ...{ frames: 1, crops: [], createdAt: NOW, updatedAt: NOW, uploadedBy: null },
})

type Operation = readonly [method: string, name: string, run: (tx: StoreWriter) => Promise<unknown>]

/** Changes of all kinds, one after the other. Each changes what somebody reads. */
function operations(store: Store): Operation[] {
  const pageCopies = () => store.tree.copiesBelow('en', ABOVE.path)
  const put = (name: string, puts: Put[]): Operation => ['documents.put', name, (tx) => tx.documents.put(puts)]
  const recolored = { color: 'blue', size: 2, topics: [blue] }
  const renaming = { from: 'en', to: 'fr', madeByItself: [], archive: '', replace: false }
  return [
    put('a title', putsOf(first, { fields: { title: 'new' } }, {})),
    put('a draft alone', putsOf(second, { fields: { title: 'draft' } }, {}, ['draft'])),
    put('values', putsOf(second, recolored, {})),
    put('an order', putsOf(third, { updatedAt: '2026-02-02T00:00:00.000Z' }, {})),
    put('a slug', putsOf(first, { fields: { title: 'new', slug: absent } }, { fields: { title: 'new' } })),
    put('visibility', putsOf(third, { fields: { visibility: 'loginRequired' } }, {})),
    put(
      'an archived one',
      putsOf(third, { fields: { archived: true }, image: unused }, { fields: { visibility: 'loginRequired' } }),
    ),
    put(
      'a value that is unique',
      putsOf(
        third,
        { fields: { archived: true }, image: unused, unique: first },
        { fields: { archived: true }, image: unused },
      ),
    ),
    put('an attachment', putsOf(second, { ...recolored, image: unused }, recolored)),
    put('a type', putsOf(second, { ...recolored, image: unused, type: 'note' }, { ...recolored, image: unused })),
    put('a topic that is hidden', putsOf(blue, topicOf({ visibility: 'loginRequired' }), topicOf())),
    put('a topic that is renamed', putsOf(blue, topicOf({ slug: 'blue' }), topicOf({ visibility: 'loginRequired' }))),
    put('the content of a page', putsOf(below, pageOf(below, { text: 'new' }), pageOf(below))),
    put('the title of a page', putsOf(below, pageOf(below, { title: 'new' }), pageOf(below, { text: 'new' }))),
    ['documents.insert', 'a document', (tx) => tx.documents.insert(putsOf(later))],
    [
      'documents.insertMany',
      'a draft',
      (tx) => tx.documents.insertMany(putsOf(absent, { ...recolored, fields: { slug: 'written' } }, null, ['draft'])),
    ],
    put('a first publication', putsOf(absent, { ...recolored, fields: { slug: 'published' } }, null, ['published'])),
    [
      'documents.reindex',
      'other values',
      async (tx) => {
        const stored = (await tx.read.documents.following(0, 100)).filter(({ document }) => document.id.docId === later)
        await tx.documents.reindex(
          stored.map((one) => ({ ...one, indexRows: indexRowsOf({ color: 'green', size: 3 }), unique: [] })),
        )
      },
    ],
    ['documents.remove', 'a copy', (tx) => tx.documents.remove([{ docId: later, locale: 'en', mode: 'published' }])],
    [
      'versions.add',
      'one',
      (tx) => tx.versions.add({ ...versionOf(0), ai: true, authorId: 'key-ai' }, { title: 'a' }, [used]),
    ],
    [
      'versions.addMany',
      'two',
      (tx) => tx.versions.addMany([1, 2].map((at) => ({ version: versionOf(at), content: { at }, attachments: [] }))),
    ],
    [
      'versions.update',
      'one',
      (tx) => tx.versions.update({ ...versionOf(0), updatedAt: NOW }, { title: 'b' }, [unused]),
    ],
    ['versions.label', 'one', (tx) => tx.versions.label(versionOf(0).id, 'named')],
    ['versions.prune', 'one', (tx) => tx.versions.prune([versionOf(1).id])],
    ['attachments.add', 'one', (tx) => tx.attachments.add(attachmentOf(another))],
    ['attachments.addCrop', 'one', (tx) => tx.attachments.addCrop(used, CROP, { at: NOW, limit: 9 })],
    ['attachments.removeUnused', 'one', (tx) => tx.attachments.removeUnused([another], NOW)],
    ['settings.set', 'one', (tx) => tx.settings.set('one', 'a')],
    ['settings.claim', 'another', (tx) => tx.settings.claim('other', NOW, NOW)],
    ['settings.remove', 'one', (tx) => tx.settings.remove('one')],
    ['documents.insert', 'a page', (tx) => tx.documents.insert(putsOf(added, pageOf(added)))],
    ['tree.insert', 'a page', (tx) => tx.tree.insert('en', ADDED)],
    ['tree.move', 'pages', (tx) => tx.tree.move('en', ADDED, { ...ADDED, rank: 1 })],
    ['tree.remove', 'a page', (tx) => tx.tree.remove('en', { ...ADDED, rank: 1 })],
    ['tree.insertMany', 'pages', (tx) => tx.tree.insertMany('en', [ADDED])],
    ['tree.touch', 'a page', (tx) => tx.tree.touch('en', added, ['published'])],
    [
      'tree.rename',
      'pages',
      async (tx) => {
        const copies = await pageCopies()
        await tx.tree.rename(copies, new Map(copies.map(({ row, slug }) => [row, `${slug}/new`])))
      },
    ],
    put(
      'a page as it was, in its draft',
      putsOf(sibling, pageOf(sibling, { text: 'new' }), pageOf(sibling), ['draft']),
    ),
    ['tree.markModified', 'a page', (tx) => tx.tree.markModified('en', [sibling])],
    ['tree.setArchived', 'pages', (tx) => tx.tree.setArchived('en', ABOVE.path, true)],
    [
      'tree.recordFormerUrls',
      'a page',
      (tx) => tx.tree.recordFormerUrls('en', [{ docId: sibling, slug: '/former' }], NOW),
    ],
    ['tree.claimUrls', 'a page', (tx) => tx.tree.claimUrls('en', ['/former'])],
    ['versions.removeOf', 'a document', (tx) => tx.versions.removeOf(first, 'en')],
    ['versions.add', 'another', (tx) => tx.versions.add(versionOf(3, first, 'published'), { title: 'a' })],
    ['contentMigrations.renameVersions', 'all', (tx) => tx.contentMigrations.renameVersions('article', 'note', 9)],
    ['versions.removeLocale', 'all', (tx) => tx.versions.removeLocale('en', [])],
    ['locales.rename', 'all', (tx) => tx.locales.rename(renaming, () => {})],
    ['locales.remove', 'all', (tx) => tx.locales.remove('fr', () => {})],
  ]
}

interface Observation {
  readonly read: string
  readonly value: string
  readonly sources: Sources
}

/** All reads, each with its sources. */
async function observe(store: Store): Promise<Observation[]> {
  const calls = Object.entries(readsOf(store, known)).flatMap(([part, methods]) =>
    Object.entries(methods).flatMap(([method, reads]: [string, readonly (() => Promise<unknown>)[]]) =>
      reads.map((run, index) => ({ read: `${part}.${method} ${index}`, run })),
    ),
  )
  return Promise.all(
    calls.map(async ({ read, run }) => {
      const sources = new Sources(changesOf(store))
      return { read, value: asText(await sources.collect(run)), sources }
    }),
  )
}

/** `documents.get` of `documents.get 3`. */
function methodOf(read: string): string {
  return read.replace(/ .*/, '')
}

function asText(value: unknown): string {
  return JSON.stringify(value, (_, part) => {
    if (part instanceof Map) return [...part].sort()
    if (part instanceof Set) return [...part].sort()
    if (part instanceof Uint8Array) return Buffer.from(part).toString('base64')
    return part
  })
}

function changesOf(store: Store): Changes {
  return store.changes() ?? expect.fail('It is unknown what was changed.')
}

describe.each(storeDatabases)('what commits announce on $title', ({ createReady, isTold }) => {
  let database: StoreDatabase
  let store: Store
  let other: Store

  beforeAll(async () => {
    database = await createReady()
    store = await open(database.url, { log, listenAt: database.listenAt })
    other = await open(database.url, { log, listenAt: database.listenAt })
    await store.transaction(async (tx) => {
      for (const id of [used, unused]) await tx.attachments.add(attachmentOf(id))
      await tx.documents.insertMany([red, blue].flatMap((id) => putsOf(id, topicOf())))
      await tx.documents.insertMany([first, second, third].flatMap((id) => putsOf(id)))
      await tx.documents.insertMany([home, above, below, sibling].flatMap((id) => putsOf(id, pageOf(id))))
      for (const position of [HOME, ABOVE, BELOW, SIBLING]) await tx.tree.insert('en', position)
    })
  })
  afterAll(async () => {
    await store.close()
    await other.close()
    await database.drop()
  })

  test('§0.7 whatever is changed, nothing that reads otherwise afterwards stands, in any process', async () => {
    const found: object[] = []
    const seen = new Set<string>()
    let before = await observe(store)
    for (const [method, name, run] of operations(store)) {
      await other.catchUp(store.revision() ?? '')
      const since = changesOf(other).now
      await store.transaction(run)
      await other.catchUp(store.revision() ?? '')
      const after = await observe(store)
      const different = before.filter(({ value }, index) => value !== after[index]?.value)
      const here = different.filter(({ sources }) => sources.basis.isCurrent(changesOf(store)))
      const there = different.filter(({ sources }) => new Basis(sources.basis.names, since).isCurrent(changesOf(other)))
      const [readHere, readThere] = [here, there].map((stale) => stale.map(({ read }) => read))
      for (const { read } of different) seen.add(methodOf(read))
      found.push({ method, name, isSeen: different.length > 0, here: readHere, there: readThere })
      before = after
    }
    expect(found).toEqual(
      operations(store).map(([method, name]) => ({ method, name, isSeen: true, here: [], there: [] })),
    )
    // A cached answer that did not note its reads would stay.
    expect([...new Set(before.map(({ read }) => methodOf(read)))].filter((method) => !seen.has(method))).toEqual([])
  }, 120_000)

  test('each method that changes something is among them', () => {
    const announcing = Object.entries(writerMethods).flatMap(([part, methods]) =>
      Object.entries(methods).flatMap(([method, what]) => (what === 'announces' ? [`${part}.${method}`] : [])),
    )
    expect(new Set(operations(store).map(([method]) => method))).toEqual(new Set(announcing))
  })

  test.runIf(isTold)('what is rolled back is not announced, nor what changes nothing', async () => {
    const revision = store.revision()
    const fails = store.transaction(async (tx) => {
      await tx.documents.insert(putsOf(newId()))
      throw new Error('not stored')
    })
    await expect(fails).rejects.toThrow('not stored')
    await store.transaction(async (tx) => {
      await tx.documents.lockCopies(first, 'en')
      await tx.keys.revoke('none', NOW)
      await tx.attachments.recordLeftOver(['none'], NOW)
    })
    expect(store.revision()).toBe(revision)
  })

  test.runIf(isTold)(
    'of transactions that are committed together, one that fails is announced by nobody, and the others once',
    async () => {
      const docIds = ids(6)
      const sourcesOf = async (docId: string) => {
        const sources = new Sources(changesOf(store))
        await sources.collect(() => store.documents.get({ docId, locale: 'en', mode: 'published' }))
        return sources
      }
      const sources = await Promise.all(docIds.map(sourcesOf))
      await other.catchUp(store.revision() ?? '')
      const revision = other.revision()
      const results = await Promise.allSettled(
        docIds.map((docId, index) =>
          store.transaction(async (tx) => {
            await tx.documents.insert(putsOf(docId))
            if (index === 3) throw new Error('not stored')
          }),
        ),
      )
      expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
      const changes = changesOf(store)
      const standing = sources.map(({ basis }) => basis.isCurrent(changes))
      expect(standing).toEqual([false, false, false, true, false, false])
      await other.catchUp(store.revision() ?? '')
      const count = (text: string | null) => Number(text?.split('.').at(-1))
      expect(count(other.revision()) - count(revision)).toBe(5)
    },
  )

  test('what a transaction or a snapshot reads is read for the caller that began it, however many wait', async () => {
    const docIds = ids(8)
    const reads = docIds.map(async (docId, index) => {
      const sources = new Sources(changesOf(store))
      const get = ({ documents }: StoreReader) => documents.get({ docId, locale: 'en', mode: 'published' })
      await sources.collect(() =>
        index % 2 === 0 ? store.transaction((tx) => get(tx.read)) : store.snapshot((reader) => get(reader)),
      )
      return sources.basis.names
    })
    const expected = docIds.map((docId) => [changed.copy({ docId, locale: 'en', mode: 'published' })])
    expect(await Promise.all(reads)).toEqual(expected)
  })

  test.runIf(isTold)('a save lets stand what is made of other documents, here and there', async () => {
    const [one = '', two = ''] = ids(2)
    await store.transaction((tx) => tx.documents.insertMany([one, two].flatMap((id) => putsOf(id))))
    for (const reading of [store, other]) {
      await other.catchUp(store.revision() ?? '')
      const changes = changesOf(reading)
      const sources = new Sources(changes)
      await sources.collect(() => reading.documents.get({ docId: one, locale: 'en', mode: 'published' }))
      await store.transaction((tx) => tx.documents.put(putsOf(two, { color: newId() }, {})))
      await other.catchUp(store.revision() ?? '')
      expect(sources.basis.isCurrent(changesOf(reading))).toBe(true)
    }
  })
})
