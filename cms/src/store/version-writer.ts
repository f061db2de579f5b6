import { hash } from 'node:crypto'
import { zstdCompressSync } from 'node:zlib'
import type { JsonObject } from '../base/json.ts'
import type { DocId, Locale } from '../model/document.ts'
import { changed } from './changes.ts'
import type { Transaction } from './database.ts'
import { joined, type Sql, sql } from './sql.ts'
import { fixed } from './statement.ts'
import type { NewVersion, Version, VersionWriter } from './store.ts'
import type { StoredForm } from './stored-form.ts'

type Content = { docId: string; digest: string; data: Uint8Array }

const PUT_CONTENT = fixed(
  ({ docId, digest, data }: Content): Sql =>
    sql`insert into version_contents (doc_id, hash, data) values (${docId}, ${digest}, ${data}) on conflict do nothing`,
)

/** Where writers run concurrently: locks a content that is there already, so that nobody drops it meanwhile. */
const LOCK_CONTENT = sql`on conflict (doc_id, hash) do update set data = version_contents.data`

const PUT_AND_LOCK_CONTENT = fixed(
  ({ docId, digest, data }: Content): Sql =>
    sql`insert into version_contents (doc_id, hash, data) values (${docId}, ${digest}, ${data}) ${LOCK_CONTENT}`,
)

/** How many versions of a locale are deleted at a time. */
const BATCH = 1000

/** That no version holds a row of `version_contents`, or has held it when a translation was saved. */
const IS_CONTENT_UNUSED = sql`not exists (
    select 1 from versions v where v.doc_id = version_contents.doc_id and v.content = version_contents.hash)
  and not exists (
    select 1 from versions v where v.doc_id = version_contents.doc_id and v.earlier_content = version_contents.hash)`

const INSERT_VERSIONS = sql`insert into versions (id, doc_id, locale, mode, type, created_at, updated_at, author,
  author_id, ai, restored_from, undo, label, data, content) values`

function versionCells(version: Version, digest: string): Sql {
  const { docId, locale, mode, type, createdAt, updatedAt, author, authorId, restoredFrom, label } = version
  return sql`(${version.id}, ${docId}, ${locale}, ${mode}, ${type}, ${createdAt}, ${updatedAt}, ${author},
    ${authorId}, ${version.ai ? 1 : 0}, ${restoredFrom}, ${version.isUndo ? 1 : 0}, ${label}, ${jsonOrNull(version.data)}, ${digest})`
}

/** Records saves. Equal contents of one document are stored once, under their hash. */
export class SqlVersionWriter implements VersionWriter {
  readonly #connection: Transaction
  readonly #form: StoredForm

  constructor(connection: Transaction, form: StoredForm) {
    this.#connection = connection
    this.#form = form
  }

  async add(version: Version, content: JsonObject, attachments: readonly string[] = []): Promise<void> {
    const digest = await this.#putContent(version.docId, content, attachments)
    await this.#connection.all(sql`${INSERT_VERSIONS} ${versionCells(version, digest)}`)
    this.#changed([version.docId])
  }

  async addMany(versions: readonly NewVersion[]): Promise<void> {
    const added = versions.map((one) => ({ ...one, ...this.#compressed(one.content) }))
    const contents = new Map(
      added.map(({ version: { docId }, digest, data }) => [docId + digest, sql`(${docId}, ${digest}, ${data})`]),
    )
    const conflict = this.#connection.dialect.hasWaited ? LOCK_CONTENT : sql`on conflict do nothing`
    await this.#connection.all(
      sql`insert into version_contents (doc_id, hash, data) values ${joined([...contents.values()])} ${conflict}`,
    )
    await this.#nameAttachments(
      added.flatMap(({ version: { docId }, digest, attachments }) => attachments.map((one) => [docId, digest, one])),
    )
    const rows = added.map(({ version, digest }) => versionCells(version, digest))
    await this.#connection.all(sql`${INSERT_VERSIONS} ${joined(rows)}`)
    this.#changed(added.map(({ version }) => version.docId))
  }

  async update(
    { id, updatedAt, data }: Pick<Version, 'id' | 'updatedAt' | 'data'>,
    content: JsonObject,
    attachments: readonly string[] = [],
  ): Promise<void> {
    const [row] = await this.#connection.all<{ doc_id: string }>(sql`select doc_id from versions where id = ${id}`)
    if (row === undefined) throw new Error('There is no such version.')
    const digest = await this.#putContent(row.doc_id, content, attachments)
    await this.#rememberEarlier(id)
    await this.#connection.all(
      sql`update versions set content = ${digest}, updated_at = ${updatedAt}, data = ${jsonOrNull(data)} where id = ${id}`,
    )
    await this.#dropUnused([row.doc_id])
    this.#changed([row.doc_id])
  }

  /**
   * Notes what a version holds before that is replaced, where another locale was saved since: it may be compared with
   * that. What was noted before stays while a locale was last saved then: for later ones it is older than it need be.
   */
  async #rememberEarlier(id: string): Promise<void> {
    const since = sql`coalesce(versions.updated_at, versions.created_at)`
    const isTranslation = sql`d.doc_id = versions.doc_id and d.locale <> versions.locale`
    await this.#connection.all(
      sql`update versions set earlier_content = content, earlier_at = ${since} where id = ${id}
        and exists (select 1 from documents d where ${isTranslation} and d.updated_at >= ${since})
        and not exists (select 1 from documents d where ${isTranslation}
          and d.updated_at >= versions.earlier_at and d.updated_at < ${since})`,
    )
  }

  async label(id: string, label: string | null): Promise<void> {
    const rows = await this.#connection.all<{ doc_id: string }>(
      sql`update versions set label = ${label} where id = ${id} returning doc_id`,
    )
    this.#changed(rows.map((row) => row.doc_id))
  }

  async removeOf(docId: DocId, locale: Locale | null): Promise<readonly string[]> {
    const inLocale = locale === null ? sql`` : sql`and locale = ${locale}`
    const named = await this.#connection.all<{ attachment: string }>(
      sql`select distinct attachment from version_attachments where doc_id = ${docId}`,
    )
    await this.#connection.all(sql`delete from versions where doc_id = ${docId} ${inLocale}`)
    await this.#dropUnused([docId])
    this.#changed([docId])
    return named.map(({ attachment }) => attachment)
  }

  async removeLocale(locale: Locale, except: readonly DocId[]): Promise<void> {
    const isRemoved = sql`locale = ${locale} and not (${this.#connection.dialect.oneOf(sql`doc_id`, except, 'text')})`
    for (;;) {
      const rows = await this.#connection.all<{ doc_id: string }>(
        sql`delete from versions where id in (select id from versions where ${isRemoved} limit ${BATCH})
          returning doc_id`,
      )
      if (rows.length === 0) return
      const docIds = [...new Set(rows.map((row) => row.doc_id))]
      await this.#dropUnused(docIds)
      this.#changed(docIds)
    }
  }

  async prune(ids: readonly string[]): Promise<number> {
    const rows = await this.#connection.all<{ doc_id: string }>(
      sql`delete from versions where ${this.#connection.dialect.oneOf(sql`id`, ids, 'text')}
        and mode = 'draft' and label is null returning doc_id`,
    )
    const docIds = [...new Set(rows.map((row) => row.doc_id))]
    await this.#dropUnused(docIds)
    this.#changed(docIds)
    return rows.length
  }

  #changed(docIds: readonly DocId[]): void {
    this.#connection.changed({ names: docIds.map(changed.history) })
  }

  async #putContent(docId: DocId, content: JsonObject, attachments: readonly string[]): Promise<string> {
    const { digest, data } = this.#compressed(content)
    const put = this.#connection.dialect.hasWaited ? PUT_AND_LOCK_CONTENT : PUT_CONTENT
    await this.#connection.fixed(put, { docId, digest, data })
    await this.#nameAttachments(attachments.map((attachment) => [docId, digest, attachment]))
    return digest
  }

  #compressed(content: JsonObject): { digest: string; data: Uint8Array } {
    const text = JSON.stringify(this.#form.write({ ...content }))
    return { digest: hash('sha256', text), data: zstdCompressSync(text) }
  }

  async #nameAttachments(rows: readonly (readonly string[])[]): Promise<void> {
    if (rows.length === 0) return
    const table = this.#connection.dialect.table('r', { doc_id: 'text', content: 'text', attachment: 'text' }, rows)
    await this.#connection.all(
      sql`insert into version_attachments (doc_id, content, attachment)
        select r.doc_id, r.content, r.attachment from ${table} where true on conflict do nothing`,
    )
  }

  /**
   * Contents are shared by all locales of a document, which others may be saving: unused ones are locked first and then
   * looked at again.
   */
  async #dropUnused(docIds: readonly DocId[]): Promise<void> {
    const { dialect } = this.#connection
    const isOfThese = dialect.oneOf(sql`version_contents.doc_id`, docIds, 'text')
    const isUnused = sql`${isOfThese} and ${IS_CONTENT_UNUSED}`
    if (!dialect.hasWaited) {
      await this.#connection.all(sql`delete from version_contents where ${isUnused}`)
      return
    }
    const locked = await this.#connection.all<{ hash: string }>(
      sql`select hash from version_contents where ${isUnused} ${dialect.forUpdate}`,
    )
    const hashes = locked.map(({ hash }) => hash)
    if (hashes.length === 0) return
    const isLocked = dialect.oneOf(sql`version_contents.hash`, hashes, 'text')
    await this.#connection.all(sql`delete from version_contents where ${isUnused} and ${isLocked}`)
  }
}

function jsonOrNull(data: JsonObject | null): string | null {
  return data === null ? null : JSON.stringify(data)
}
