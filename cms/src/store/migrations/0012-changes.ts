import type { Dialect } from '../dialect.ts'
import type { Sql } from '../sql.ts'

/** What commits change, where processes do not hear of each other's through the database itself. */
export function changes({ changes }: Dialect): readonly Sql[] {
  return changes
}
