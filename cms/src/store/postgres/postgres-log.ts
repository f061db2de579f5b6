import type { Client } from 'pg'
import { newId } from '../../base/ids.ts'

/** How far the log of a server went when it was asked, on the clock of `performance`. */
export interface LogPosition {
  readonly bytes: number
  readonly askedAt: number
}

/**
 * Names the past that a primary and its replicas share. A standby that has it, and is of the same cluster, has all that
 * the primary had when it became one, and nothing that this has lost.
 */
export const LINEAGE = `select value from secrets where name = 'lineage'`
/** The cluster that a server is of. */
export const SYSTEM = 'select system_identifier::text as system from pg_control_system()'
const TIMELINE = `select left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline, system.* from (${SYSTEM}) system`
const RENEW = `insert into secrets (name, value) values ('lineage', $1) on conflict (name)
  do update set value = excluded.value where not starts_with(secrets.value, $2)`

/** The lineage of a primary. It is renewed, by one of all processes, when the primary has become one by a promotion. */
export async function lineageOf(primary: Client): Promise<string> {
  const [facts] = (await primary.query(TIMELINE)).rows
  const start = `${facts.system}:${facts.timeline}:`
  await primary.query(RENEW, [start + newId(), start])
  return (await primary.query(LINEAGE)).rows[0].value
}

/** The cluster that a lineage is of. */
export function systemOf(lineage: string): string {
  return lineage.split(':', 1)[0] ?? ''
}
