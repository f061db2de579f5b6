import { CmsError } from '../base/errors.ts'
import type { ColumnType, Connection } from './database/connection.ts'
import { databaseFile } from './database/database-file.ts'
import { type Cell, joined, literal, quotedName, type Sql, sql } from './database/sql.ts'
import type { TableShape } from './database/tables.ts'
import { forgetInterrupted } from './migrations/migrate.ts'
import { readVersion } from './migrations/usable-tables.ts'
import { type OpenOptions, openDatabase, replaceTables, tablesAt } from './open-store.ts'
import { SettingRecords } from './records/setting-records.ts'

/** A table of a database, at the moment of a backup. */
export interface CopiedTable extends TableShape {
  readonly rows: number
  /** The last row number that was assigned; null where there is none. */
  readonly last: number | null
}

/** A row as it is copied: by the names of its columns. */
export type CopiedRow = Readonly<Record<string, Cell>>

/** All tables of a database, at one moment. */
export interface TablesSnapshot {
  /** The version of the tables. */
  readonly version: number
  readonly tables: readonly CopiedTable[]
  /** The rows of a table, about a megabyte at a time. */
  rows(table: TableShape): AsyncGenerator<readonly CopiedRow[]>
  /** The attachments among these that there were; one statement. */
  attachments(ids: readonly string[]): Promise<readonly AttachmentName[]>
}

/** The parts of the names of an attachment's files. */
interface AttachmentName {
  readonly id: string
  readonly name: string
  readonly extension: string
}

/** Fills new tables. */
export interface TablesWriter {
  insert(table: TableShape, rows: readonly CopiedRow[]): Promise<void>
}

/** How much is read and written at a time. */
const BATCH_BYTES = 1024 * 1024
const MOST_ROWS = 2000

/** Runs `work` on one snapshot of all tables, whatever version they have; see `Store.snapshot`. Changes nothing. */
export async function readTables<T>(
  url: string,
  options: OpenOptions,
  work: (snapshot: TablesSnapshot) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(url, options)
  try {
    return await database.snapshot(async (connection) => {
      for (const statement of connection.dialect.copying.withoutTimeouts) await connection.all(statement)
      return work(await snapshotOf(connection))
    })
  } finally {
    await database.close()
  }
}

async function snapshotOf(connection: Connection): Promise<TablesSnapshot> {
  const version = await readVersion(connection)
  const tables: CopiedTable[] = []
  for (const table of await tablesAt(version)) tables.push(await counted(connection, table))
  return {
    version,
    tables,
    rows: (table) => rowsOf(connection, table),
    attachments: (ids) =>
      connection.all<AttachmentName>(
        sql`select a.id, a.name, a.extension from attachments a
          where ${connection.dialect.oneOf(sql`a.id`, ids, 'text')}`,
      ),
  }
}

async function counted(connection: Connection, table: TableShape): Promise<CopiedTable> {
  const name = quotedName(table.name)
  const [count] = await connection.all<{ rows: number }>(sql`select count(*) as rows from ${name}`)
  const { lastRowNumber } = connection.dialect.copying
  const [last] = table.rowNumber === null ? [] : await connection.all(lastRowNumber(table.name, table.rowNumber))
  return { ...table, rows: Number(count?.rows ?? 0), last: last?.last ?? null }
}

async function* rowsOf(connection: Connection, table: TableShape): AsyncGenerator<readonly CopiedRow[]> {
  const { reading, hexOf } = connection.dialect.copying
  const columns = table.columns.map(({ name, kind }) => {
    const column = quotedName(name)
    return kind === 'bytes' ? sql`${hexOf(column)} as ${column}` : column
  })
  const rows = sql`${joined(columns)} from ${quotedName(table.name)}`
  for (const statement of reading.open(rows)) await connection.varied(statement)
  let count = 8
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const found = await connection.varied(reading.next(rows, after, count))
    if (found.length === 0) break
    after = Number(found.at(-1)?.['#'] ?? 0)
    yield found.map(({ '#': _, ...row }) => row)
    count = nextCount(found, count)
  }
  for (const statement of reading.close) await connection.varied(statement)
}

/** The number of rows that make about a megabyte, if they are like those before. */
function nextCount(rows: readonly CopiedRow[], count: number): number {
  let bytes = 0
  for (const row of rows) for (const cell of Object.values(row)) bytes += typeof cell === 'string' ? cell.length : 8
  const fitting = Math.floor((BATCH_BYTES * rows.length) / Math.max(bytes, 1))
  return Math.max(1, Math.min(fitting, count * 4, MOST_ROWS))
}

/** The state of a database that is to be restored. */
type TargetState = 'nothing' | 'rows' | 'damage'

/** Whether a database has rows that a restore would replace. Creates no file. */
export function targetStateOf(url: string, options: OpenOptions, isThere: boolean): Promise<TargetState> {
  return readTarget(url, options, isThere, async (connection) => ((await hasRows(connection)) ? 'rows' : 'nothing'))
}

/**
 * A setting of a database that a restore would replace, of whatever version; null where it has none. Creates no file.
 */
export async function targetSetting(
  url: string,
  options: OpenOptions,
  { name, isThere }: { readonly name: string; readonly isThere: boolean },
): Promise<string | null> {
  const found = await readTarget(url, options, isThere, async (connection) => {
    const isEmpty = (await readVersion(connection).catch(() => 0)) === 0
    return { value: isEmpty ? null : await new SettingRecords(connection).get(name) }
  })
  return typeof found === 'string' ? null : found.value
}

/** Reads a database that may not be there, or may be damaged. */
async function readTarget<T>(
  url: string,
  options: OpenOptions,
  isThere: boolean,
  read: (connection: Connection) => Promise<T>,
): Promise<T | 'nothing' | 'damage'> {
  if (databaseFile(url) !== null && !isThere) return 'nothing'
  const database = await openDatabase(url, options).catch((error: unknown) => {
    const isDamage = databaseFile(url) !== null && error instanceof CmsError && error.cause !== undefined
    if (!isDamage) throw error
    return null
  })
  if (database === null) return 'damage'
  try {
    return await read(database.primary)
  } finally {
    await database.close()
  }
}

async function hasRows(connection: Connection): Promise<boolean> {
  const version = await readVersion(connection).catch(() => 0)
  for (const { name } of await tablesAt(version)) {
    if (name === 'meta') continue
    if ((await connection.all(sql`select 1 from ${quotedName(name)} limit 1`)).length > 0) return true
  }
  return false
}

/**
 * Replaces all that a database holds by what `load` writes: all of it, or nothing. Documents are indexed for search
 * again when the service next runs.
 */
export function restoreTables(
  url: string,
  options: OpenOptions & { readonly version: number; readonly tables: readonly CopiedTable[] },
  load: (writer: TablesWriter) => Promise<void>,
): Promise<void> {
  return replaceTables(url, options, async (connection) => {
    // The rows that the steps have put into them are in the backup, too.
    for (const { name } of options.tables.toReversed()) await connection.all(sql`delete from ${quotedName(name)}`)
    await load({ insert: (table, rows) => insertRows(connection, table, rows) })
    // The backup may have been made in the middle of a migration.
    await forgetInterrupted(connection)
    for (const { name, rowNumber, last } of options.tables) {
      if (rowNumber === null || last === null) continue
      const { setLastRowNumber } = connection.dialect.copying
      for (const statement of setLastRowNumber(name, rowNumber, last)) await connection.all(statement)
    }
    await connection.all(sql`update documents set search_stale = ${literal(1)}`)
  })
}

const CELLS: Readonly<Record<TableShape['columns'][number]['kind'], ColumnType>> = {
  text: 'text',
  integer: 'integer',
  number: 'number',
  bytes: 'text',
}

async function insertRows(connection: Connection, table: TableShape, rows: readonly CopiedRow[]): Promise<void> {
  if (rows.length === 0) return
  const { dialect } = connection
  const { bytesOf, withRowNumbers } = dialect.copying
  const types = Object.fromEntries(table.columns.map(({ name, kind }) => [name, CELLS[kind]]))
  const names = table.columns.map(({ name }) => quotedName(name))
  const values = table.columns.map(({ name, kind }): Sql => {
    const value = quotedName(`r.${name}`)
    return kind === 'bytes' ? bytesOf(value) : value
  })
  const cells = rows.map((row) => table.columns.map(({ name }) => row[name] ?? null))
  await connection.varied(
    sql`insert into ${quotedName(table.name)} (${joined(names)}) ${withRowNumbers}
      select ${joined(values)} from ${dialect.table('r', types, cells)}`,
  )
}
