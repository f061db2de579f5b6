import { quotedName, type Sql, sql } from '../database/sql.ts'
import type { TablesState } from '../database/tables-state.ts'

/** The first version that has a fence. */
const FIRST_FENCED = 22
/** The channel of all notifications. */
export const CHANNEL = 'quire_documents'
const TABLES = 'tables '

/**
 * An empty table for each version of the program that may use the tables, named after it. Each transaction of a program
 * locks that of the version it knows: a migration that shuts it out, and drops that table, waits for them, and later ones
 * fail. Locking takes the server four microseconds, reading a row fifty.
 */
const fenceOf = (version: number) => `quire_tables_${version}`

/** The fences of tables: one for each program that may use them. */
export function fencesOf({ oldest, version }: TablesState): readonly string[] {
  const first = Math.max(oldest, FIRST_FENCED)
  return Array.from({ length: Math.max(0, version - first + 1) }, (_, index) => fenceOf(first + index))
}

/** A statement that holds the fence of a version up until the transaction ends, and fails where it is gone. */
export const holdFence = (version: number) => `lock table ${fenceOf(version)} in access share mode`

/** Makes and drops fences where tables change; programs that are shut out hear of it with the commit. */
export function moveFences(from: TablesState, to: TablesState): readonly Sql[] {
  const [former, present] = [fencesOf(from), fencesOf(to)]
  const isShutOut = to.oldest > from.oldest && present.length > 0
  return [
    ...former.filter((fence) => !present.includes(fence)).map((fence) => sql`drop table ${quotedName(fence)}`),
    ...present.filter((fence) => !former.includes(fence)).map((fence) => sql`create table ${quotedName(fence)} ()`),
    ...(isShutOut ? [sql`select pg_notify(${CHANNEL}, ${TABLES + to.oldest})`] : []),
  ]
}

/** The version of the oldest program that a notification lets in; null where it announces something else. */
export function announcedVersion(payload: string): number | null {
  return payload.startsWith(TABLES) ? Number(payload.slice(TABLES.length)) : null
}
