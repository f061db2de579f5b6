import { CmsError } from '../../base/errors.ts'
import type { Attempts } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { write } from '../write.ts'
import { hashOf } from './secrets.ts'

const MINUTE = 60_000
const ALLOWED = 5
const LONGEST_BLOCK = 60 * MINUTE
/** How long without a failure until earlier blocks are forgotten. */
const MEMORY = 24 * 60 * MINUTE

/** An attempt that was counted before its outcome is known. */
interface CountedAttempt {
  readonly before: readonly Attempts[]
  readonly after: readonly Attempts[]
}

/** The key under which attempts on a name, on a device or from an address are counted: always a hash. */
export function throttleKey(kind: 'name' | 'device' | 'address', text: string): string {
  return hashOf(`${kind} ${text}`)
}

/**
 * Counts an attempt as failed before it is made, so that concurrent attempts get no more tries than sequential ones.
 * Throws `toomany` while one of the keys is blocked: then nothing may be tried, and nothing is written. Shared by all
 * processes.
 */
export async function countAttempt(ctx: Context, keys: readonly string[]): Promise<CountedAttempt> {
  const now = ctx.now().getTime()
  assertNotBlocked(await ctx.store.throttle.blockedUntil(keys), now)
  return write(ctx, async ({ tx }) => {
    const before = await tx.throttle.lock(keys)
    // Another process may have blocked one of them meanwhile.
    assertNotBlocked(Math.max(...before.map((attempts) => attempts.until)), now)
    const after = before.map((attempts) => afterFailure(attempts, now))
    for (const attempts of after) await tx.throttle.put(attempts)
    return { before, after }
  })
}

function assertNotBlocked(until: number, now: number): void {
  if (until <= now) return
  const retryAfter = Math.ceil((until - now) / 1000)
  throw new CmsError('toomany', `Too many failed attempts. Try again in ${retryAfter} seconds.`, { retryAfter })
}

/** Undoes the counting of an attempt that succeeded: the name is reset, and the address gets its attempt back. */
export async function undoAttempt(ctx: Context, { before, after }: CountedAttempt, nameKey: string): Promise<void> {
  await write(ctx, async ({ tx }) => {
    for (const now of await tx.throttle.lock(after.map(({ key }) => key))) {
      const then = before.find(({ key }) => key === now.key)
      const counted = after.find(({ key }) => key === now.key)
      if (now.key === nameKey) await tx.throttle.remove(now.key)
      else if (then && counted && counted.until === now.until && now.until > then.until) await tx.throttle.put(then)
      else await tx.throttle.put({ ...now, failures: Math.max(0, now.failures - 1) })
    }
  })
}

/** Deletes what was counted so long ago that it no longer matters. */
export async function forgetOldAttempts(ctx: Context): Promise<void> {
  await write(ctx, ({ tx }) => tx.throttle.removeBefore(ctx.now().getTime() - MEMORY))
}

/** Five failures within a minute block for a minute; each further block is twice as long as the one before. */
export function afterFailure({ key, failures, since, blocks, until }: Attempts, now: number): Attempts {
  const isForgotten = now - Math.max(since, until) > MEMORY
  const isNewMinute = now - since > MINUTE
  const count = isNewMinute ? 1 : failures + 1
  const inARow = isForgotten ? 0 : blocks
  if (count < ALLOWED) return { key, failures: count, since: isNewMinute ? now : since, blocks: inARow, until }
  const block = Math.min(MINUTE * 2 ** inARow, LONGEST_BLOCK)
  return { key, failures: 0, since: now, blocks: inARow + 1, until: now + block }
}
