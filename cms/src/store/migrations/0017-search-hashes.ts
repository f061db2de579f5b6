import type { Dialect } from '../database/dialect.ts'
import type { Sql } from '../database/sql.ts'

/** What tells whether the words of a document are those that search has indexed. */
export function searchHashes({ search }: Dialect): readonly Sql[] {
  return search.hashes
}
