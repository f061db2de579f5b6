import type { Connection } from '../database/connection.ts'
import { Sql, sql } from '../database/sql.ts'
import { NO_TABLES, STATE_COLUMNS, STATE_SETTINGS, stateOf, type TablesState } from '../database/tables-state.ts'
import { UnusableDatabase } from '../database/unusable-database.ts'
import { MIGRATIONS, TABLES_VERSION } from './index.ts'

/** The state that tables have which were made by this program, up to a version. */
export function stateAt(version: number): TablesState {
  return { version, oldest: MIGRATIONS.slice(0, version).findLastIndex(({ kind }) => kind === 'exclusive') + 1 }
}

/** Reads the state. Throws `NewerDatabase` where this program may not use the tables any more. */
export async function readState(connection: Connection): Promise<TablesState> {
  const { metaRow } = connection.dialect
  if ((await connection.all(metaRow)).length === 0) return NO_TABLES
  const [row] = await connection.all<{ oldest: string | null; version: string | null }>(
    new Sql([`select ${STATE_COLUMNS}`], []),
  )
  const state = stateOf(row ?? {})
  if (state.oldest > TABLES_VERSION) throw new NewerDatabase(state.version)
  return state
}

/** A newer program has brought the tables to a version that this one does not know. */
export class NewerDatabase extends UnusableDatabase {
  constructor(version: number) {
    super(
      `The database is at version ${version}, this program knows versions up to ${TABLES_VERSION}. ` +
        'A newer program has been using it: use that one, or restore a backup from before.',
    )
  }
}

/** The version of tables that this program knows in full. Throws `NewerDatabase` where there is more in them. */
export async function readVersion(connection: Connection): Promise<number> {
  const { version } = await readState(connection)
  if (version > TABLES_VERSION) throw new NewerDatabase(version)
  return version
}

/** Records the state. */
export async function writeState(connection: Connection, { version, oldest }: TablesState): Promise<void> {
  await put(connection, STATE_SETTINGS.oldest, String(oldest))
  if (version === oldest) await connection.all(sql`delete from meta where name = ${STATE_SETTINGS.version}`)
  else await put(connection, STATE_SETTINGS.version, String(version))
}

async function put(connection: Connection, name: string, value: string): Promise<void> {
  await connection.all(
    sql`insert into meta (name, value) values (${name}, ${value})
      on conflict (name) do update set value = excluded.value`,
  )
}
