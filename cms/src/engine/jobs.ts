import { newId } from '../base/ids.ts'
import type { Schedule } from '../model/jobs.ts'
import { firstRun, nextRun } from '../model/jobs.ts'
import type { JobLease, JobState } from '../store/store.ts'
import type { Context } from './context.ts'

/** Work that one of the processes that serve a database does on a schedule. */
export interface Job {
  /** Unique; what is known of it is stored under this name. */
  readonly name: string
  readonly schedule: Schedule
  /** Stops soon after the signal: the service stops, or another process has taken the job. */
  run(ctx: Context, signal: AbortSignal): Promise<unknown>
}

/** A process that is silent for so long is presumed dead; a live one reports three times as often. */
const LEASE_MS = 60_000
const RENEW_MS = 20_000
/** How long a check waits at most: clocks change, processes die. */
const MOST_WAIT_MS = 600_000
const LEAST_WAIT_MS = 100
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
    for (const job of this.#jobs) {
      const { schedule } = job
      this.#check(job, schedule.kind === 'interval' ? Math.min(schedule.ms, MOST_WAIT_MS) : MOST_WAIT_MS / 10)
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
    this.#timers.set(job, setTimeout(check, Math.max(ms, LEAST_WAIT_MS)).unref())
  }

  async #runWhenDue(job: Job): Promise<void> {
    let wait = RETRY_MS
    try {
      await runWhenDue(this.#ctx, job, this.#stop.signal)
      wait = await waitFor(this.#ctx, job)
    } catch (error) {
      this.#ctx.log.error({ error, job: job.name }, 'It could not be found out whether a job is due.')
    }
    this.#check(job, wait)
  }
}

/** How long a job need not be looked at: until it is due, or its process is presumed dead. */
async function waitFor(ctx: Context, { name }: Job): Promise<number> {
  const state = await ctx.store.jobs.get(name)
  if (state === null) return RETRY_MS
  const until = state.holder === null ? state.due : Math.max(state.due, state.until)
  return Math.min(until - ctx.now().getTime(), MOST_WAIT_MS)
}

/** Runs a job if it is due and no other process is running it. A job seen for the first time is recorded, and due later. */
export async function runWhenDue(
  ctx: Context,
  job: Job,
  signal: AbortSignal = new AbortController().signal,
): Promise<JobOutcome> {
  const now = ctx.now().getTime()
  const state = await ctx.store.jobs.get(job.name)
  if (state === null) await ctx.store.transaction(({ jobs }) => jobs.add(job.name, firstRun(job.schedule, now)))
  if (state === null || state.due > now || signal.aborted) return 'not due'
  return runJob(ctx, job, { signal, isForced: false })
}

/** Runs a job, due or not with `isForced`, unless another process runs it. A failure is logged and noted, not thrown. */
export async function runJob(
  ctx: Context,
  job: Job,
  { signal, isForced }: { readonly signal: AbortSignal; readonly isForced: boolean },
): Promise<JobOutcome> {
  const holder = newId()
  const started = ctx.now().getTime()
  const isMine = await ctx.store.transaction(({ jobs }) => jobs.claim(job.name, lease(holder, started), isForced))
  if (!isMine) return 'running elsewhere'
  const lost = new AbortController()
  const renewal = setInterval(() => void renew(ctx, job, holder, lost), RENEW_MS).unref()
  const failure = await failureOf(job.run(ctx, AbortSignal.any([signal, lost.signal])))
  clearInterval(renewal)
  const result = failure === null ? 'done' : 'failed'
  ctx.metrics.counter('quire_jobs_total', 'Jobs that were run, by how they ended.').add({ job: job.name, result })
  // A run that was cut off is not over: it is due as before, for whoever comes next.
  if (signal.aborted) await release(ctx, job, holder)
  else if (failure === null) await finish(ctx, job, holder, { started, failures: 0, error: null })
  else await noteFailure(ctx, job, holder, { started, error: failure.error })
  return result
}

function lease(holder: string, now: number): JobLease {
  return { holder, now, until: now + LEASE_MS }
}

async function failureOf(work: Promise<unknown>): Promise<{ readonly error: unknown } | null> {
  try {
    await work
    return null
  } catch (error) {
    return { error }
  }
}

async function renew(ctx: Context, { name }: Job, holder: string, lost: AbortController): Promise<void> {
  try {
    const next = lease(holder, ctx.now().getTime())
    if (await ctx.store.transaction(({ jobs }) => jobs.renew(name, next))) return
    ctx.log.error({ job: name }, 'Another process has taken a job that runs here. It is stopped here.')
    lost.abort()
  } catch (error) {
    ctx.log.warn({ error, job: name }, 'It could not be noted that a job still runs.')
  }
}

/** A run that has begun, and how it ended. */
interface EndedRun extends Pick<JobState, 'failures' | 'error'> {
  readonly started: number
}

async function finish(ctx: Context, job: Job, holder: string, { started, failures, error }: EndedRun): Promise<void> {
  const endedAt = ctx.now().getTime()
  const regular = Math.max(nextRun(job.schedule, started), endedAt)
  const retry = failures === 0 ? regular : endedAt + Math.min(RETRY_MS * 2 ** (failures - 1), MOST_RETRY_MS)
  const due = Math.min(regular, retry)
  await ctx.store.transaction(({ jobs }) => jobs.finish(job.name, holder, { due, endedAt, failures, error }))
}

async function noteFailure(
  ctx: Context,
  job: Job,
  holder: string,
  { started, error }: { readonly started: number; readonly error: unknown },
): Promise<void> {
  const state = await ctx.store.jobs.get(job.name)
  const failures = (state?.failures ?? 0) + 1
  ctx.log.error({ error, job: job.name, failures }, 'A job failed. It will be tried again.')
  const text = (error instanceof Error ? error.message : String(error)).slice(0, MOST_ERROR)
  await finish(ctx, job, holder, { started, failures, error: text })
}

async function release(ctx: Context, { name }: Job, holder: string): Promise<void> {
  const state = await ctx.store.jobs.get(name)
  if (state === null) return
  const { due, endedAt, failures, error } = state
  await ctx.store.transaction(({ jobs }) => jobs.finish(name, holder, { due, endedAt, failures, error }))
}

/** Runs jobs on schedule from now on; returns a function that stops them. */
export async function startJobs(ctx: Context, jobs: readonly Job[]): Promise<() => Promise<void>> {
  const runner = new JobRunner(ctx, jobs)
  runner.start()
  return () => runner.stop()
}
