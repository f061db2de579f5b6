import type { Dialect } from '../database/connection.ts'
import { ARCHIVED, indexScopeKey } from '../database/rows.ts'
import { joined, literal, type Sql, sql } from '../database/sql.ts'
import type { ReferenceName } from '../terms/document-store.ts'

/** The condition that the file `a` in an attachment field of a document matches. */
export function hasFile(row: Sql, name: string, matches: Sql): Sql {
  return sql`exists (select 1 from entries x join attachments a on a.id = x.text and ${matches}
    where x.document = ${row} and x.name = ${name} and x.kind = 'attachment')`
}

/**
 * The condition that documents use the document `d`, by references of these names, or the file of its attachment by
 * one of their own. The documents that are referred to are found once; few share a file, so others are looked up by it.
 */
export function isUsed(references: readonly ReferenceName[], dialect: Dialect): Sql {
  const named = (kind: ReferenceName['kind']) => {
    const rows = references
      .filter((one) => one.kind === kind)
      .map(({ isOfArchived, name, ...scope }) => {
        return [indexScopeKey(scope), name, isOfArchived ? 1 : 0]
      })
    return rows.length === 0 ? null : dialect.table('r', { scope: 'text', name: 'text', archived: 'integer' }, rows)
  }
  const isOfName = sql`e.scope = r.scope and e.name = r.name and (r.archived = 1 or (e.state & ${literal(ARCHIVED)}) = 0)`
  const [documents, files] = [named('document'), named('attachment')]
  const byReference =
    documents &&
    sql`d.doc_id in (select e.text from ${documents}
    ${dialect.joinInOrder} entries e on ${isOfName} and e.kind = 'document')`
  const byFile =
    files &&
    sql`exists (select 1 from entries f
    ${dialect.joinInOrder} entries e on e.kind = 'attachment' and e.text = f.text and e.document <> f.document
    ${dialect.joinInOrder} documents u on u.n = e.document and u.doc_id <> d.doc_id
    ${dialect.joinInOrder} ${files} on ${isOfName}
    where f.document = d.n and f.name = 'attachment' and f.kind = 'attachment')`
  const ways = [byReference, byFile].flatMap((way) => way ?? [])
  return ways.length === 0 ? sql`false` : sql`(${joined(ways, ' or ')})`
}
