import { setTimeout as pause } from 'node:timers/promises'
import { conflict } from '../base/errors.ts'
import { SlugTaken, type StoreWriter } from '../store/store.ts'
import type { Context, WriteContext } from './context.ts'
import { OperationTurns } from './operation-turns.ts'

const ATTEMPTS = 40
/** The longest wait before the second attempt, in milliseconds; it grows by that much with each further one. */
const PAUSE = 3

/**
 * Runs `work` in one transaction: the only way to a WriteContext. What `afterCommit` was given runs afterwards. When
 * another transaction takes the same slug at the same moment, the work is repeated and then sees that slug. Each time
 * only one of many competitors gets the next free slug, hence the number of attempts. Inside of a transaction it is part
 * of that one.
 */
export async function write<T>(ctx: Context, work: (ctx: WriteContext) => Promise<T>): Promise<T> {
  if (isWriting(ctx)) return joined(ctx, work)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await writeOnce(ctx, attempt, work)
    } catch (error) {
      if (!(error instanceof SlugTaken)) throw error
      if (attempt === ATTEMPTS) throw conflict('Another document took this slug just now. Try again.')
      await pause(Math.random() * PAUSE * attempt)
    }
  }
}

/** True inside a transaction. */
export function isWriting(ctx: Context): ctx is WriteContext {
  return 'tx' in ctx
}

/** What has failed inside of a transaction that goes on: some of it may have been written. */
const failures = new WeakMap<StoreWriter, unknown>()

/** Work inside of a transaction that has begun. When it fails, nothing of the transaction is committed, caught or not. */
async function joined<T>(ctx: WriteContext, work: (ctx: WriteContext) => Promise<T>): Promise<T> {
  try {
    return await work(ctx)
  } catch (error) {
    failures.set(ctx.tx, error)
    throw error
  }
}

async function writeOnce<T>(ctx: Context, attempt: number, work: (ctx: WriteContext) => Promise<T>): Promise<T> {
  let after: Parameters<WriteContext['afterCommit']>[0][] = []
  const result = await ctx.store.transaction(async (tx) => {
    after = []
    const operations = new OperationTurns()
    try {
      const result = await work({ ...ctx, tx, attempt, operations, afterCommit: (task) => after.push(task) })
      await operations.settled()
      if (failures.has(tx)) throw failures.get(tx)
      return result
    } finally {
      await operations.end()
    }
  })
  for (const task of after) {
    try {
      await task(ctx)
    } catch (error) {
      ctx.log.error({ error }, 'Work after a commit failed.')
    }
  }
  return result
}
