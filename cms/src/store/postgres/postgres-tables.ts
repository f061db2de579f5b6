import type { Connection } from '../database/connection.ts'
import { quotedName, type Sql, sql } from '../database/sql.ts'
import type { TablesState } from '../database/tables-state.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { fencesOf } from './postgres-fence.ts'

/** Returns the names of all our tables in a state, in the order in which they are locked: fences are first. */
export function tableNames(state: TablesState, shared: readonly string[]): readonly string[] {
  return [...fencesOf(state), ...shared, ...postgresDialect.copying.ownTables]
}

/** Returns those of them that are there, as a statement names them, in that order. */
export async function presentTables(connection: Connection, names: readonly string[]): Promise<readonly Sql[]> {
  const found = await connection.all<{ name: string }>(
    sql`select tablename as name from pg_tables
      where schemaname = current_schema() and ${connection.dialect.oneOf(sql`tablename::text`, names, 'text')}`,
  )
  const present = new Set(found.map(({ name }) => name))
  return names.filter((name) => present.has(name)).map((name) => quotedName(name))
}
