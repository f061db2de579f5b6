import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { putOf } from '../../../test/list-cases.ts'
import { type StoreDatabase, storeDatabases } from '../../../test/store-databases.ts'
import type { Store } from '../contract/store.ts'
import { open } from '../open-store.ts'
import type { Query } from '../terms/document-query.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }
/** More than are read at a time. */
const COUNT = 8300
const BATCH = 500

describe.each(storeDatabases)('words that very many documents have on $title', ({ createReady }) => {
  let database: StoreDatabase
  let store: Store

  const put = (ids: readonly number[], title: string) =>
    store.transaction(({ documents }) =>
      documents.put(
        ids.map((id) => {
          const content = {
            title,
            visibility: 'public',
            archived: false,
            minute: 0,
            section: null,
            rank: null,
          } as const
          const write = { type: 'article', id, locale: 'en', mode: 'published', content: null } as const
          return putOf(write, { ...content, topics: [] }, null)
        }),
      ),
    )

  /** Every third one has the word `some`, all have `all`. */
  const wordsOf = (id: number) => (id % 3 === 0 ? 'all some' : 'all')

  beforeAll(async () => {
    database = await createReady()
    store = await open(database.url, { log, listenAt: database.listenAt })
    for (let from = 0; from < COUNT; from += BATCH) {
      const ids = Array.from({ length: Math.min(BATCH, COUNT - from) }, (_, index) => from + index)
      await put(ids, 'T')
      const waiting = await store.documents.unsearched(0, BATCH)
      const rows = waiting.map(({ row, titleChanges, document: { id, revision } }) => {
        return { row, revision, titleChanges, words: wordsOf(Number(id.docId.slice('article-'.length))) }
      })
      await store.transaction(({ documents }) => documents.putSearchWords(rows))
    }
  })
  afterAll(async () => {
    await store.close()
    await database.drop()
  })

  const found = async (words: string[][], isPrefix: boolean, offset: number) => {
    const indexed = store.changes()?.now ?? 0
    const recent = { indexed, of: async () => new Map(), unread: async () => 0 }
    const query: Query = {
      ...{ type: 'article', locale: 'en', mode: 'published', archived: false, visibility: 'public', conditions: [] },
      ...{ sort: [], search: { words, isPrefix, recent }, offset, limit: 10 },
    }
    const { documents, total } = await store.documents.find(query)
    return { ids: documents.map(({ id }) => Number(id.docId.slice('article-'.length))), total }
  }
  const newest = (from: number, step: number) => Array.from({ length: 10 }, (_, index) => from - step * index)

  test('§4.1 a search finds all of them, newest first, however many there are', async () => {
    expect(await found([['all']], false, 0)).toEqual({ ids: newest(COUNT - 1, 1), total: COUNT })
    expect(await found([['al']], true, COUNT - 20)).toEqual({ ids: newest(19, 1), total: COUNT })
    const some = Math.ceil(COUNT / 3)
    expect(await found([['all'], ['some']], false, 0)).toEqual({ ids: newest(8298, 3), total: some })
    // A beginning that no index has is gathered first.
    expect(await found([['a']], true, COUNT - 10)).toEqual({ ids: newest(9, 1), total: COUNT })
  })
})
