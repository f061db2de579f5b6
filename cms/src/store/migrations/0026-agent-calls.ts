import type { Dialect } from '../database/connection.ts'
import { type Sql, sql } from '../database/sql.ts'

/** Creates the table of the calls of agents, without what they said (§4.10). */
export function agentCalls({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table agent_calls (
      n ${words.rowNumber},
      id ${words.text} not null unique,
      at ${words.number} not null,
      key_id ${words.text} not null,
      key_name ${words.text} not null,
      tool ${words.text} not null,
      doc_id ${words.text},
      result ${words.text} not null
    )`,
    sql`create index agent_calls_by_age on agent_calls (at)`,
  ]
}
