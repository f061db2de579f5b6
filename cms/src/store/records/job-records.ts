import type { JobLease, JobReader, JobState, JobWriter } from '../contract/store.ts'
import { sql } from '../database/sql.ts'
import type { Connection } from '../database/statement.ts'

const COLUMNS = sql`name, due, holder, until, started_at "startedAt", ended_at "endedAt", failures, error`

/** Reads the states of jobs. */
export class SqlJobReader implements JobReader {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async get(name: string): Promise<JobState | null> {
    const [row] = await this.#connection.all<JobState>(sql`select ${COLUMNS} from jobs where name = ${name}`)
    return row ?? null
  }

  list(): Promise<JobState[]> {
    return this.#connection.all<JobState>(sql`select ${COLUMNS} from jobs order by name`)
  }
}

/** Changes the states of jobs, in one transaction. */
export class SqlJobWriter implements JobWriter {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async dueBy(name: string, moment: number): Promise<void> {
    await this.#connection.all(
      sql`insert into jobs (name, due, until, failures) values (${name}, ${moment}, 0, 0)
        on conflict (name) do update set due = excluded.due where jobs.due > excluded.due and jobs.holder is null`,
    )
  }

  async claim(name: string, { holder, now, until }: JobLease, isForced: boolean): Promise<boolean> {
    const latest = isForced ? Number.MAX_SAFE_INTEGER : now
    const rows = await this.#connection.all(
      sql`insert into jobs (name, due, holder, until, started_at, failures)
        values (${name}, ${now}, ${holder}, ${until}, ${now}, 0)
        on conflict (name) do update set holder = excluded.holder, until = excluded.until,
          started_at = excluded.started_at
        where jobs.due <= ${latest} and (jobs.holder is null or jobs.until < ${now}) returning name`,
    )
    return rows.length > 0
  }

  async renew(name: string, { holder, until }: JobLease): Promise<boolean> {
    const rows = await this.#connection.all(
      sql`update jobs set until = ${until} where name = ${name} and holder = ${holder} returning name`,
    )
    return rows.length > 0
  }

  async finish(
    name: string,
    holder: string,
    { due, endedAt, failures, error }: Pick<JobState, 'due' | 'endedAt' | 'failures' | 'error'>,
  ): Promise<void> {
    await this.#connection.all(
      sql`update jobs set holder = null, until = 0, due = ${due}, ended_at = ${endedAt}, failures = ${failures},
        error = ${error} where name = ${name} and holder = ${holder}`,
    )
  }
}
