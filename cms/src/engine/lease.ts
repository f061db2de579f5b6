import { newId } from '../base/ids.ts'
import type { JobLease, JobState } from '../store/contract/store.ts'
import type { Context } from './context.ts'

/**
 * A process that is silent for so long is presumed dead, and its work is taken up by another one, within ten seconds
 * (§6.4, §6.7).
 */
export const LEASE_MS = 5_000

/** How often a lease of so many milliseconds is renewed while its work goes on. */
export const renewedEvery = (ms: number) => ms / 3

/** How work is taken. */
interface LeaseTerms {
  /** A process that is silent for so many milliseconds is presumed dead; a living one reports three times as often. */
  readonly ms: number
  /** Takes work that is not due as well. */
  readonly isForced: boolean
}

/** The state to record when work ends. */
export type WorkEnd = Pick<JobState, 'due' | 'endedAt' | 'failures' | 'error'>

/** The right to do work that one process does at a time; it is renewed until it ends. */
export interface Lease {
  /** Aborted when another process has taken the work: it is to stop here. */
  readonly lost: AbortSignal
  /**
   * Gives the work back, and records the state that `next` returns; nothing when another process has taken the work.
   */
  end(next: (before: JobState) => WorkEnd): Promise<void>
}

type Leasing = Pick<Context, 'store' | 'now' | 'log'>

/**
 * Takes the work of a name, and begins to renew the lease; null while another process does it. Does not keep a process
 * alive.
 */
export async function takeLease({ store, now, log }: Leasing, name: string, terms: LeaseTerms): Promise<Lease | null> {
  const holder = newId()
  const untilThen = (): JobLease => {
    const at = now().getTime()
    return { holder, now: at, until: at + terms.ms }
  }
  if (!(await store.transaction(({ jobs }) => jobs.claim(name, untilThen(), terms.isForced)))) return null
  const lost = new AbortController()
  let isEnded = false
  const renew = async () => {
    try {
      const isMine = await store.transaction(({ jobs }) => jobs.renew(name, untilThen()))
      if (isMine || isEnded || lost.signal.aborted) return
      log.error({ job: name }, 'Another process has taken over a job that was running here. It was stopped here.')
      lost.abort()
    } catch (error) {
      // The next renewal comes before the lease is over.
      log.warn({ error, job: name }, 'Could not record that a job is still running.')
    }
  }
  const renewal = setInterval(() => void renew(), renewedEvery(terms.ms)).unref()
  const end = async (next: (before: JobState) => WorkEnd) => {
    isEnded = true
    clearInterval(renewal)
    const before = await store.jobs.get(name)
    if (before !== null) await store.transaction(({ jobs }) => jobs.finish(name, holder, next(before)))
  }
  return { lost: lost.signal, end }
}

/** True while a process does the work of that name. */
export async function isLeased({ store, now }: Leasing, name: string): Promise<boolean> {
  const state = await store.jobs.get(name)
  return state !== null && state.holder !== null && state.until > now().getTime()
}
