import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { CmsError, conflict, mayBeStored, unconfirmed } from '../base/errors.ts'
import { SlugTaken, type StoreWriter } from '../store/contract/store.ts'
import type { Context, Operations, WriteContext } from './context.ts'

/** Of many transactions that compete for a slug, only one gets the next free one each time. */
const ATTEMPTS = 40
/** The longest wait before the second attempt, in milliseconds; it grows by that much with each further one. */
const PAUSE = 3

/**
 * Runs `work` in one transaction, all or nothing, and returns what it returns: the only way to a `WriteContext`. What
 * `afterCommit` was given runs afterwards. When another transaction takes the same slug at the same moment, the work is
 * repeated and then sees that slug; after many attempts it is a `conflict`. Inside a transaction, it joins that one.
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

const requests = new AsyncLocalStorage<{ hasCommitted: boolean }>()

/**
 * Does all the work of a request. When that fails because the database is away, but after something was committed, the
 * error tells so: `data.mayBeStored` (§0.2).
 */
export async function asRequest<T>(work: () => Promise<T>): Promise<T> {
  const request = { hasCommitted: false }
  try {
    return await requests.run(request, work)
  } catch (error) {
    const isAway = error instanceof CmsError && error.name === 'unavailable'
    throw isAway && request.hasCommitted && !mayBeStored(error) ? unconfirmed(error) : error
  }
}

const TAKEN_BACK = new Error('What was only tried is taken back.')

/** Runs `work` as `write` does, takes back all that it wrote, and returns what it returned: what would happen. */
export async function tryOut<T>(ctx: Context, work: (ctx: WriteContext) => Promise<T>): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>()
  try {
    await write(ctx, async (ctx) => {
      resolve(await work(ctx))
      throw TAKEN_BACK
    })
  } catch (error) {
    if (error !== TAKEN_BACK) throw error
  }
  return promise
}

/** True inside a transaction. */
export function isWriting(ctx: Context): ctx is WriteContext {
  return 'tx' in ctx
}

/** Failures inside transactions that go on: some of it may have been written. */
const failures = new WeakMap<StoreWriter, unknown>()

/**
 * Work inside of a transaction that has begun. When it fails, nothing of the transaction is committed, caught or not.
 */
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
      await operations.idle()
      if (failures.has(tx)) throw failures.get(tx)
      return result
    } finally {
      await operations.end()
    }
  })
  const request = requests.getStore()
  if (request !== undefined) request.hasCommitted = true
  for (const task of after) {
    try {
      await task(ctx)
    } catch (error) {
      ctx.log.error({ error }, 'Work after a commit failed.')
    }
  }
  return result
}

const WAITS_FOR_ITSELF =
  'This operation would wait for the one whose hook began it, which waits for the hook. In a hook, use ctx.as(…) of the hook.'

/** Operations that hooks of one another begin: more than any site means to. */
const MOST_NESTED = 50

const BEGINS_ITSELF = `Operations began one another in hooks, ${MOST_NESTED} deep. A hook that saves documents of its own type must know when to stop.`

/** The state shared by the operations of one transaction. */
interface Progress {
  hasEnded: boolean
  readonly running: Set<Promise<unknown>>
}

/** The turns among which what runs has one of its own: what waited for another one of those would wait for itself. */
const around = new AsyncLocalStorage<readonly OperationTurns[]>()

/**
 * Operations on content inside one transaction: they run one after another, as on one connection they must, and
 * none after its end. Those that an operation's hooks begin are part of it, and have turns of their own.
 */
class OperationTurns implements Operations {
  readonly #progress: Progress
  #last: Promise<unknown> = Promise.resolve()

  constructor(progress: Progress = { hasEnded: false, running: new Set() }) {
    this.#progress = progress
  }

  within(): OperationTurns {
    return new OperationTurns(this.#progress)
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    const { running } = this.#progress
    const outer = around.getStore() ?? []
    if (outer.includes(this)) return Promise.reject(new Error(WAITS_FOR_ITSELF))
    if (outer.length >= MOST_NESTED) return Promise.reject(new Error(BEGINS_ITSELF))
    const turn = this.#last.then(() => {
      if (this.#progress.hasEnded) throw new Error('This transaction has ended: its content takes no more operations.')
      return around.run([...outer, this], work)
    })
    const ended: Promise<unknown> = turn.catch(() => {}).then(() => running.delete(ended))
    this.#last = ended
    running.add(ended)
    return turn
  }

  /** Resolves when all operations that were begun have ended. */
  async idle(): Promise<void> {
    const { running } = this.#progress
    while (running.size > 0) await Promise.all(running)
  }

  /** Refuses all operations that have not begun, and waits for those that have. */
  async end(): Promise<void> {
    this.#progress.hasEnded = true
    await this.idle()
  }
}
