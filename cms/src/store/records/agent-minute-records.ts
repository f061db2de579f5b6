import { type Connection, Repository, type Transaction } from '../database/connection.ts'
import { assigned, columns, sql } from '../database/sql.ts'

/** How much of its minute a key has used, in all processes (§4.10). */
export interface AgentMinute {
  readonly keyId: string
  /** When the minute began, in milliseconds since 1970. */
  readonly since: number
  readonly calls: number
  readonly characters: number
}

const MINUTE = columns<AgentMinute>('keyId', 'since', 'calls', 'characters')

/** The minutes of the keys of agents. */
export class AgentMinuteRecords<Connected extends Connection> extends Repository<Connected> {
  /** The minute of a key, locked until the transaction ends; one that began in 1970 where there was none. */
  async lock(this: AgentMinuteRecords<Transaction>, keyId: string): Promise<AgentMinute> {
    await this.connection.all(
      sql`insert into agent_minutes (key_id, since, calls, characters) values (${keyId}, 0, 0, 0) on conflict do nothing`,
    )
    const row = await this.firstRow<AgentMinute>(
      sql`select ${MINUTE} from agent_minutes where key_id = ${keyId} ${this.dialect.forUpdate}`,
    )
    return row ?? { keyId, since: 0, calls: 0, characters: 0 }
  }

  async put(this: AgentMinuteRecords<Transaction>, { keyId, ...used }: AgentMinute): Promise<void> {
    await this.connection.all(sql`update agent_minutes set ${assigned(used)} where key_id = ${keyId}`)
  }

  /** Removes those that began before a moment. */
  async removeBefore(this: AgentMinuteRecords<Transaction>, moment: number): Promise<void> {
    await this.connection.all(sql`delete from agent_minutes where since < ${moment}`)
  }
}
