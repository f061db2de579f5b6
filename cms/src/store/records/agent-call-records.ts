import { type Connection, insertedRows, Repository, type Transaction } from '../database/connection.ts'
import { allOf, columns, sql } from '../database/sql.ts'

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

/** Selects calls: all given properties must hold. */
interface AgentCallQuery {
  readonly limit: number
  /** The id of the last one of the page before; null for the first page. */
  readonly before: string | null
  readonly keyId: string | null
  /** Only those that were refused, or failed. */
  readonly isFailed: boolean
}

const CALL = columns<AgentCall>('id', 'at', 'keyId', 'keyName', 'tool', 'docId', 'result')

/** The calls of agents. */
export class AgentCallRecords<Connected extends Connection> extends Repository<Connected> {
  /** Newest first. */
  list({ limit, before, keyId, isFailed }: AgentCallQuery): Promise<AgentCall[]> {
    const tests = allOf(
      before !== null && sql`n < (select b.n from agent_calls b where b.id = ${before})`,
      keyId !== null && sql`key_id = ${keyId}`,
      isFailed && sql`result <> 'ok'`,
    )
    return this.connection.all<AgentCall>(
      sql`select ${CALL} from agent_calls where ${tests} order by n desc limit ${limit}`,
    )
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
      return [id, at, keyId, keyName, tool, docId, result]
    })
    await this.connection.all(sql`insert into agent_calls ${insertedRows(this.dialect, types, rows)}`)
  }

  /** Removes those made before a moment. */
  async prune(this: AgentCallRecords<Transaction>, before: number): Promise<void> {
    await this.connection.all(sql`delete from agent_calls where at < ${before}`)
  }
}
