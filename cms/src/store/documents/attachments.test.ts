import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type StoreDatabase, storeDatabases } from '../../../test/store-databases.ts'
import { newId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { IndexRow } from '../../model/field-type/value-terms.ts'
import type { OpenDocument } from '../../model/terms/document.ts'
import type { Mode } from '../../model/terms/document-id.ts'
import type { Store } from '../contract/store.ts'
import { open } from '../open-store.ts'
import type { Attachment } from '../terms/attachment-store.ts'
import type { Version } from '../terms/version-store.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }
const NOW = '2026-01-01T00:00:00.000Z'
const LATER = '2026-01-02T00:00:00.000Z'
const CROP = { top: 1, left: 2, width: 3, height: 4 }

function attachmentOf(given: Partial<Attachment> = {}): Attachment {
  return {
    id: newId(),
    group: 'images',
    name: 'photo',
    title: 'photo',
    extension: 'jpg',
    length: 12,
    md5: 'abc',
    width: 20,
    height: 10,
    frames: 1,
    crops: [],
    createdAt: NOW,
    updatedAt: NOW,
    uploadedBy: null,
    ...given,
  }
}

function documentOf(docId: string, mode: Mode, fields: JsonObject = {}): OpenDocument {
  return {
    id: { docId, locale: 'en', mode },
    type: '@cms/image',
    fields: { title: docId, slug: `image-${docId}`, visibility: 'public', archived: false, ...fields },
    createdAt: NOW,
    updatedAt: NOW,
    updatedBy: { _id: null, firstName: '', lastName: '', username: null, title: 'System' },
    lastPublishedAt: null,
    wasPublished: true,
    modified: false,
    revision: 1,
  }
}

const uses = (id: string, name = 'attachment'): IndexRow => ({ kind: 'attachment', name, text: id, number: null })

describe.each(storeDatabases)('attachments in the store on $title', ({ create }) => {
  let database: StoreDatabase
  let store: Store
  const statements: string[] = []

  beforeAll(async () => {
    database = await create()
    store = await open(database.url, { log, listenAt: database.listenAt, onStatement: (sql) => statements.push(sql) })
  })
  afterAll(async () => {
    await store.close()
    await database.drop()
  })

  async function add(given: Partial<Attachment> = {}): Promise<Attachment> {
    const attachment = attachmentOf(given)
    await store.transaction((tx) => tx.attachments.add(attachment))
    return attachment
  }

  /** A document with a draft and a published copy that use an attachment. */
  async function addUser(id: string, fields: JsonObject = {}): Promise<string> {
    const docId = newId()
    const puts = (['draft', 'published'] as const).map((mode) => ({
      document: documentOf(docId, mode, fields),
      indexRows: [uses(id)],
      before: null,
    }))
    await store.transaction((tx) => tx.documents.insert(puts))
    return docId
  }

  async function addVersion(docId: string, attachments: readonly string[]): Promise<Version> {
    const version: Version = {
      id: newId(),
      docId,
      locale: 'en',
      mode: 'draft',
      type: '@cms/image',
      createdAt: NOW,
      updatedAt: null,
      author: 'System',
      authorId: null,
      ai: false,
      restoredFrom: null,
      label: null,
      data: null,
    }
    await store.transaction((tx) => tx.versions.add(version, { attachments: [...attachments] }, attachments))
    return version
  }

  test('§2.3 what was added is found, and what was not is not', async () => {
    const one = await add()
    const other = await add({ extension: 'pdf', group: 'office', width: null, height: null, frames: null })
    const found = await store.attachments.byIds([one.id, 'unknown', other.id])
    expect([...found.values()].map(({ attachment }) => attachment)).toEqual([one, other])
    expect(await store.attachments.byIds([])).toEqual(new Map())
  })

  test('§2.3 the documents that use them are found in the same statement, archived ones marked', async () => {
    const one = await add()
    const other = await add()
    const user = await addUser(one.id)
    const archived = await addUser(one.id, { archived: true, visibility: 'loginRequired' })
    statements.length = 0
    const found = await store.attachments.byIds([one.id, other.id])
    expect(statements).toHaveLength(1)
    expect(found.get(other.id)?.uses).toEqual([])
    expect(found.get(one.id)?.uses).toEqual(
      [
        { docId: user, archived: false, visibility: 'public' },
        { docId: archived, archived: true, visibility: 'loginRequired' },
      ].flatMap(({ docId, ...state }) =>
        (['draft', 'published'] as const).map((mode) => ({
          id: { docId, locale: 'en', mode },
          type: '@cms/image',
          indexName: 'attachment',
          ...state,
        })),
      ),
    )
  })

  test('§2.3 a document that goes is no user any more', async () => {
    const { id } = await add()
    const docId = await addUser(id)
    await store.transaction((tx) => tx.documents.remove([{ docId, locale: 'en', mode: 'draft' }]))
    const found = await store.attachments.byIds([id])
    expect(found.get(id)?.uses.map((use) => use.id.mode)).toEqual(['published'])
  })

  test('§4.3 the same crop is kept once, also when two come at the same moment', async () => {
    const { id } = await add()
    const before = store.revision()
    const crops = [CROP, CROP, { ...CROP, top: 0 }, CROP]
    const added = await Promise.all(
      crops.map((crop) => store.transaction((tx) => tx.attachments.addCrop(id, crop, { at: LATER, limit: 100 }))),
    )
    expect(added).toEqual(['added', 'added', 'added', 'added'])
    const found = (await store.attachments.byIds([id])).get(id)?.attachment
    expect(found?.crops).toHaveLength(2)
    expect(found?.updatedAt).toBe(LATER)
    expect(store.revision()).not.toBe(before)
    expect(await store.transaction((tx) => tx.attachments.addCrop('unknown', CROP, { at: LATER, limit: 100 }))).toBe(
      'missing',
    )
  })

  test('§4.3 a crop is announced to other processes, whose answers show it', async () => {
    const { id } = await add()
    const other = await open(database.url, { log, listenAt: database.listenAt })
    try {
      const before = other.revision()
      await store.transaction((tx) => tx.attachments.addCrop(id, CROP, { at: LATER, limit: 100 }))
      await expect.poll(() => other.revision()).not.toBe(before)
    } finally {
      await other.close()
    }
  })

  test('§4.3 what a document or a version names stays, the rest can be removed', async () => {
    const used = await add()
    const versioned = await add()
    const unused = await add()
    await addUser(used.id)
    const { docId } = await addVersion(newId(), [versioned.id])
    const ids = [used.id, versioned.id, unused.id]
    expect(await store.attachments.unused(ids)).toEqual(new Set([unused.id]))
    expect(await store.transaction((tx) => tx.attachments.removeUnused(ids, NOW))).toEqual([unused])
    expect([...(await store.attachments.byIds(ids)).keys()]).toEqual([used.id, versioned.id])
    await store.transaction((tx) => tx.versions.removeOf(docId, null))
    expect(await store.attachments.unused(ids)).toEqual(new Set([versioned.id]))
  })

  test('§4.3 an autosaved version names only what it holds now', async () => {
    const first = await add()
    const second = await add()
    const version = await addVersion(newId(), [first.id])
    await store.transaction((tx) =>
      tx.versions.update({ id: version.id, updatedAt: LATER, data: null }, { changed: true }, [second.id]),
    )
    expect(await store.attachments.unused([first.id, second.id])).toEqual(new Set([first.id]))
  })

  test('§4.3 what somebody takes at this moment is not removed', async () => {
    const { id } = await add()
    const docId = newId()
    const [, removed] = await Promise.all([
      store.transaction(async (tx) => {
        await tx.attachments.lock([id])
        if (!(await tx.read.attachments.existing([id])).has(id)) return
        const put = { document: documentOf(docId, 'published'), indexRows: [uses(id)], before: null }
        await tx.documents.insert([put])
      }),
      store.transaction((tx) => tx.attachments.removeUnused([id], NOW)),
    ])
    const isUsed = (await store.documents.get({ docId, locale: 'en', mode: 'published' })) !== null
    expect(removed).toHaveLength(isUsed ? 0 : 1)
  })

  test('§4.3 all are walked in batches, each once', async () => {
    const total = await store.attachments.count()
    const walked: string[] = []
    for (let after = ''; ; after = walked.at(-1) ?? '') {
      const batch = await store.attachments.following(after, 2)
      walked.push(...batch.map(({ id }) => id))
      if (batch.length < 2) break
    }
    expect(walked).toHaveLength(total)
    expect(new Set(walked).size).toBe(total)
  })

  test('§4.3 the files of image pieces are found by their documents', async () => {
    const one = await add()
    const docId = await addUser(one.id)
    expect(await store.attachments.ofDocuments([docId, 'unknown'], 'attachment')).toEqual(new Map([[docId, [one]]]))
    expect(await store.attachments.ofDocuments([docId], 'download')).toEqual(new Map())
  })

  test('§4.3 one process at a time claims the work', async () => {
    const claim = (now: string, before: string) => store.transaction((tx) => tx.settings.claim('cleaning', now, before))
    const taken = await Promise.all([claim(NOW, '2025-12-31'), claim(NOW, '2025-12-31')])
    expect(taken.filter((one) => one)).toHaveLength(1)
    expect(await claim(LATER, '2025-12-31')).toBe(false)
    expect(await claim(LATER, NOW)).toBe(true)
    expect(await store.settings.get('cleaning')).toBe(LATER)
    await store.transaction((tx) => tx.settings.set('cleaning', NOW))
    expect(await store.settings.get('cleaning')).toBe(NOW)
    await store.transaction((tx) => tx.settings.remove('cleaning'))
    expect(await store.settings.get('cleaning')).toBe(null)
  })
})
