import { setTimeout as pause } from 'node:timers/promises'
import { conflict } from '../base/errors.ts'
import { SlugTaken } from '../store/store.ts'
import type { Context, WriteContext } from './context.ts'
import { CropsNeeded } from './media/asked-crops.ts'
import { makeCrop } from './media/crops.ts'

const ATTEMPTS = 40
/** The most that is waited before the second attempt, in milliseconds; each further one may wait that much longer. */
const PAUSE = 3

/** How often the crops of images may be made for one piece of work. */
const CROP_ROUNDS = 5

/**
 * Runs `work` in one transaction: the only way to a WriteContext. What `afterCommit` was given runs afterwards. When
 * somebody else takes a slug at the same moment the work is done again, and then sees that slug. Of many that want the
 * next free one only one gets it each time, hence the number of attempts. Crops of images that documents ask for are
 * made between two attempts: nobody waits for them in a transaction.
 */
export async function write<T>(ctx: Context, work: (ctx: WriteContext) => Promise<T>): Promise<T> {
  for (let round = 1; ; round += 1) {
    try {
      return await writeWithSlug(ctx, work)
    } catch (error) {
      if (!(error instanceof CropsNeeded) || round === CROP_ROUNDS) throw error
      for (const needed of error.crops) await makeCrop(ctx, needed)
    }
  }
}

async function writeWithSlug<T>(ctx: Context, work: (ctx: WriteContext) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await writeOnce(ctx, attempt, work)
    } catch (error) {
      if (!(error instanceof SlugTaken)) throw error
      if (attempt === ATTEMPTS) throw conflict('The slug was taken by somebody else just now. Try again.')
      await pause(Math.random() * PAUSE * attempt)
    }
  }
}

async function writeOnce<T>(ctx: Context, attempt: number, work: (ctx: WriteContext) => Promise<T>): Promise<T> {
  let after: (() => Promise<void> | void)[] = []
  const result = await ctx.store.transaction((tx) => {
    after = []
    return work({ ...ctx, tx, attempt, afterCommit: (task) => after.push(task) })
  })
  for (const task of after) await runAfter(ctx, task)
  return result
}

async function runAfter(ctx: Context, task: () => Promise<void> | void): Promise<void> {
  try {
    await task()
  } catch (error) {
    ctx.log.error({ error }, 'A hook failed after its document was saved.')
  }
}
