import type { Client } from 'pg'
import { newId } from '../../base/ids.ts'

/** How far the log of a server went when it was asked, on the clock of `performance`. */
export interface LogPosition {
  readonly bytes: number
  readonly askedAt: number
}

/** Those who follow the log of a server. */
export interface LogFollowers {
  /** Called for each commit that is heard of. */
  outdated(): void
  /** Called with each connection that is to listen, before it is relied on. */
  connected(client: Client): Promise<void>
}

/**
 * Names the past that a primary and its replicas share. A standby that has it, and is of the same cluster, has all that
 * the primary had when it became one, and nothing that this has lost.
 */
export const LINEAGE = `select value from secrets where name = 'lineage'`
/** The cluster that a server is of. */
export const SYSTEM = 'select system_identifier::text as system from pg_control_system()'
/** The database of a cluster, and the schema in it: a copy of either has the lineage of what it was copied from. */
export const PLACE = `concat_ws('.', (select oid from pg_database where datname = current_database()),
  (select oid from pg_namespace where nspname = current_schema()))`
const TIMELINE = `select left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline, ${PLACE} as place, system.*
  from (${SYSTEM}) system`
const RENEW = `insert into secrets (name, value) values ('lineage', $1) on conflict (name)
  do update set value = excluded.value where not starts_with(secrets.value, $2)`

/** The past that a primary shares with its replicas. */
export interface Past {
  /** See `LINEAGE`. */
  readonly lineage: string
  /** See `PLACE`. */
  readonly place: string
}

/** The past of a primary. Its lineage is renewed, by one of all processes, when it has become one by a promotion. */
export async function pastOf(primary: Client): Promise<Past> {
  const [facts] = (await primary.query(TIMELINE)).rows
  const start = `${facts.system}:${facts.timeline}:`
  await primary.query(RENEW, [start + newId(), start])
  return { lineage: (await primary.query(LINEAGE)).rows[0].value, place: facts.place }
}

/** The cluster that a lineage is of. */
export function systemOf(lineage: string): string {
  return lineage.split(':', 1)[0] ?? ''
}
