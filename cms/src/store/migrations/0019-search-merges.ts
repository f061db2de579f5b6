import type { Dialect } from '../database/dialect.ts'
import type { Sql } from '../database/sql.ts'

/**
 * What the search index gathers is merged in steps of its own, which are short, and not while documents are indexed.
 */
export function searchMerges({ search }: Dialect): readonly Sql[] {
  return search.merging
}
