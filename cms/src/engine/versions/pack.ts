import { batchesOf } from '../../base/batches.ts'
import { turnToBlock } from '../../base/turns.ts'
import type { Context } from '../context.ts'

/** How many contents are looked at in one statement. */
const LOOKED_AT = 500
/** How many bytes are compressed in one transaction, and how many contents: writers wait for it. */
const BATCH = { items: 50, bytes: 500_000 }

/**
 * Compresses what only versions hold any more; how many contents. Reading them stays the same. May run beside services,
 * and be stopped: what is compressed stays so, and the next time goes on from there.
 */
export async function packVersions(ctx: Context, signal?: AbortSignal): Promise<number> {
  let packed = 0
  for (let after = 0; !signal?.aborted; ) {
    await turnToBlock()
    const { contents, last } = await ctx.store.versions.packable(after, LOOKED_AT)
    if (last === null) break
    for (const batch of batchesOf(contents, BATCH, ({ bytes }) => bytes)) {
      if (signal?.aborted) break
      await turnToBlock()
      await ctx.store.transaction((tx) => tx.versions.pack(batch.map(({ n }) => n)))
      packed += batch.length
    }
    after = last
  }
  return packed
}
