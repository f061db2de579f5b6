import { type Connection, Repository, type Transaction } from '../database/connection.ts'
import { assigned, columns, inserted, replaced, sql } from '../database/sql.ts'

/** The state of a job that one of all processes runs on schedule. Moments are milliseconds since 1970. */
export interface JobState {
  readonly name: string
  /** When it is to run next. */
  readonly due: number
  /** The process that runs it; null for none. */
  readonly holder: string | null
  /** Until when that process is presumed alive. */
  readonly until: number
  readonly startedAt: number | null
  readonly endedAt: number | null
  /** How often it has failed since it last succeeded. */
  readonly failures: number
  /** Why it failed last; null after a success. */
  readonly error: string | null
}

/** A process that is to run a job, and until when it is presumed alive. */
export interface JobLease {
  readonly holder: string
  readonly now: number
  readonly until: number
}

const JOB = columns<JobState>('name', 'due', 'holder', 'until', 'startedAt', 'endedAt', 'failures', 'error')

/** The states of jobs. */
export class JobRecords<Connected extends Connection> extends Repository<Connected> {
  get(name: string): Promise<JobState | null> {
    return this.firstRow<JobState>(sql`select ${JOB} from jobs where name = ${name}`)
  }

  list(): Promise<JobState[]> {
    return this.connection.all<JobState>(sql`select ${JOB} from jobs order by name`)
  }

  /** Records when a job is due that has never run. Another one is due then at the latest, unless it runs. */
  async dueBy(this: JobRecords<Transaction>, name: string, moment: number): Promise<void> {
    await this.connection.all(
      sql`insert into jobs ${inserted({ name, due: moment, until: 0, failures: 0 })}
        on conflict (name) do update set due = excluded.due where jobs.due > excluded.due and jobs.holder is null`,
    )
  }

  /** Takes a job that is due (with `isForced`, one that is not due as well), unless a living process runs it. */
  claim(
    this: JobRecords<Transaction>,
    name: string,
    { holder, now, until }: JobLease,
    isForced: boolean,
  ): Promise<boolean> {
    const latest = isForced ? Number.MAX_SAFE_INTEGER : now
    return this.hasRows(
      sql`insert into jobs ${inserted({ name, due: now, holder, until, startedAt: now, failures: 0 })}
        on conflict (name) do update set ${replaced('holder', 'until', 'startedAt')}
        where jobs.due <= ${latest} and (jobs.holder is null or jobs.until < ${now}) returning name`,
    )
  }

  /** False when another process has taken it. */
  renew(this: JobRecords<Transaction>, name: string, { holder, until }: JobLease): Promise<boolean> {
    return this.hasRows(
      sql`update jobs set until = ${until} where name = ${name} and holder = ${holder} returning name`,
    )
  }

  /** Records how a run ended. Does nothing when another process has taken the job. */
  async finish(
    this: JobRecords<Transaction>,
    name: string,
    holder: string,
    end: Pick<JobState, 'due' | 'endedAt' | 'failures' | 'error'>,
  ): Promise<void> {
    await this.connection.all(
      sql`update jobs set ${assigned({ ...end, holder: null, until: 0 })} where name = ${name} and holder = ${holder}`,
    )
  }
}
