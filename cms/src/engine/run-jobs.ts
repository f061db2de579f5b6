import { messageOf } from '../base/thrown.ts'
import type { Schedule } from '../model/declared/job-schedules.ts'
import { firstRun, nextRun } from '../model/declared/job-schedules.ts'
import type { JobState } from '../store/contract/store.ts'
import type { Context } from './context.ts'
import { LEASE_MS, takeLease, type WorkEnd } from './lease.ts'

/** Work that one of the processes that serve a database does on a schedule. */
export interface Job {
  /** Unique; what is known of it is stored under this name. */
  readonly name: string
  readonly schedule: Schedule
  /** Stops soon after the signal: the service stops, or another process has taken the job. */
  run(ctx: Context, signal: AbortSignal): Promise<unknown>
}

/** How long a check waits at most: clocks change, processes die. */
const MOST_WAIT_MS = 600_000
const LEAST_WAIT_MS = 100
/** A job is first looked at when this part of its interval has passed. */
const FIRST_WAIT = 1 / 10
/** After how long a failed job is tried again, unless it is due before: it doubles, up to an hour. */
const RETRY_MS = 60_000
const MOST_RETRY_MS = 3_600_000
const MOST_ERROR = 500

/** How a check or a forced run of a job ended. */
export type JobOutcome = 'done' | 'failed' | 'not due' | 'running elsewhere'

/** Runs jobs on schedule. It does not keep a process alive. */
class JobRunner {
  readonly #ctx: Context
  readonly #jobs: readonly Job[]
  readonly #stop = new AbortController()
  readonly #timers = new Map<Job, NodeJS.Timeout>()
  readonly #running = new Set<Promise<void>>()

  constructor(ctx: Context, jobs: readonly Job[]) {
    this.#ctx = ctx
    this.#jobs = jobs
  }

  /** Runs each job from now on whenever it is due. Short intervals are checked soon, daily work is not in a hurry. */
  start(): void {
    for (const job of this.#jobs) this.#check(job, firstWaitFor(job))
    void this.#lookAtBegun()
  }

  /** A job that a process was running when it died is in a hurry. */
  async #lookAtBegun(): Promise<void> {
    try {
      const begun = (await this.#ctx.store.jobs.list()).filter(({ holder }) => holder !== null)
      for (const { name, until } of begun) {
        const job = this.#jobs.find((one) => one.name === name)
        const left = until - this.#ctx.now().getTime()
        if (job !== undefined && left < firstWaitFor(job)) this.#check(job, left)
      }
    } catch {
      // The checks of all jobs come later, and log such a failure.
    }
  }

  /** Starts no more runs; aborts those in progress, and waits for them. */
  async stop(): Promise<void> {
    this.#stop.abort()
    for (const timer of this.#timers.values()) clearTimeout(timer)
    await Promise.all(this.#running)
  }

  #check(job: Job, ms: number): void {
    if (this.#stop.signal.aborted) return
    const check = () => {
      const work = this.#runWhenDue(job).finally(() => this.#running.delete(work))
      this.#running.add(work)
    }
    clearTimeout(this.#timers.get(job))
    this.#timers.set(job, setTimeout(check, Math.max(ms, LEAST_WAIT_MS)).unref())
  }

  async #runWhenDue(job: Job): Promise<void> {
    // While the database is away: what is done often is to go on soon when it is back.
    let wait = Math.min(intervalOf(job), RETRY_MS)
    try {
      await runWhenDue(this.#ctx, job, this.#stop.signal)
      wait = await waitFor(this.#ctx, job)
    } catch (error) {
      this.#ctx.log.error({ error, job: job.name }, 'Could not check whether a job is due.')
    }
    this.#check(job, wait)
  }
}

function firstWaitFor(job: Job): number {
  return Math.min(intervalOf(job), MOST_WAIT_MS) * FIRST_WAIT
}

/** The milliseconds between two runs of a job; those of daily ones are more than anybody waits here. */
function intervalOf({ schedule }: Job): number {
  return schedule.kind === 'interval' ? schedule.ms : Number.POSITIVE_INFINITY
}

/** Returns how long a job need not be checked: until it is due, or its process is presumed dead. */
async function waitFor(ctx: Context, { name }: Job): Promise<number> {
  const state = await ctx.store.jobs.get(name)
  if (state === null) return RETRY_MS
  const until = state.holder === null ? state.due : Math.max(state.due, state.until)
  return Math.min(until - ctx.now().getTime(), MOST_WAIT_MS)
}

/**
 * Runs a job if it is due and no other process is running it. A job seen for the first time is recorded, and due later.
 * One that is due later than its schedule says from now, since it was declared otherwise or the clock was set back, is
 * due by its schedule.
 */
export async function runWhenDue(
  ctx: Context,
  job: Job,
  signal: AbortSignal = new AbortController().signal,
): Promise<JobOutcome> {
  const now = ctx.now().getTime()
  const state = await ctx.store.jobs.get(job.name)
  const latest = (state === null ? firstRun : nextRun)(job.schedule, now)
  if (state === null || state.due > latest) await ctx.store.transaction(({ jobs }) => jobs.dueBy(job.name, latest))
  if (state === null || state.due > now || signal.aborted) return 'not due'
  return runJob(ctx, job, { signal, isForced: false })
}

/**
 * Runs a job, due or not with `isForced`, unless another process runs it. A failure is logged and recorded, not thrown.
 */
export async function runJob(
  ctx: Context,
  job: Job,
  { signal, isForced }: { readonly signal: AbortSignal; readonly isForced: boolean },
): Promise<JobOutcome> {
  const started = ctx.now().getTime()
  const lease = await takeLease(ctx, job.name, { ms: LEASE_MS, isForced })
  if (lease === null) return 'running elsewhere'
  const [run] = await Promise.allSettled([job.run(ctx, AbortSignal.any([signal, lease.lost]))])
  const result = run.status === 'fulfilled' ? 'done' : 'failed'
  ctx.metrics.counter('quire_jobs_total', 'Jobs that were run, by how they ended.').add({ job: job.name, result })
  // A run that was cut off is not over: it is due as before, for the next process.
  await lease.end((before) => (signal.aborted ? before : endOf(ctx, job, { before, started, run })))
  return result
}

/** A run that is over. */
interface EndedRun {
  /** The state of the job while it ran. */
  readonly before: JobState
  readonly started: number
  readonly run: PromiseSettledResult<unknown>
}

/** Returns how a run ended, and when the job is due again. Logs a failure. */
function endOf(ctx: Context, job: Job, { before, started, run }: EndedRun): WorkEnd {
  const endedAt = ctx.now().getTime()
  const regular = Math.max(nextRun(job.schedule, started), endedAt)
  if (run.status === 'fulfilled') return { due: regular, endedAt, failures: 0, error: null }
  const error: unknown = run.reason
  const failures = before.failures + 1
  ctx.log.error({ error, job: job.name, failures }, 'A job failed. It will be tried again.')
  const retry = endedAt + Math.min(RETRY_MS * 2 ** (failures - 1), MOST_RETRY_MS)
  const text = messageOf(error).slice(0, MOST_ERROR)
  return { due: Math.min(regular, retry), endedAt, failures, error: text }
}

/** Runs jobs on schedule from now on; returns a function that stops them. */
export async function startJobs(ctx: Context, jobs: readonly Job[]): Promise<() => Promise<void>> {
  const runner = new JobRunner(ctx, jobs)
  runner.start()
  return () => runner.stop()
}
