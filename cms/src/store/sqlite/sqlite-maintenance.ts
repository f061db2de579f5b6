import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { HOUR_MS } from '../../base/durations.ts'
import { CmsError } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Connection } from '../database/connection.ts'
import { type DatabaseOptions, type Inspection, MOST_PROBLEMS, UnusableDatabase } from '../database/database.ts'
import { stateOf, TABLES_STATE } from '../database/tables-state.ts'
import { createTables } from '../migrations/migrate.ts'
import { openSqlite } from './sqlite.ts'
import { cannotOpen, isBusy, isFileError, isFull } from './sqlite-errors.ts'
import { assertNoFolder, makeFolderOf } from './sqlite-file.ts'

const UNFINISHED = '.restoring-'

/**
 * Replaces a database file by one that `load` fills: written next to it, then renamed, which is done wholly or not at
 * all. Nobody else can use the file meanwhile. Its log is merged into it first: next to the new file it would be taken
 * for the log of that.
 */
export async function replaceFile<T>(
  path: string,
  options: DatabaseOptions & { readonly version: number },
  load: (connection: Connection) => Promise<T>,
): Promise<T> {
  assertNoFolder(path)
  const target = resolve(path)
  makeFolderOf(target)
  const former = existsSync(target) ? lockWhole(target) : null
  const unfinished = `${target}${UNFINISHED}${newId()}`
  try {
    // With the file locked, no other restore is running: what others have begun is abandoned.
    removeAbandoned(target, former === null ? HOUR_MS : 0)
    const result = await fill(unfinished, options, load)
    // Not all systems rename over an open file.
    former?.close()
    for (const end of ['-wal', '-shm']) rmSync(target + end, { force: true })
    renameSync(unfinished, target)
    await syncFolder(dirname(target))
    return result
  } catch (error) {
    throw cannotWrite(path, error)
  } finally {
    if (former?.isOpen) former.close()
    for (const end of ['', '-wal', '-shm']) rmSync(unfinished + end, { force: true })
  }
}

async function fill<T>(
  path: string,
  { version, ...options }: DatabaseOptions & { readonly version: number },
  load: (connection: Connection) => Promise<T>,
): Promise<T> {
  const database = await openSqlite(path, { ...options, synchronous: 'full' })
  try {
    return await database.exclusively(async (connection) => {
      await createTables(connection, version)
      return load(connection)
    })
  } finally {
    await database.close()
  }
}

/**
 * Merges the log of a file into it, and locks it until the result is closed. Null when the file is damaged, which its
 * log could not repair. Throws while another process has it open.
 */
function lockWhole(path: string): DatabaseSync | null {
  const database = new DatabaseSync(path, { timeout: 1000 })
  try {
    // Only a sole connection may leave the mode with a log.
    const [mode] = database.prepare('pragma journal_mode = delete').all()
    if (mode?.journal_mode !== 'delete') throw inUse(path)
    database.exec('begin exclusive')
    return database
  } catch (error) {
    database.close()
    if (isBusy(error)) throw inUse(path)
    if (isFileError(error)) return null
    throw error
  }
}

/** A refusal by the disk, with the path of the file; any other failure unchanged. */
function cannotWrite(path: string, error: unknown): unknown {
  const cause = error instanceof CmsError ? error.cause : error
  if (!isFull(cause) && !isFileError(cause)) return error
  const advice = 'Check that its disk works and has room, then run the command again.'
  return new UnusableDatabase(`${path} cannot be written: ${cause.message}. ${advice}`, { cause })
}

function inUse(path: string): UnusableDatabase {
  return new UnusableDatabase(
    `${path} is in use. Stop the service, and whatever else has the file open, then try again.`,
  )
}

/** Old files that killed restores have left. */
function removeAbandoned(target: string, age: number): void {
  const folder = dirname(target)
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (!name.startsWith(basename(target) + UNFINISHED)) continue
    if (statSync(path).mtimeMs <= Date.now() - age) rmSync(path, { force: true })
  }
}

/** Makes the new name survive a power failure; some systems know no such thing. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null)
  await folder?.sync().catch(() => {})
  await folder?.close()
}

/** Rows that come back from `returning`, and `json_each`, are there from here on. */
const NEEDED = [3, 38] as const

/** Looks at a database file. Throws `UnusableDatabase` where there is none, or a folder. */
export function inspectSqlite(path: string): Inspection {
  assertNoFolder(path)
  if (!existsSync(path)) throw new UnusableDatabase(`There is no file ${path} yet: the first start makes it.`)
  try {
    return inspectFile(path)
  } catch (error) {
    throw cannotOpen(path, error)
  }
}

function inspectFile(path: string): Inspection {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 2000 })
  try {
    const all = (text: string) => database.prepare(text).all() as Record<string, unknown>[]
    const version = String(all('select sqlite_version() as version')[0]?.version)
    const [major = 0, minor = 0] = version.split('.').map(Number)
    const isOld = major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])
    const isOurs = all("select 1 from sqlite_master where name = 'meta'").length > 0
    const [state] = isOurs ? all(TABLES_STATE) : []
    return {
      product: `SQLite ${version}`,
      needed: isOld ? `SQLite ${NEEDED.join('.')}` : null,
      tables: stateOf(state ?? {}),
      bytes: statSync(path).size,
      walBytes: statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? null,
      problems: [
        ...all(`pragma integrity_check(${MOST_PROBLEMS})`).map((one) => String(one.integrity_check)),
        ...all('pragma foreign_key_check')
          .slice(0, MOST_PROBLEMS)
          .map(({ table, rowid, parent }) => `Row ${rowid} of ${table} refers to nothing in ${parent}.`),
      ].filter((problem) => problem !== 'ok'),
      aheadMs: null,
      maxConnections: null,
      denied: [],
    }
  } finally {
    database.close()
  }
}
