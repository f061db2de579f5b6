import type { Client } from 'pg'
import { STATE_COLUMNS, stateOf, type TablesState } from '../database/tables-state.ts'
import { SERVER_TIME } from './postgres-clock.ts'

/**
 * Which transactions are visible: the text is the same exactly while no transaction that writes has begun or ended, of
 * any program. With the state of the tables, which nobody announces either.
 */
const ASK = `select ${SERVER_TIME} as time, pg_current_snapshot()::text as visible, ${STATE_COLUMNS}`

/** The state of a server. */
export interface State {
  /** Its time, in milliseconds since 1970. */
  readonly time: number
  readonly tables: TablesState
  /** Something may have been written since it was asked before. */
  readonly hasChanged: boolean
}

const PING = `select ${SERVER_TIME} as time`
/** A ping that asks how far the log goes, also for what nobody waits for to be on the disk. */
const PING_FOR_POSITION = `select ${SERVER_TIME} as time, pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as position`

/** Asks a server for its time, and how far its log goes, where that is wanted. */
export async function ping(
  client: Client,
  wantsPosition: boolean,
): Promise<{ readonly time: number; readonly position: number | null }> {
  const { rows } = await client.query(wantsPosition ? PING_FOR_POSITION : PING)
  const [{ time, position = null }] = rows
  return { time, position }
}

interface StateRow {
  readonly time: number
  readonly visible: string
  readonly oldest: string | null
  readonly version: string | null
}

/** Polls a server that notifies nobody. It does not say what has changed, only whether anything may have. */
export class Polling {
  #visible: string | null = null

  async ask(client: Client): Promise<State> {
    const { rows } = await client.query<StateRow>(ASK)
    const [row] = rows
    if (row === undefined) throw new Error('The server has not said how it is.')
    const { time, visible, ...tables } = row
    const hasChanged = visible !== this.#visible
    this.#visible = visible
    return { time, tables: stateOf(tables), hasChanged }
  }
}
