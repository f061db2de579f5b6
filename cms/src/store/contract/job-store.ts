/** What is known of a job that one of all processes runs on schedule. Moments are milliseconds since 1970. */
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

/** Reads the states of jobs. */
export interface JobReader {
  get(name: string): Promise<JobState | null>
  list(): Promise<JobState[]>
}

/** Changes the states of jobs. */
export interface JobWriter {
  /** Notes when a job is due that has never run. Another one is due then at the latest, unless it runs. */
  dueBy(name: string, moment: number): Promise<void>
  /** Takes a job that is due (with `isForced`, one that is not due as well), unless a living process runs it. */
  claim(name: string, lease: JobLease, isForced: boolean): Promise<boolean>
  /** False when another process has taken it. */
  renew(name: string, lease: JobLease): Promise<boolean>
  /** Notes how a run ended. Does nothing when another process has taken the job. */
  finish(name: string, holder: string, end: Pick<JobState, 'due' | 'endedAt' | 'failures' | 'error'>): Promise<void>
}
