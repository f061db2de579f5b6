import { fixed } from '../database/connection.ts'
import { toDocument } from '../database/rows.ts'
import { literal, quotedName, type Sql, sql } from '../database/sql.ts'
import type { DocumentRow } from '../database/tables.ts'
import { DOCUMENT } from '../lists/list-query.ts'
import type { StoredDocument } from '../terms/document-store.ts'
import type { StoredForm } from '../terms/stored-form.ts'

/** The bytes of documents that are read at a time; a larger document is read alone. */
const BATCH_BYTES = 1_000_000

/** The first of the chosen documents `d`, up to the bytes of a batch. */
function batchSql(chosen: Sql): Sql<StoredRow> {
  return sql`select ${DOCUMENT}, d.content, d.title_changes as ${quotedName('titleChanges')} from documents d where d.n in (
      select s.n from (
        select c.n, c.size, sum(c.size) over (order by c.n) as total
        from (select d.n, d.bytes as size from documents d ${chosen}) c
      ) s where s.total <= ${literal(BATCH_BYTES)} or s.total = s.size
    ) order by d.n`
}

type StoredRow = DocumentRow & { readonly content: number; readonly titleChanges: number }

/** The next of those that are not indexed for search yet: those after a row, at most `limit`, fewer where they are large. */
export const UNSEARCHED = fixed(
  ({ row, limit }: { row: number; limit: number }): Sql<StoredRow> =>
    batchSql(sql`where d.search_stale = 1 and d.n > ${row} order by d.n limit ${limit}`),
)

/** The next of those with these row numbers. */
export const NUMBERED = fixed(
  ({ rows, row, limit }: { rows: string; row: number; limit: number }, dialect): Sql<StoredRow> =>
    batchSql(
      sql`where d.n in (select i.value from ${dialect.rowsIn(rows)}) and d.n > ${row} order by d.n limit ${limit}`,
    ),
)

/** The next of all. */
export const FOLLOWING = fixed(
  ({ row, limit }: { row: number; limit: number }): Sql<StoredRow> =>
    batchSql(sql`where d.n > ${row} order by d.n limit ${limit}`),
)

/** The documents in such rows. */
export function toStored(rows: readonly StoredRow[], form: StoredForm): StoredDocument[] {
  return rows.map((row) => {
    const document = toDocument(row, form)
    const isOfFormerSite = form.isOfFormerSite(document.fields)
    return { row: row.n, content: row.content, titleChanges: row.titleChanges, isOfFormerSite, document }
  })
}
