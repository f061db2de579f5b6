import type { DocId } from '../model/document.ts'
import { isIndexRowOf } from './conditions.ts'
import type { Dialect } from './dialect.ts'
import { DOCUMENT } from './query.ts'
import { type Sql, sql } from './sql.ts'
import type { View } from './store.ts'
import type { DocumentRow } from './tables.ts'

interface Pointing {
  readonly view: View
  /** The index that holds the ids of what documents point to. */
  readonly name: string
  readonly docIds: readonly DocId[]
  /** For each of the ids. */
  readonly limit: number
}

/** The newest documents of a view that point to each of these. */
export function pointingSql(
  { view, name, docIds, limit }: Pointing,
  dialect: Dialect,
): Sql<DocumentRow & { readonly target: DocId }> {
  return sql`select p.target, ${DOCUMENT} from (
          select target, n, row_number() over (partition by target order by n desc) as place from (
            select distinct e.text as target, e.document as n from entries e
            where ${isIndexRowOf(view, name, 'e')} and ${dialect.oneOf(sql`e.text`, [...docIds], 'text')}
          ) e
        ) p ${dialect.joinInOrder} documents d on d.n = p.n
        where p.place <= ${limit} order by p.target, p.place`
}
