import { setImmediate } from 'node:timers/promises'
import type { Log } from '../../base/log.ts'
import type { Connection } from '../database/connection.ts'
import { type Database, UnusableDatabase } from '../database/database.ts'
import { Sql, sql } from '../database/sql.ts'
import type { TableShape } from '../database/tables.ts'
import { MIGRATIONS, TABLES_VERSION } from './index.ts'

/** Tells the tables of a version. */
type TablesAt = (version: number) => Promise<readonly TableShape[]>

/** How often progress is logged. */
const LOG_MILLISECONDS = 5000

/**
 * Brings the tables to the shape this program needs; the names of the steps taken. Of several processes that start at
 * once, one does it and the others wait. Processes of an older program neither read nor write meanwhile, and not
 * afterwards either. All of it is one transaction. Logs its progress when it takes long. Throws when a newer program has
 * been there.
 */
export function migrateTables(database: Database, log: Log, tablesAt: TablesAt): Promise<string[]> {
  return database.exclusively(async (connection) => {
    await createMeta(connection)
    const version = await readVersion(connection)
    if (version === TABLES_VERSION) return []
    if (version > 0)
      await database.shutOut(
        connection,
        version,
        (await tablesAt(version)).map(({ name }) => name),
      )
    return takeSteps(connection, [version, TABLES_VERSION], newProgress(log))
  })
}

/**
 * Takes the steps from one version of the tables to another; their names. `onProgress` is called with the present one.
 */
async function takeSteps(
  connection: Connection,
  [from, to]: readonly [number, number],
  onProgress: (migration: string) => Promise<void>,
): Promise<string[]> {
  const steps = MIGRATIONS.slice(from, to)
  for (const { name, statements } of steps) {
    for (const statement of statements(connection.dialect)) {
      if (statement instanceof Sql) await connection.all(statement)
      else await statement.run(connection, () => onProgress(name))
      await onProgress(name)
    }
  }
  await writeVersion(connection, to)
  for (const statement of connection.dialect.moveFence(from, to)) await connection.all(statement)
  return steps.map((step) => step.name)
}

/** Creates the tables of a version in an empty database. */
export async function createTables(connection: Connection, version: number): Promise<void> {
  await createMeta(connection)
  await takeSteps(connection, [0, version], async () => {})
}

async function createMeta(connection: Connection): Promise<void> {
  const { metaRow, words } = connection.dialect
  // `if not exists` would ask for the permission to create tables even where there is one.
  if ((await connection.all(metaRow)).length > 0) return
  const { text } = words
  await connection.all(sql`create table meta (name ${text} primary key, value ${text} not null)`)
}

/** Logs now and then which step is being taken; lets the log write, too. */
function newProgress(log: Log): (migration: string) => Promise<void> {
  const started = performance.now()
  let logged = started
  return async (migration) => {
    const now = performance.now()
    if (now - logged >= LOG_MILLISECONDS) {
      logged = now
      const seconds = Math.round((now - started) / 1000)
      log.info({ migration, seconds }, 'The database is being migrated. This may take some minutes.')
    }
    await setImmediate()
  }
}

/** Throws when the tables are not in the shape this program needs. Changes nothing. */
export async function checkTables(database: Database): Promise<void> {
  const version = await readVersion(database.primary).catch((error) => {
    if (error instanceof NewerDatabase) throw error
    return 0
  })
  if (version < TABLES_VERSION) {
    throw new UnusableDatabase(
      version === 0
        ? 'This database has no tables of Quire. Check QUIRE_DATABASE; to create them, start the service, or run: quire migrate'
        : `The database is at version ${version}, this program needs ${TABLES_VERSION}. Start the service, or run: quire migrate`,
    )
  }
}

class NewerDatabase extends UnusableDatabase {}

/** The version of the tables. Throws when a newer program has been there. */
export async function readVersion(connection: Connection): Promise<number> {
  const [row] = await connection.all<{ value: string }>(sql`select value from meta where name = 'version'`)
  const version = Number(row?.value ?? 0)
  if (version > TABLES_VERSION) {
    throw new NewerDatabase(
      `The database is at version ${version}, this program knows versions up to ${TABLES_VERSION}. ` +
        'A newer program has been using it: use that one, or restore a backup from before.',
    )
  }
  return version
}

async function writeVersion(connection: Connection, version: number): Promise<void> {
  await connection.all(
    sql`insert into meta (name, value) values ('version', ${String(version)})
      on conflict (name) do update set value = excluded.value`,
  )
}
