import type { Client } from 'pg'
import { STATE_COLUMNS, stateOf, type TablesState } from '../database/tables-state.ts'

/**
 * Which transactions are visible: the text is the same exactly while none of those that write has ended or begun, whoever
 * they are of. With the state of the tables, which nobody announces either.
 */
const ASK = `select pg_current_snapshot()::text as visible, ${STATE_COLUMNS}`

/** The state of a server. */
export interface State {
  readonly tables: TablesState
  /** Something may have been written since it was asked before. */
  readonly hasChanged: boolean
}

/** Asks a server that notifies nobody. It does not say what has changed, only whether anything may have. */
export class Asking {
  #visible: string | null = null

  async ask(client: Client): Promise<State> {
    const { rows } = await client.query<{ visible: string; oldest: string | null; version: string | null }>(ASK)
    const [{ visible = '', ...tables } = {}] = rows
    const hasChanged = visible !== this.#visible
    this.#visible = visible
    return { tables: stateOf(tables), hasChanged }
  }
}
