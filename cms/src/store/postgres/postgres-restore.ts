import { setTimeout as pause } from 'node:timers/promises'
import { UnusableDatabase } from '../contract/store.ts'
import type { DatabaseOptions } from '../database/database.ts'
import { joined, quotedName, sql } from '../database/sql.ts'
import type { Connection } from '../database/statement.ts'
import { createTables, readVersion } from '../migrations/migrate.ts'
import { tablesAt } from '../sqlite/sqlite-tables.ts'
import { openPostgres } from './postgres.ts'
import { ANNOUNCING } from './postgres-listener.ts'

const CLOSING_MILLISECONDS = 2000

/** Replaces our tables by new ones that `load` fills, in one transaction. Other tables of the database stay. */
export async function replaceTables<T>(
  url: string,
  { version, ...options }: DatabaseOptions & { readonly version: number },
  load: (connection: Connection) => Promise<T>,
): Promise<T> {
  const database = await openPostgres(url, options)
  try {
    await assertUnused(database.reader)
    return await database.exclusively(async (connection) => {
      for (const statement of connection.dialect.copying.withoutTimeouts) await connection.all(statement)
      const tables = await ourTables(connection)
      if (tables.length > 0) await connection.all(sql`drop table if exists ${joined(tables)}`)
      await connection.all(sql`drop function if exists quire_documents_changed()`)
      await createTables(connection, version)
      const result = await load(connection)
      await connection.all(sql`analyze ${joined(await ourTables(connection))}`)
      return result
    })
  } finally {
    await database.close()
  }
}

/**
 * Programs of ours are known by the name of their connections; those that were just closed need a moment to be gone.
 */
async function assertUnused(connection: Connection): Promise<void> {
  for (const deadline = performance.now() + CLOSING_MILLISECONDS; ; await pause(100)) {
    const others = await connection.all(
      sql`select 1 from pg_stat_activity where datname = current_database()
        and application_name like ${`${ANNOUNCING}%`} and application_name <> current_setting('application_name')`,
    )
    if (others.length === 0) return
    if (performance.now() > deadline) {
      throw new UnusableDatabase('The database is in use. Stop the service, on all machines, then try again.')
    }
  }
}

async function ourTables(connection: Connection) {
  const [found] = await connection.all<{ meta: string | null }>(sql`select to_regclass('meta')::text as meta`)
  if (found?.meta == null) return []
  const shapes = await tablesAt(await readVersion(connection))
  return [...shapes.map(({ name }) => name), ...connection.dialect.copying.ownTables].map((name) => quotedName(name))
}
