import type { Connection, Transaction } from '../database/connection.ts'
import { columns, sql } from '../database/sql.ts'

/** A call of a tool by an agent (§4.10), without what was said. */
export interface AgentCall {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly keyId: string
  readonly keyName: string
  readonly tool: string
  /** The document that it named; null for none. */
  readonly docId: string | null
  /** `ok`, or the name of an error. */
  readonly result: string
}

const CALL = columns<AgentCall>('id', 'at', 'keyId', 'keyName', 'tool', 'docId', 'result')

/** The calls of agents. */
export class AgentCallRecords<Connected extends Connection> {
  readonly #connection: Connected

  constructor(connection: Connected) {
    this.#connection = connection
  }

  /** Newest first; `before` is the id of the last one of the page before. */
  list({ limit, before }: { readonly limit: number; readonly before: string | null }): Promise<AgentCall[]> {
    const older = before === null ? sql`` : sql`where n < (select b.n from agent_calls b where b.id = ${before})`
    return this.#connection.all<AgentCall>(sql`select ${CALL} from agent_calls ${older} order by n desc limit ${limit}`)
  }

  async add(this: AgentCallRecords<Transaction>, calls: readonly AgentCall[]): Promise<void> {
    const types = {
      id: 'text',
      at: 'number',
      key_id: 'text',
      key_name: 'text',
      tool: 'text',
      doc_id: 'text',
      result: 'text',
    } as const
    const rows = calls.map(({ id, at, keyId, keyName, tool, docId, result }) => {
      return [id, at, keyId, keyName, tool, docId ?? '', result]
    })
    await this.#connection.all(
      sql`insert into agent_calls (id, at, key_id, key_name, tool, doc_id, result)
        select r.id, r.at, r.key_id, r.key_name, r.tool, nullif(r.doc_id, ''), r.result
        from ${this.#connection.dialect.table('r', types, rows)}`,
    )
  }

  /** Removes those made before a moment. */
  async prune(this: AgentCallRecords<Transaction>, before: number): Promise<void> {
    await this.#connection.all(sql`delete from agent_calls where at < ${before}`)
  }
}
