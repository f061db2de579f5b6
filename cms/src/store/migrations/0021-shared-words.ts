import type { Dialect } from '../dialect.ts'
import type { Sql } from '../sql.ts'

/**
 * On SQLite, copies with the same words share a row of the search index from now on. What is indexed stays as it is until
 * it is saved again; earlier programs, which would not find shared rows, do not open the database any more.
 */
export function sharedWords(_dialect: Dialect): readonly Sql[] {
  return []
}
