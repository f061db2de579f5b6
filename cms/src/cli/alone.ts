import { setTimeout as pause } from 'node:timers/promises'
import { newId } from '../base/ids.ts'
import type { Store } from '../store/store.ts'

/** A process that is silent for so long is presumed dead; a live one reports three times as often. */
const LEASE_MS = 10_000
const RENEW_MS = 3_000
const LOOK_MS = 200

/** True while a process does the work of that name. */
export async function isUnderWay(store: Store, name: string): Promise<boolean> {
  const state = await store.jobs.get(name)
  return state !== null && state.holder !== null && state.until > Date.now()
}

/**
 * Does what only one process that uses the database may do at a time: another one that does work of this name is waited for.
 * Answers what the work answers, and throws what it throws.
 */
export async function aloneWith<T>(store: Store, name: string, work: () => Promise<T>): Promise<T> {
  const holder = newId()
  const lease = () => ({ holder, now: Date.now(), until: Date.now() + LEASE_MS })
  while (!(await store.transaction(({ jobs }) => jobs.claim(name, lease(), true)))) await pause(LOOK_MS)
  const renew = () => store.transaction(({ jobs }) => jobs.renew(name, lease()))
  // A renewal that fails is tried again by the next one, before the lease ends.
  const renewal = setInterval(() => void renew().catch(() => false), RENEW_MS)
  try {
    return await work()
  } finally {
    clearInterval(renewal)
    const now = Date.now()
    await store.transaction(({ jobs }) =>
      jobs.finish(name, holder, { due: now, endedAt: now, failures: 0, error: null }),
    )
  }
}
