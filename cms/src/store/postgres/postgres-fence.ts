import { quotedName, type Sql, sql } from '../database/sql.ts'

/** The first version that has a fence. */
const FIRST_FENCED = 22
/** The channel of all notifications. */
export const CHANNEL = 'quire_documents'
const TABLES = 'tables '

/**
 * An empty table named after the version of all others. Each transaction of a program locks that of the version it
 * knows: a migration, which renames it, waits for them, and later ones of older programs fail. Locking takes the server
 * four microseconds, reading a row fifty.
 */
export const fenceOf = (version: number) => `quire_tables_${version}`

/** Whether tables of that version have a fence. */
export const isFenced = (version: number) => version >= FIRST_FENCED

/** A statement that holds the fence of a version up until the transaction ends, and fails where it is gone. */
export const holdFence = (version: number) => `lock table ${fenceOf(version)} in access share mode`

/** Moves the fence from one version to another, and announces that to all processes with the commit. */
export function moveFence(from: number, to: number): readonly Sql[] {
  if (!isFenced(to)) return []
  const [name, former] = [quotedName(fenceOf(to)), quotedName(fenceOf(from))]
  const move = isFenced(from) ? sql`alter table ${former} rename to ${name}` : sql`create table ${name} ()`
  return [move, sql`select pg_notify(${CHANNEL}, ${TABLES + to})`]
}

/** The version that a notification announces; null where it announces something else. */
export function announcedVersion(payload: string): number | null {
  return payload.startsWith(TABLES) ? Number(payload.slice(TABLES.length)) : null
}
