import type { Client } from 'pg'
import { SERVER_TIME } from './postgres-clock.ts'

/**
 * Which transactions are visible: the text is the same exactly while none of those that write has ended or begun, whoever
 * they are of. With the version of the tables, which nobody announces either.
 */
const ASK = `select ${SERVER_TIME} as time, pg_current_snapshot()::text as visible, (select value from meta where name = 'version') as version`

/** The state of a server. */
export interface State {
  readonly time: number
  /** The version of its tables. */
  readonly version: number
  /** Something may have been written since it was asked before. */
  readonly hasChanged: boolean
}

/** Asks a server that notifies nobody. It does not say what has changed, only whether anything may have. */
export class Asking {
  #visible: string | null = null

  async ask(client: Client): Promise<State> {
    const { rows } = await client.query<{ time: number; visible: string; version: string | null }>(ASK)
    const [{ time = Number.NaN, visible = '', version = null } = {}] = rows
    const hasChanged = visible !== this.#visible
    this.#visible = visible
    return { time, version: Number(version), hasChanged }
  }
}
