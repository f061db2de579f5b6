import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../engine/context.ts'
import { type Lease, takeLease } from '../../engine/lease.ts'
import { UsageError } from '../command/failure.ts'

/** Shorter than that of jobs: other processes cannot start meanwhile. */
const LEASE_MS = 9_000
const LOOK_MS = 200

/** True when work of that name was done to its end. */
export async function isDone(ctx: Context, name: string): Promise<boolean> {
  return ((await ctx.store.jobs.get(name))?.endedAt ?? null) !== null
}

/**
 * Does what only one process that uses the database may do at a time: another one that does work of this name is waited
 * for. Answers what the work answers, and throws what it throws: then the work is not done. When another process has
 * taken the work, because this one was silent for too long, it throws at once, and does not wait for the work: its
 * caller stops it.
 */
export async function aloneWith<T>(ctx: Context, name: string, work: () => Promise<T>): Promise<T> {
  const lease = await leaseWhenFree(ctx, name)
  let hasDone = false
  try {
    const answer = await Promise.race([work(), failureWhenLost(lease, name)])
    hasDone = true
    return answer
  } finally {
    const now = ctx.now().getTime()
    await lease.end(({ endedAt }) => ({ due: now, endedAt: hasDone ? now : endedAt, failures: 0, error: null }))
  }
}

async function leaseWhenFree(ctx: Context, name: string): Promise<Lease> {
  for (;;) {
    const lease = await takeLease(ctx, name, { ms: LEASE_MS, isForced: true })
    if (lease !== null) return lease
    await pause(LOOK_MS)
  }
}

function failureWhenLost({ lost }: Lease, name: string): Promise<never> {
  const message = `Another process has taken over “${name}”, since this one was silent for ${LEASE_MS / 1000} seconds. Start it again.`
  return new Promise((_, reject) => lost.addEventListener('abort', () => reject(new UsageError(message))))
}
