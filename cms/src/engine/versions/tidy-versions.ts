import { batchesOf } from '../../base/batches.ts'
import { DAY_MS } from '../../base/durations.ts'
import { restAfter, waitForTurn } from '../../base/turns.ts'
import type { KeptVersions } from '../../model/declared/types.ts'
import type { Context } from '../context.ts'

/** How many documents are examined in one statement. */
const DOCUMENTS = 20
/** How many versions are deleted in one transaction, for which writers wait. */
const DELETED = 50

/** How versions are pruned. */
interface Pruning {
  /** Only counts. */
  readonly isDryRun?: boolean
  readonly onProgress?: (done: number, total: number) => void
  /** Stops where it is; what was deleted stays deleted, and the next pruning goes on from there. */
  readonly signal?: AbortSignal
}

/**
 * Deletes draft versions that nothing says to keep (§4.4), and returns how many. Never publications, labelled versions
 * and the newest of each timeline. May run alongside services. Files that only those versions named are unused then,
 * and go with the next cleaning of uploads.
 */
export async function pruneVersions(ctx: Context, keep: KeptVersions, pruning: Pruning = {}): Promise<number> {
  const { isDryRun = false, onProgress, signal } = pruning
  const { versions } = ctx.store
  const prunable = { before: timeOf(ctx, keep.days), keep: keep.count ?? 1 }
  const total = await versions.countDocuments()
  let removed = 0
  let done = 0
  for (let after = ''; !signal?.aborted; ) {
    await waitForTurn()
    const { ids, documents, last } = await versions.prunable(prunable, after, DOCUMENTS)
    if (last === null) break
    removed += isDryRun ? ids.length : await remove(ctx, ids, signal)
    done += documents
    onProgress?.(Math.min(done, total), total)
    after = last
  }
  return removed
}

function timeOf(ctx: Context, days: number | null): string | null {
  return days === null ? null : new Date(ctx.now().getTime() - days * DAY_MS).toISOString()
}

async function remove(ctx: Context, ids: readonly string[], signal: AbortSignal | undefined): Promise<number> {
  let removed = 0
  for (let start = 0; start < ids.length && !signal?.aborted; start += DELETED) {
    const began = performance.now()
    removed += await ctx.store.transaction((tx) => tx.versions.prune(ids.slice(start, start + DELETED)))
    await restAfter(began)
  }
  return removed
}

/** How many contents are examined in one statement. */
const LOOKED_AT = 500
/** How much is compressed in one transaction, for which writers wait. */
const PACKED = { items: 12, bytes: 100_000 }

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
    for (const batch of batchesOf(contents, PACKED, ({ bytes }) => bytes)) {
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
