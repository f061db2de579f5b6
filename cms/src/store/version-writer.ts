import { hash } from 'node:crypto'
import { zstdCompressSync } from 'node:zlib'
import type { JsonObject } from '../base/json.ts'
import type { DocId, Locale } from '../model/document.ts'
import { type Sql, sql } from './sql.ts'
import { type Connection, fixed } from './statement.ts'
import type { Version, VersionWriter } from './store.ts'
import type { StoredForm } from './stored-form.ts'

type Content = { docId: string; digest: string; data: Uint8Array }

const PUT_CONTENT = fixed(
  ({ docId, digest, data }: Content): Sql =>
    sql`insert into version_contents (doc_id, hash, data) values (${docId}, ${digest}, ${data}) on conflict do nothing`,
)

/** Where writers run concurrently: locks a content that is there already, so that nobody drops it meanwhile. */
const PUT_AND_LOCK_CONTENT = fixed(
  ({ docId, digest, data }: Content): Sql =>
    sql`insert into version_contents (doc_id, hash, data) values (${docId}, ${digest}, ${data})
      on conflict (doc_id, hash) do update set data = version_contents.data`,
)

/** That no version holds a row of `version_contents`, or has held it when a translation was saved. */
export const IS_CONTENT_UNUSED = sql`not exists (
    select 1 from versions v where v.doc_id = version_contents.doc_id and v.content = version_contents.hash)
  and not exists (
    select 1 from versions v where v.doc_id = version_contents.doc_id and v.earlier_content = version_contents.hash)`

/** Records saves. Equal contents of one document are stored once, under their hash. */
export class SqlVersionWriter implements VersionWriter {
  readonly #connection: Connection
  readonly #form: StoredForm

  constructor(connection: Connection, form: StoredForm) {
    this.#connection = connection
    this.#form = form
  }

  async add(version: Version, content: JsonObject, attachments: readonly string[] = []): Promise<void> {
    const digest = await this.#putContent(version.docId, content, attachments)
    const { docId, locale, mode, type, createdAt, updatedAt, author, authorId, restoredFrom, label } = version
    await this.#connection.all(
      sql`insert into versions (id, doc_id, locale, mode, type, created_at, updated_at, author, author_id, ai,
          restored_from, label, data, content)
        values (${version.id}, ${docId}, ${locale}, ${mode}, ${type}, ${createdAt}, ${updatedAt}, ${author},
          ${authorId}, ${version.ai ? 1 : 0}, ${restoredFrom}, ${label}, ${jsonOrNull(version.data)}, ${digest})`,
    )
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
    await this.#connection.all(sql`update versions set label = ${label} where id = ${id}`)
  }

  async removeOf(docId: DocId, locale: Locale | null): Promise<readonly string[]> {
    const inLocale = locale === null ? sql`` : sql`and locale = ${locale}`
    const named = await this.#connection.all<{ attachment: string }>(
      sql`select distinct attachment from version_attachments where doc_id = ${docId}`,
    )
    await this.#connection.all(sql`delete from versions where doc_id = ${docId} ${inLocale}`)
    await this.#dropUnused([docId])
    return named.map(({ attachment }) => attachment)
  }

  async prune(ids: readonly string[]): Promise<number> {
    const rows = await this.#connection.all<{ doc_id: string }>(
      sql`delete from versions where ${this.#connection.dialect.oneOf(sql`id`, ids, 'text')}
        and mode = 'draft' and label is null returning doc_id`,
    )
    await this.#dropUnused([...new Set(rows.map((row) => row.doc_id))])
    return rows.length
  }

  async #putContent(docId: DocId, content: JsonObject, attachments: readonly string[]): Promise<string> {
    const { dialect } = this.#connection
    const text = JSON.stringify(this.#form.write({ ...content }))
    const digest = hash('sha256', text)
    const put = dialect.hasWaited ? PUT_AND_LOCK_CONTENT : PUT_CONTENT
    await this.#connection.fixed(put, { docId, digest, data: zstdCompressSync(text) })
    if (attachments.length === 0) return digest
    const rows = attachments.map((attachment) => [docId, digest, attachment])
    const table = dialect.table('r', { doc_id: 'text', content: 'text', attachment: 'text' }, rows)
    await this.#connection.all(
      sql`insert into version_attachments (doc_id, content, attachment)
        select r.doc_id, r.content, r.attachment from ${table} where true on conflict do nothing`,
    )
    return digest
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
