import type { Dialect } from '../dialect.ts'
import type { Sql } from '../sql.ts'

/** What tells whether the words of a document are those that search has indexed. */
export function searchHashes({ search }: Dialect): readonly Sql[] {
  return search.hashes
}
