import { setImmediate } from 'node:timers/promises'
import type { Log } from '../../base/log.ts'
import type { Connection } from '../database/connection.ts'
import { type Database, UnusableDatabase } from '../database/database.ts'
import { NewIndex } from '../database/new-index.ts'
import { Sql, sql } from '../database/sql.ts'
import type { TableShape } from '../database/tables.ts'
import { isUsableBy, NO_TABLES, type TablesState } from '../database/tables-state.ts'
import { ByRange } from './by-range.ts'
import { MIGRATIONS, TABLES_VERSION } from './index.ts'
import type { Migration } from './table-migration.ts'
import { readState, stateAt, writeState } from './usable-tables.ts'

/** Records the version of the tables. */
type TablesAt = (version: number) => Promise<readonly TableShape[]>
/** Called with the migration that is being run. */
type OnProgress = (migration: string) => Promise<void>

/** How often progress is logged. */
const LOG_MILLISECONDS = 5000
/** The setting that names an additive migration whose statements were sent, and which is not finished. */
const BEGUN = 'migrating'

/**
 * Brings the tables to the shape this program needs; the names of the migrations that were run. Of several processes that
 * start at once, one does it and the others wait. Where all of them are additive, processes of older programs go on;
 * else they neither read nor write meanwhile, and not afterwards either, and all of it is one transaction. Logs its
 * progress when it takes long. Throws when a newer program has been there.
 */
export async function migrateTables(database: Database, log: Log, tablesAt: TablesAt): Promise<string[]> {
  const { state, pending, pauses } = await plannedMigrations(database)
  if (pending.length === 0) return []
  if (pauses || state.version === 0) return migrateAlone(database, log, tablesAt)
  return migrateBeside(database, log)
}

/** The migrations that a program will run on the tables of a database. */
export interface MigrationPlan {
  readonly state: TablesState
  /** The migrations to run. */
  readonly pending: readonly Pick<Migration, 'name' | 'kind'>[]
  /** Whether processes of older programs are shut out. */
  readonly pauses: boolean
}

/** Plans the migrations of a database; changes nothing. Throws when a newer program has used it. */
export async function plannedMigrations(database: Database): Promise<MigrationPlan> {
  const state = await readState(database.primary)
  const pending = MIGRATIONS.slice(state.version)
  return { state, pending, pauses: state.version > 0 && pending.some(({ kind }) => kind === 'exclusive') }
}

/** While nobody else uses the tables. */
function migrateAlone(database: Database, log: Log, tablesAt: TablesAt): Promise<string[]> {
  return database.exclusively(async (connection) => {
    await createMeta(connection)
    const state = await readState(connection)
    if (isUsableBy(TABLES_VERSION, state)) return []
    if (state.version > 0)
      await database.shutOut(
        connection,
        state,
        (await tablesAt(state.version)).map(({ name }) => name),
      )
    return takeSteps(connection, [state, stateAt(TABLES_VERSION)], newProgress(log))
  })
}

/**
 * Takes the steps from one version of the tables to another; their names. `onProgress` is called with the present one.
 */
async function takeSteps(
  connection: Connection,
  [from, to]: readonly [TablesState, TablesState],
  onProgress: OnProgress,
): Promise<string[]> {
  const steps = MIGRATIONS.slice(from.version, to.version)
  const begun = await begunMigration(connection)
  for (const { name, parts } of steps) {
    for (const part of parts(connection.dialect)) {
      if (part instanceof NewIndex) {
        await connection.all(part.removal())
        await connection.all(part.statement())
      }
      if (part instanceof ByRange)
        await part.run(
          (work) => work(connection),
          () => onProgress(name),
        )
      if (part instanceof Sql && name !== begun) await connection.all(part)
      await onProgress(name)
    }
  }
  await finish(connection, from, to)
  return steps.map((step) => step.name)
}

/** While processes of older programs run, one migration after another; each is resumed where it was interrupted. */
function migrateBeside(database: Database, log: Log): Promise<string[]> {
  const onProgress = newProgress(log)
  return database.inTurn(async () => {
    const done: string[] = []
    for (;;) {
      const state = await readState(database.primary)
      const migration = MIGRATIONS[state.version]
      if (migration === undefined || isUsableBy(TABLES_VERSION, state)) return done
      await add(database, migration, () => onProgress(migration.name))
      const next = { ...state, version: state.version + 1 }
      await database.briefly(async (connection) => {
        if ((await readState(connection)).version < next.version) await finish(connection, state, next)
      })
      done.push(migration.name)
    }
  })
}

async function add(database: Database, { name, parts }: Migration, onProgress: () => Promise<void>): Promise<void> {
  const all = parts(database.primary.dialect)
  await database.briefly(async (connection) => {
    if ((await begunMigration(connection)) === name) return
    for (const part of all) if (part instanceof Sql) await connection.all(part)
    await connection.all(sql`insert into meta (name, value) values (${BEGUN}, ${name})`)
  })
  for (const part of all) {
    if (part instanceof NewIndex) await database.buildIndex(part)
    if (part instanceof ByRange) await part.run((work) => database.briefly(work), onProgress)
    await onProgress()
  }
}

/** Forgets a migration that was interrupted, in tables that were just created: those have nothing of it. */
export async function forgetInterrupted(connection: Connection): Promise<void> {
  await connection.all(sql`delete from meta where name = ${BEGUN}`)
}

async function begunMigration(connection: Connection): Promise<string | null> {
  const [row] = await connection.all<{ value: string }>(sql`select value from meta where name = ${BEGUN}`)
  return row?.value ?? null
}

/** Records that the tables are in another state, and who may use them now. */
async function finish(connection: Connection, from: TablesState, to: TablesState): Promise<void> {
  await forgetInterrupted(connection)
  await writeState(connection, to)
  for (const statement of connection.dialect.moveFences(from, to)) await connection.all(statement)
}

/** Creates the tables of a version in an empty database. */
export async function createTables(connection: Connection, version: number): Promise<void> {
  await createMeta(connection)
  await takeSteps(connection, [NO_TABLES, stateAt(version)], async () => {})
}

async function createMeta(connection: Connection): Promise<void> {
  const { metaRow, words } = connection.dialect
  // `if not exists` would ask for the permission to create tables even where there is one.
  if ((await connection.all(metaRow)).length > 0) return
  const { text } = words
  await connection.all(sql`create table meta (name ${text} primary key, value ${text} not null)`)
}

/** Logs now and then which step is being taken; lets the log write, too. */
function newProgress(log: Log): OnProgress {
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

/** The message about a database in which nothing was ever stored. */
export const WITHOUT_TABLES =
  'This database has no tables of Quire. Check QUIRE_DATABASE; to create them, start the service, or run: quire migrate'

/** Throws when the tables are not in the shape this program needs. Changes nothing. */
export async function checkTables(database: Database): Promise<void> {
  const state = await readState(database.primary)
  if (isUsableBy(TABLES_VERSION, state)) return
  throw new UnusableDatabase(
    state.version === 0
      ? WITHOUT_TABLES
      : `The database is at version ${state.version}, this program needs ${TABLES_VERSION}. Start the service, or run: quire migrate`,
  )
}
