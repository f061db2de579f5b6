import type { Store } from '../store/contract/store.ts'
import { NO_CACHES } from './caches.ts'
import type { Context, WriteContext } from './context.ts'

type Changed = Partial<Context & Pick<WriteContext, 'operations'>>

/**
 * A context of somebody else, or for something else, in the transaction of `ctx`: what it reads and writes is in that
 * transaction, and what follows the commit is done in its name.
 */
export function inTransaction(ctx: WriteContext, changed: Changed): WriteContext {
  const { tx } = ctx
  const store: Store = {
    ...ctx.store,
    ...tx.read,
    changes: () => null,
    transaction: (work) => work(tx),
    snapshot: (work) => work(tx.read),
  }
  return {
    ...ctx,
    ...changed,
    store,
    caches: NO_CACHES,
    afterCommit: (task) => ctx.afterCommit((committed) => task({ ...committed, ...changed })),
  }
}

/**
 * Runs `work` on one snapshot of the content: nothing that is committed meanwhile is seen. What it makes of the content
 * is not cached, since others may be ahead of it.
 */
export function onSnapshot<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  return ctx.store.snapshot((reader) => {
    // A snapshot inside a snapshot is the same one.
    const store: Store = { ...ctx.store, ...reader, snapshot: (inner) => inner(reader) }
    return work({ ...ctx, store, caches: NO_CACHES })
  })
}
