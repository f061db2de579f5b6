import { DatabaseSync } from 'node:sqlite'
import { zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../../test/consistency.ts'
import { storeDatabases } from '../../../test/store-databases.ts'
import type { JsonObject } from '../../base/json.ts'
import { quietLog } from '../../cli/command/json-log.ts'
import type { Dialect } from '../database/connection.ts'
import { Sql, sql } from '../database/sql.ts'
import { contentHash } from '../database/stored-content.ts'
import { open } from '../open-store.ts'
import { postgresDialect } from '../postgres/postgres-dialect.ts'
import { sqliteDialect } from '../sqlite/sqlite-dialect.ts'
import { MIGRATIONS } from './index.ts'

const BEFORE = 10
const TIME = '2026-01-01T00:00:00.000Z'
const AUTHOR = { _id: null, firstName: '', lastName: '', username: null, title: 'Ada' }

type Mode = 'draft' | 'published'

interface Copy {
  readonly docId: string
  readonly locale: string
  readonly mode: Mode
  readonly fields: JsonObject
}

/** Sends statements past the store: the tables as they were before are known to the first migrations alone. */
async function send(url: string, statements: (dialect: Dialect) => readonly Sql[]): Promise<void> {
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(url.slice('sqlite:'.length))
    database.exec('begin')
    // `as`: values of ours.
    for (const { texts, values } of statements(sqliteDialect)) database.prepare(texts.join('?')).all(...(values as []))
    database.exec('commit')
    return database.close()
  }
  const client = new Client({ connectionString: url })
  await client.connect()
  for (const { texts, values } of statements(postgresDialect)) {
    const text = texts.reduce((whole, next, index) => `${whole}$${index}${next}`)
    await client.query(text, [...values])
  }
  await client.end()
}

const tablesBefore = (dialect: Dialect) => [
  sql`create table if not exists meta (name ${dialect.words.text} primary key, value ${dialect.words.text} not null)`,
  ...MIGRATIONS.slice(0, BEFORE).flatMap(({ parts }) => parts(dialect).filter((part) => part instanceof Sql)),
  sql`insert into meta (name, value) values ('version', ${String(BEFORE)})`,
]

/** As it was stored: the columns of slug and archived outweighed what the body said. */
function copyBefore({ docId, locale, mode, fields }: Copy): Sql {
  const body = JSON.stringify({ ...fields, slug: '', archived: false })
  const [slug, title] = [String(fields.slug), String(fields.title)]
  return sql`insert into documents (doc_id, locale, mode, type, slug_scope, slug, slug_folded, title, title_folded, title_sort,
      visibility, archived, created_at, updated_at, updated_by, last_published_at, modified, revision, search_stale, body)
    values (${docId}, ${locale}, ${mode}, 'article', 'article', ${slug}, ${slug}, ${title}, ${title}, ${title},
      ${fields.visibility}, ${fields.archived ? 1 : 0}, ${TIME}, ${TIME}, ${JSON.stringify(AUTHOR)}, null, 0, 3, 0, ${body})`
}

interface Version {
  readonly id: string
  readonly docId: string
  readonly content: JsonObject
  readonly earlier?: JsonObject
}

function versionBefore({ id, docId, content, earlier }: Version): Sql[] {
  const hashOf = (held: JsonObject) => contentHash(JSON.stringify(held)).padEnd(64, '0')
  const contents = [content, ...(earlier ? [earlier] : [])].map(
    (held) => sql`insert into version_contents (doc_id, hash, data)
      values (${docId}, ${hashOf(held)}, ${zstdCompressSync(JSON.stringify(held))}) on conflict do nothing`,
  )
  return [
    ...contents,
    sql`insert into versions (id, doc_id, locale, mode, type, created_at, updated_at, author, author_id, ai, restored_from, undo,
        label, data, content, earlier_content, earlier_at)
      values (${id}, ${docId}, 'en', 'draft', 'article', ${TIME}, ${earlier ? '2026-01-03T00:00:00.000Z' : null}, 'Ada', null, 1,
        null, 0, 'Named', '{"a":1}', ${hashOf(content)}, ${earlier ? hashOf(earlier) : null}, ${earlier ? TIME : null})`,
    sql`insert into version_attachments (doc_id, content, attachment) values (${docId}, ${hashOf(content)}, 'picture') on conflict do nothing`,
  ]
}

const fieldsOf = (docId: string, more: JsonObject = {}): JsonObject => ({
  title: `Title ${docId}`,
  slug: `slug-${docId}`,
  visibility: 'loginRequired',
  archived: false,
  ...more,
})

describe.each(storeDatabases)('migration 0011 on $title', ({ create }) => {
  test('§2 documents of a database of the past, whatever they hold, are what they were, and equal ones share a content', async () => {
    const database = await create()
    try {
      const [drawn = []] = fc.sample(
        fc.array(fc.object({ withNullPrototype: false, maxDepth: 3 }), { minLength: 60 }),
        1,
      )
      const awkward: JsonObject = {
        numbers: [1e21, -0.5, 1e-7, 0.1],
        texts: [
          '\u0000\u001f"\\/',
          '\ud83d\ude00é\u2028',
          '</script>',
          '{"visibility":"public"}',
          '\\u0000 \\',
          '\ud800',
        ],
        inner: { visibility: 'public', slug: 'inner', archived: true, copyOfId: 'x' },
        'visibility"': 1,
        '': null,
      }
      const values = [awkward, ...drawn.map((one) => JSON.parse(JSON.stringify({ value: one })) as JsonObject)]
      const copies = values.flatMap((value, index): Copy[] => {
        const docId = `d${index}`
        const fields = fieldsOf(docId, { ...value, ...(index % 3 === 0 && { copyOfId: 'origin:en:draft' }) })
        const draft: Copy = { docId, locale: 'en', mode: 'draft', fields }
        const changed = { ...fields, title: 'Former', archived: true, slug: `former-${index}` }
        return [draft, { ...draft, mode: 'published', fields: index % 2 === 0 ? fields : changed }]
      })
      await send(database.url, tablesBefore)
      await send(database.url, () => copies.map(copyBefore))
      const store = await open(database.url, { log: quietLog, listenAt: database.listenAt })
      for (const { docId, locale, mode, fields } of copies) {
        const document = await store.documents.get({ docId, locale, mode })
        expect(document).toMatchObject({ type: 'article', revision: 3, updatedBy: AUTHOR })
        expect(document?.fields).toEqual(fields)
      }
      await store.close()
      const [contents = [], documents = []] = await rowsOf(database.url, [
        'select hash, body, packed from contents order by doc_id, hash',
        'select d.bytes, c.body from documents d join contents c on c.n = d.content and c.doc_id = d.doc_id',
      ])
      expect(contents).toHaveLength(values.length + Math.floor(values.length / 2))
      for (const { hash, body, packed } of contents) {
        const {
          slug: _slug,
          archived: _archived,
          visibility: _visibility,
          copyOfId: _origin,
          ...rest
        } = JSON.parse(`${body}`)
        // As the store would write it now.
        expect(body).toBe(JSON.stringify(rest))
        expect([hash, packed]).toEqual([contentHash(`${body}`), null])
      }
      expect(documents).toHaveLength(copies.length)
      for (const { bytes, body } of documents) expect(Number(bytes)).toBe(Buffer.byteLength(`${body}`))
    } finally {
      await database.drop()
    }
  })

  test('§2.4 versions of a database of the past are read as they were, and go with their contents', async () => {
    const database = await create()
    try {
      const contents = ['one', 'two'].map((title): JsonObject => ({ title, slug: title, body: 'x'.repeat(5000) }))
      const [one = {}, two = {}] = contents
      await send(database.url, tablesBefore)
      await send(database.url, () => [
        copyBefore({ docId: 'd', locale: 'en', mode: 'draft', fields: fieldsOf('d') }),
        copyBefore({ docId: 'd', locale: 'fr', mode: 'draft', fields: fieldsOf('d') }),
        ...versionBefore({ id: 'v1', docId: 'd', content: one }),
        ...versionBefore({ id: 'v2', docId: 'd', content: one }),
        ...versionBefore({ id: 'v3', docId: 'd', content: two, earlier: one }),
      ])
      const store = await open(database.url, { log: quietLog, listenAt: database.listenAt })
      try {
        const { versions } = store
        expect(await versions.get('v1')).toMatchObject({
          version: { label: 'Named', data: { a: 1 }, ai: true },
          content: one,
        })
        expect((await versions.get('v3'))?.content).toEqual(two)
        const [newest] = await versions.list({ docId: 'd', locale: 'en' })
        expect(newest).toMatchObject({ id: 'v3', updatedAt: '2026-01-03T00:00:00.000Z', previous: { id: 'v2' } })
        if (newest === undefined || newest.previous === null) throw new Error('It is gone.')
        const refs = [newest.content, newest.previous.content]
        const opened = await versions.contents(refs)
        const textOf = (ref: (typeof refs)[number]) => opened.find(({ hash }) => hash === ref.hash)?.open(ref)
        expect(refs.map(textOf)).toEqual([two, one])
        const until = '2026-01-02T00:00:00.000Z'
        expect((await versions.newestUntil('d', 'en', { until, mode: 'draft' }))?.content).toEqual(one)
        expect(await store.transaction((tx) => tx.versions.removeOf('d', 'en'))).toEqual(['picture'])
      } finally {
        await store.close()
      }
      const [left = [], named = []] = await rowsOf(database.url, [
        'select body from contents',
        'select * from version_attachments',
      ])
      // Those of the two copies.
      expect([left.length, named.length]).toEqual([1, 0])
    } finally {
      await database.drop()
    }
  })

  test('§2 many documents and versions of a database of the past have each their own content', async () => {
    const database = await create()
    try {
      const names = Array.from({ length: 250 }, (_, index) => `d${index}`)
      const formerly = (docId: string): JsonObject => ({ title: `Former ${docId}`, slug: `former-${docId}` })
      await send(database.url, tablesBefore)
      await send(database.url, () =>
        names.flatMap((docId) => [
          copyBefore({ docId, locale: 'en', mode: 'draft', fields: fieldsOf(docId) }),
          ...versionBefore({ id: `v-${docId}`, docId, content: formerly(docId) }),
        ]),
      )
      const store = await open(database.url, { log: quietLog, listenAt: database.listenAt })
      try {
        for (const docId of names) {
          expect((await store.documents.get({ docId, locale: 'en', mode: 'draft' }))?.fields).toEqual(fieldsOf(docId))
          expect((await store.versions.get(`v-${docId}`))?.content).toEqual(formerly(docId))
        }
      } finally {
        await store.close()
      }
      const [contents = []] = await rowsOf(database.url, ['select n from contents'])
      expect(contents).toHaveLength(2 * names.length)
    } finally {
      await database.drop()
    }
  })
})
