import type { DocId, Mode, Visibility } from '../../model/terms/document-id.ts'
import { type Dialect, Repository } from '../database/connection.ts'
import { JoinedReads } from '../database/joined-reads.ts'
import { columns, columnsOf, type Sql, sql } from '../database/sql.ts'
import type {
  Attachment,
  AttachmentReader,
  AttachmentUse,
  NamedAttachments,
  UsedAttachment,
} from '../terms/attachment-store.ts'

/** A row of `attachments`; `crops` is JSON. */
export interface AttachmentRow extends Omit<Attachment, 'group' | 'crops'> {
  readonly fileGroup: string
  readonly crops: string
}

/** An attachment with one of the documents that use it; with nulls when there is none. */
interface UseRow extends AttachmentRow {
  readonly docId: string | null
  readonly locale: string
  readonly mode: Mode
  readonly type: string
  readonly archived: number
  readonly visibility: Visibility
  readonly indexName: string
}

const FILE = ['id', 'fileGroup', 'name', 'title', 'extension', 'length', 'md5', 'width', 'height', 'frames'] as const
const HISTORY = ['crops', 'createdAt', 'updatedAt', 'uploadedBy'] as const
const ATTACHMENT = columnsOf<AttachmentRow>('a', ...FILE, ...HISTORY)
/** The columns of an attachment without an alias: `returning` does not take one in both databases. */
export const ATTACHMENT_RETURNED = columns<AttachmentRow>(...FILE, ...HISTORY)

const USE = columnsOf<UseRow>('d', 'docId', 'locale', 'mode', 'type', 'archived', 'visibility')

/** The condition that nothing names the attachment `a`. */
export const IS_UNUSED = sql`not exists (select 1 from entries e where e.kind = 'attachment' and e.text = a.id)
  and not exists (select 1 from version_attachments v where v.attachment = a.id)`

/** Reads attachments. Who uses them is read from the index rows of documents, which are always current. */
export class SqlAttachmentReader extends Repository implements AttachmentReader {
  readonly #byIds = new JoinedReads<UsedAttachment>()

  async byIds(ids: readonly string[]): Promise<ReadonlyMap<string, UsedAttachment>> {
    if (ids.length === 0) return new Map()
    const read = await this.#byIds.read('', ids, (all) => this.#readByIds(all))
    const asked = new Set(ids)
    return new Map([...read].filter(([id]) => asked.has(id)))
  }

  async #readByIds(ids: readonly string[]): Promise<ReadonlyMap<string, UsedAttachment>> {
    const rows = await this.connection.all<UseRow>(
      sql`select ${ATTACHMENT}, ${USE}, e.name as "indexName"
        from attachments a
        left join entries e on e.kind = 'attachment' and e.text = a.id
        left join documents d on d.n = e.document
        where ${isOneOf(ids, this.dialect)} order by a.id, d.n`,
    )
    const found = new Map<string, { attachment: Attachment; uses: AttachmentUse[] }>()
    for (const row of rows) {
      const used = found.get(row.id) ?? { attachment: toAttachment(row), uses: [] }
      found.set(row.id, used)
      if (row.docId !== null) used.uses.push(toUse(row, row.docId))
    }
    return found
  }

  async following(id: string, limit: number): Promise<Attachment[]> {
    const rows = await this.connection.all<AttachmentRow>(
      sql`select ${ATTACHMENT} from attachments a where a.id > ${id} order by a.id limit ${limit}`,
    )
    return rows.map(toAttachment)
  }

  existing(ids: readonly string[]): Promise<Set<string>> {
    return this.#ids(ids, sql`select a.id from attachments a where ${isOneOf(ids, this.dialect)}`)
  }

  countUntil(id: string): Promise<number> {
    return this.countOf(sql`select count(*) as count from attachments a where a.id <= ${id}`)
  }

  count(): Promise<number> {
    return this.countOf(sql`select count(*) as count from attachments`)
  }

  async ofDocuments(docIds: readonly DocId[], indexName: string): Promise<Map<DocId, Attachment[]>> {
    if (docIds.length === 0) return new Map()
    const rows = await this.connection.all<AttachmentRow & { docId: string }>(
      sql`select distinct ${columnsOf('d', 'docId')}, ${ATTACHMENT} from documents d
        join entries e on e.document = d.n and e.kind = 'attachment' and e.name = ${indexName}
        join attachments a on a.id = e.text
        where ${this.dialect.oneOf(sql`d.doc_id`, [...new Set(docIds)], 'text')}`,
    )
    const grouped = Map.groupBy(rows, (row) => row.docId)
    return new Map([...grouped].map(([docId, some]) => [docId, some.map(toAttachment)]))
  }

  archived(ids: readonly string[]): Promise<Set<string>> {
    return this.#ids(
      ids,
      sql`select a.id from attachments a
        join entries e on e.kind = 'attachment' and e.text = a.id
        join documents d on d.n = e.document
        where ${isOneOf(ids, this.dialect)} group by a.id having min(d.archived) = 1`,
    )
  }

  async named({ ids, docIds, indexName, locale, mode }: NamedAttachments) {
    const isOf = (column: Sql, values: readonly string[]) => this.dialect.oneOf(column, [...new Set(values)], 'text')
    const rows =
      ids.length + docIds.length === 0
        ? []
        : await this.connection.all<AttachmentRow & { docId: string | null }>(
            sql`select null as "docId", ${ATTACHMENT} from attachments a where ${isOf(sql`a.id`, ids)}
              union all select ${columnsOf('d', 'docId')}, ${ATTACHMENT} from documents d
              join entries e on e.document = d.n and e.kind = 'attachment' and e.name = ${indexName}
              join attachments a on a.id = e.text
              where ${isOf(sql`d.doc_id`, docIds)} and (d.locale = '' or (d.locale = ${locale} and d.mode = ${mode}))`,
          )
    const byDocument = rows.flatMap((row) => (row.docId === null ? [] : [[row.docId, toAttachment(row)] as const]))
    const byId = rows.flatMap((row) => (row.docId === null ? [[row.id, toAttachment(row)] as const] : []))
    return { byId: new Map(byId), byDocument: new Map(byDocument) }
  }

  unused(ids: readonly string[]): Promise<Set<string>> {
    return this.#ids(ids, sql`select a.id from attachments a where ${isOneOf(ids, this.dialect)} and ${IS_UNUSED}`)
  }

  /** Those of the ids that a statement finds. */
  async #ids(among: readonly string[], query: Sql<{ id: string }>): Promise<Set<string>> {
    const rows = among.length === 0 ? [] : await this.connection.all(query)
    return new Set(rows.map(({ id }) => id))
  }

  async leftOver(ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map()
    const rows = await this.connection.all<{ attachment: string; due: string }>(
      sql`select attachment, due from left_over_files where ${isLeftOverOf(ids, this.dialect)}`,
    )
    return new Map(rows.map(({ attachment, due }) => [attachment, due]))
  }

  hasLeftOver(until: string): Promise<boolean> {
    return this.hasRows(sql`select attachment from left_over_files where due <= ${until} limit 1`)
  }
}

/** The condition that left-over files are those of one of these attachments. */
export function isLeftOverOf(ids: readonly string[], dialect: Dialect): Sql {
  return dialect.oneOf(sql`attachment`, [...new Set(ids)], 'text')
}

/** The condition that the attachment `a` is one of these. */
export function isOneOf(ids: readonly string[], dialect: Dialect): Sql {
  return dialect.oneOf(sql`a.id`, [...new Set(ids)], 'text')
}

/** The attachment in a row. */
export function toAttachment(row: AttachmentRow): Attachment {
  return {
    id: row.id,
    group: row.fileGroup,
    name: row.name,
    title: row.title,
    extension: row.extension,
    length: row.length,
    md5: row.md5,
    width: row.width,
    height: row.height,
    frames: row.frames,
    crops: JSON.parse(row.crops),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    uploadedBy: row.uploadedBy,
  }
}

function toUse(row: UseRow, docId: string): AttachmentUse {
  const { locale, mode, type, visibility, indexName } = row
  return { id: { docId, locale, mode }, type, archived: row.archived === 1, visibility, indexName }
}
