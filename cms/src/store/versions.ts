import { hash } from 'node:crypto'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { JsonObject } from '../base/json.ts'
import type { DocId, Locale, Mode } from '../model/document.ts'
import { joined, type Sql, sql } from './sql.ts'
import { type Connection, fixed } from './statement.ts'
import type { NewVersion, StoredVersion, Version, VersionReader, VersionWriter } from './store.ts'
import type { StoredForm } from './stored-form.ts'
import type { VersionRow } from './tables.ts'

const VERSION = sql`v.id, v.doc_id, v.locale, v.mode, v.type, v.created_at, v.updated_at, v.author, v.author_id, v.ai,
  v.restored_from, v.autosave`

const PUT_CONTENT = fixed(
  ({ docId, digest, data }: { docId: string; digest: string; data: Uint8Array }): Sql =>
    sql`insert into version_contents (doc_id, hash, data) values (${docId}, ${digest}, ${data}) on conflict do nothing`,
)

const INSERT_VERSIONS = sql`insert into versions (id, doc_id, locale, mode, type, created_at, updated_at, author,
  author_id, ai, restored_from, autosave, content) values`

function versionCells(version: Version, digest: string): Sql {
  const { docId, locale, mode, type, createdAt, updatedAt, author, authorId, restoredFrom } = version
  return sql`(${version.id}, ${docId}, ${locale}, ${mode}, ${type}, ${createdAt}, ${updatedAt}, ${author},
    ${authorId}, ${version.ai ? 1 : 0}, ${restoredFrom}, ${version.autosave ? 1 : 0}, ${digest})`
}

/** Reads what saves left behind. */
export class SqlVersionReader implements VersionReader {
  readonly #connection: Connection
  readonly #form: StoredForm

  constructor(connection: Connection, form: StoredForm) {
    this.#connection = connection
    this.#form = form
  }

  async newest(docId: DocId, locale: Locale): Promise<Version | null> {
    return (await this.list(docId, locale, 1))[0] ?? null
  }

  get(id: string): Promise<StoredVersion | null> {
    return this.#first(sql`where v.id = ${id}`)
  }

  newestUntil(
    docId: DocId,
    locale: Locale,
    { until, mode }: { readonly until: string; readonly mode: Mode },
  ): Promise<StoredVersion | null> {
    const isOfMode = mode === 'published' ? sql`and v.mode = 'published'` : sql``
    return this.#first(
      sql`where v.doc_id = ${docId} and v.locale = ${locale} and v.created_at <= ${until}
        and (v.updated_at is null or v.updated_at <= ${until}) ${isOfMode}
        order by v.created_at desc, v.id desc limit 1`,
    )
  }

  async #first(chosen: Sql): Promise<StoredVersion | null> {
    const [row] = await this.#connection.all<VersionRow & { data: Uint8Array }>(
      sql`select ${VERSION}, c.data from versions v
        join version_contents c on c.doc_id = v.doc_id and c.hash = v.content ${chosen}`,
    )
    if (row === undefined) return null
    return {
      version: toVersion(row),
      content: this.#form.read(row.type, JSON.parse(zstdDecompressSync(row.data).toString())),
    }
  }

  async list(docId: DocId, locale: Locale, limit: number): Promise<Version[]> {
    const rows = await this.#connection.all<VersionRow>(
      sql`select ${VERSION} from versions v where v.doc_id = ${docId} and v.locale = ${locale}
        order by v.created_at desc, v.id desc limit ${limit}`,
    )
    return rows.map(toVersion)
  }
}

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
    await this.#connection.all(sql`${INSERT_VERSIONS} ${versionCells(version, digest)}`)
  }

  async addMany(versions: readonly NewVersion[]): Promise<void> {
    const added = versions.map((one) => ({ ...one, ...this.#compressed(one.content) }))
    const contents = added.map(({ version, digest, data }) => sql`(${version.docId}, ${digest}, ${data})`)
    await this.#connection.all(
      sql`insert into version_contents (doc_id, hash, data) values ${joined(contents)} on conflict do nothing`,
    )
    await this.#nameAttachments(
      added.flatMap(({ version: { docId }, digest, attachments }) => attachments.map((one) => [docId, digest, one])),
    )
    const rows = added.map(({ version, digest }) => versionCells(version, digest))
    await this.#connection.all(sql`${INSERT_VERSIONS} ${joined(rows)}`)
  }

  async update(id: string, updatedAt: string, content: JsonObject, attachments: readonly string[] = []): Promise<void> {
    const [row] = await this.#connection.all<{ doc_id: string }>(sql`select doc_id from versions where id = ${id}`)
    if (row === undefined) throw new Error('There is no such version.')
    const digest = await this.#putContent(row.doc_id, content, attachments)
    await this.#connection.all(sql`update versions set content = ${digest}, updated_at = ${updatedAt} where id = ${id}`)
    await this.#dropUnused(row.doc_id)
  }

  async removeOf(docId: DocId, locale: Locale | null): Promise<readonly string[]> {
    const inLocale = locale === null ? sql`` : sql`and locale = ${locale}`
    const named = await this.#connection.all<{ attachment: string }>(
      sql`select distinct attachment from version_attachments where doc_id = ${docId}`,
    )
    await this.#connection.all(sql`delete from versions where doc_id = ${docId} ${inLocale}`)
    await this.#dropUnused(docId)
    return named.map(({ attachment }) => attachment)
  }

  async #putContent(docId: DocId, content: JsonObject, attachments: readonly string[]): Promise<string> {
    const { digest, data } = this.#compressed(content)
    await this.#connection.fixed(PUT_CONTENT, { docId, digest, data })
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

  async #dropUnused(docId: DocId): Promise<void> {
    await this.#connection.all(
      sql`delete from version_contents where doc_id = ${docId} and not exists (
        select 1 from versions v where v.doc_id = version_contents.doc_id and v.content = version_contents.hash)`,
    )
  }
}

function toVersion(row: VersionRow): Version {
  return {
    id: row.id,
    docId: row.doc_id,
    locale: row.locale,
    mode: row.mode,
    type: row.type,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    author: row.author,
    authorId: row.author_id,
    ai: row.ai === 1,
    restoredFrom: row.restored_from,
    autosave: row.autosave === 1,
  }
}
