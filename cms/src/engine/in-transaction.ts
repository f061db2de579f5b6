import type { Store } from '../store/store.ts'
import type { Context, WriteContext } from './context.ts'
import { noFragments, PartCache } from './part-cache.ts'

/**
 * A context of somebody else, or for something else, in the transaction of `ctx`: what it reads and writes is in that
 * transaction, and what follows the commit is done in its name.
 */
export function inTransaction(ctx: WriteContext, changed: Partial<Context>): WriteContext {
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
    memory: new PartCache(() => null),
    fragments: noFragments(),
    afterCommit: (task) => ctx.afterCommit((committed) => task({ ...committed, ...changed })),
  }
}
