import { setTimeout as pause } from 'node:timers/promises'
import { conflict } from '../base/errors.ts'
import { SlugTaken } from '../store/store.ts'
import type { Context, WriteContext } from './context.ts'

const ATTEMPTS = 40
/** The longest wait before the second attempt, in milliseconds; it grows by that much with each further one. */
const PAUSE = 3

/**
 * Runs `work` in one transaction: the only way to a WriteContext. What `afterCommit` was given runs afterwards. When
 * another transaction takes the same slug at the same moment, the work is repeated and then sees that slug. Each time
 * only one of many competitors gets the next free slug, hence the number of attempts.
 */
export async function write<T>(ctx: Context, work: (ctx: WriteContext) => Promise<T>): Promise<T> {
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

async function writeOnce<T>(ctx: Context, attempt: number, work: (ctx: WriteContext) => Promise<T>): Promise<T> {
  let after: Parameters<WriteContext['afterCommit']>[0][] = []
  const result = await ctx.store.transaction((tx) => {
    after = []
    return work({ ...ctx, tx, attempt, afterCommit: (task) => after.push(task) })
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
