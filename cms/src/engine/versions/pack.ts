import { batchesOf } from '../../base/batches.ts'
import { restAfter, waitForTurn } from '../../base/turns.ts'
import type { Context } from '../context.ts'

/** How many contents are examined in one statement. */
const LOOKED_AT = 500
/** How much is compressed in one transaction, for which writers wait. */
const BATCH = { items: 12, bytes: 100_000 }

/**
 * Compresses contents that only versions hold any more; returns how many. They read the same as before. It may run
 * alongside services, and be stopped: the next run continues from there.
 */
export async function packVersions(ctx: Context, signal?: AbortSignal): Promise<number> {
  let packed = 0
  for (let after = 0; !signal?.aborted; ) {
    await waitForTurn()
    const { contents, last } = await ctx.store.versions.packable(after, LOOKED_AT)
    if (last === null) break
    for (const batch of batchesOf(contents, BATCH, ({ bytes }) => bytes)) {
      if (signal?.aborted) break
      const began = performance.now()
      await ctx.store.transaction((tx) => tx.versions.pack(batch.map(({ n }) => n)))
      packed += batch.length
      await restAfter(began)
    }
    after = last
  }
  return packed
}
