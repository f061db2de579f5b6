import type { Store } from '../store/contract/store.ts'
import { NO_CACHES } from './caches.ts'
import type { Context } from './context.ts'

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
