import type { DocId, Mode, Visibility } from '../../model/terms/document.ts'
import type { ReadCache } from '../changes/read-cache.ts'
import { changed } from '../contract/changes.ts'
import type {
  Attachment,
  AttachmentReader,
  AttachmentUse,
  NamedAttachments,
  UsedAttachment,
} from '../contract/store.ts'
import type { Dialect } from '../database/dialect.ts'
import { type Sql, sql } from '../database/sql.ts'
import type { Connection } from '../database/statement.ts'

/** A row of `attachments`; `crops` is JSON. */
export interface AttachmentRow
  extends Pick<Attachment, 'id' | 'name' | 'title' | 'extension' | 'length' | 'md5' | 'width' | 'height' | 'frames'> {
  readonly file_group: string
  readonly crops: string
  readonly created_at: string
  readonly updated_at: string
  readonly uploaded_by: string | null
}

/** An attachment with one of the documents that use it; with nulls when there is none. */
interface UseRow extends AttachmentRow {
  readonly doc_id: string | null
  readonly locale: string
  readonly mode: Mode
  readonly type: string
  readonly archived: number
  readonly visibility: Visibility
  readonly index_name: string
}

const ATTACHMENT = sql`a.id, a.file_group, a.name, a.title, a.extension, a.length, a.md5, a.width, a.height, a.frames,
  a.crops, a.created_at, a.updated_at, a.uploaded_by`

/** That nothing names an attachment `a`. */
export const IS_UNUSED = sql`not exists (select 1 from entries e where e.kind = 'attachment' and e.text = a.id)
  and not exists (select 1 from version_attachments v where v.attachment = a.id)`

/** Attachments that many answers hold. */
export type AttachmentCache = ReadCache<UsedAttachment>

/** Reads attachments. Who uses them is read from the index rows of documents, which are always current. */
export class SqlAttachmentReader implements AttachmentReader {
  readonly #connection: Connection
  readonly #dialect: Dialect
  readonly #cache: AttachmentCache

  constructor(connection: Connection, cache: AttachmentCache) {
    this.#connection = connection
    this.#dialect = connection.dialect
    this.#cache = cache
  }

  async byIds(ids: readonly string[]): Promise<ReadonlyMap<string, UsedAttachment>> {
    if (ids.length === 0) return new Map()
    const read = (ids: readonly string[]) => this.#readByIds(ids)
    return this.#cache.get({ ids, scope: '', nameOf: changed.attachment, read })
  }

  async #readByIds(ids: readonly string[]): Promise<ReadonlyMap<string, UsedAttachment>> {
    const rows = await this.#connection.all<UseRow>(
      sql`select ${ATTACHMENT}, d.doc_id, d.locale, d.mode, d.type, d.archived, d.visibility, e.name as index_name
        from attachments a
        left join entries e on e.kind = 'attachment' and e.text = a.id
        left join documents d on d.n = e.document
        where ${isOneOf(ids, this.#dialect)} order by a.id, d.n`,
    )
    const found = new Map<string, { attachment: Attachment; uses: AttachmentUse[] }>()
    for (const row of rows) {
      const known = found.get(row.id) ?? { attachment: toAttachment(row), uses: [] }
      found.set(row.id, known)
      if (row.doc_id !== null) known.uses.push(toUse(row, row.doc_id))
    }
    return found
  }

  async following(id: string, limit: number): Promise<Attachment[]> {
    const rows = await this.#connection.all<AttachmentRow>(
      sql`select ${ATTACHMENT} from attachments a where a.id > ${id} order by a.id limit ${limit}`,
    )
    return rows.map(toAttachment)
  }

  async existing(ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set()
    const rows = await this.#connection.all<{ id: string }>(
      sql`select a.id from attachments a where ${isOneOf(ids, this.#dialect)}`,
    )
    return new Set(rows.map(({ id }) => id))
  }

  async countUntil(id: string): Promise<number> {
    const [row] = await this.#connection.all<{ count: number }>(
      sql`select count(*) as count from attachments a where a.id <= ${id}`,
    )
    return Number(row?.count ?? 0)
  }

  async count(): Promise<number> {
    const [row] = await this.#connection.all<{ count: number }>(sql`select count(*) as count from attachments`)
    return Number(row?.count ?? 0)
  }

  async ofDocuments(docIds: readonly DocId[], indexName: string): Promise<Map<DocId, Attachment[]>> {
    if (docIds.length === 0) return new Map()
    const rows = await this.#connection.all<AttachmentRow & { doc_id: string }>(
      sql`select distinct d.doc_id, ${ATTACHMENT} from documents d
        join entries e on e.document = d.n and e.kind = 'attachment' and e.name = ${indexName}
        join attachments a on a.id = e.text
        where ${this.#dialect.oneOf(sql`d.doc_id`, [...new Set(docIds)], 'text')}`,
    )
    const grouped = Map.groupBy(rows, (row) => row.doc_id)
    return new Map([...grouped].map(([docId, some]) => [docId, some.map(toAttachment)]))
  }

  async archived(ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set()
    const rows = await this.#connection.all<{ id: string }>(
      sql`select a.id from attachments a
        join entries e on e.kind = 'attachment' and e.text = a.id
        join documents d on d.n = e.document
        where ${isOneOf(ids, this.#dialect)} group by a.id having min(d.archived) = 1`,
    )
    return new Set(rows.map(({ id }) => id))
  }

  async named({ ids, docIds, indexName, locale, mode }: NamedAttachments) {
    const isOf = (column: Sql, values: readonly string[]) => this.#dialect.oneOf(column, [...new Set(values)], 'text')
    const rows =
      ids.length + docIds.length === 0
        ? []
        : await this.#connection.all<AttachmentRow & { doc_id: string | null }>(
            sql`select null as doc_id, ${ATTACHMENT} from attachments a where ${isOf(sql`a.id`, ids)}
              union all select d.doc_id, ${ATTACHMENT} from documents d
              join entries e on e.document = d.n and e.kind = 'attachment' and e.name = ${indexName}
              join attachments a on a.id = e.text
              where ${isOf(sql`d.doc_id`, docIds)} and (d.locale = '' or (d.locale = ${locale} and d.mode = ${mode}))`,
          )
    const byDocument = rows.flatMap((row) => (row.doc_id === null ? [] : [[row.doc_id, toAttachment(row)] as const]))
    const byId = rows.flatMap((row) => (row.doc_id === null ? [[row.id, toAttachment(row)] as const] : []))
    return { byId: new Map(byId), byDocument: new Map(byDocument) }
  }

  async unused(ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set()
    const rows = await this.#connection.all<{ id: string }>(
      sql`select a.id from attachments a where ${isOneOf(ids, this.#dialect)} and ${IS_UNUSED}`,
    )
    return new Set(rows.map(({ id }) => id))
  }

  async leftOver(ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map()
    const rows = await this.#connection.all<{ attachment: string; due: string }>(
      sql`select attachment, due from left_over_files where ${isLeftOverOf(ids, this.#dialect)}`,
    )
    return new Map(rows.map(({ attachment, due }) => [attachment, due]))
  }
}

/** That left-over files are those of one of these attachments. */
export function isLeftOverOf(ids: readonly string[], dialect: Dialect): Sql {
  return dialect.oneOf(sql`attachment`, [...new Set(ids)], 'text')
}

/** That the attachment `a` is one of these. */
export function isOneOf(ids: readonly string[], dialect: Dialect): Sql {
  return dialect.oneOf(sql`a.id`, [...new Set(ids)], 'text')
}

/** The attachment in a row. */
export function toAttachment(row: AttachmentRow): Attachment {
  return {
    id: row.id,
    group: row.file_group,
    name: row.name,
    title: row.title,
    extension: row.extension,
    length: row.length,
    md5: row.md5,
    width: row.width,
    height: row.height,
    frames: row.frames,
    crops: JSON.parse(row.crops),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    uploadedBy: row.uploaded_by,
  }
}

function toUse(row: UseRow, docId: string): AttachmentUse {
  const { locale, mode, type, visibility } = row
  return { id: { docId, locale, mode }, type, archived: row.archived === 1, visibility, indexName: row.index_name }
}
