import type { Dialect } from '../database/dialect.ts'
import type { Sql } from '../database/sql.ts'

/** What commits change, where processes do not hear of each other's through the database itself. */
export function changes({ changes }: Dialect): readonly Sql[] {
  return changes
}
