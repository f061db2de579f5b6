import { CacheMemory, LastingCache } from '../../base/bounded-cache.ts'
import { oncePer } from '../../base/lazy.ts'
import { inTurns, waitForTurn } from '../../base/turns.ts'
import { compareContents } from '../../model/changes/compare-contents.ts'
import type { Site } from '../../model/declared/types.ts'
import type { ContentRef } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { audienceOf } from '../permissions.ts'
import { type ContentPair, withContents } from './open-contents.ts'

const MAX_BYTES = 8_000_000

/** Counts by site: contents never change, and declarations do not change while the service runs. */
const countsOf = oncePer((_site: Site) => {
  return new LastingCache<number>({ memory: new CacheMemory(MAX_BYTES), bytesOf: () => 8 })
})

/**
 * Counts the changes that the caller would see between the contents of each pair (§2.4); null counts as none. One
 * statement for all that were not counted before.
 */
export async function countChangesOf(ctx: Context, pairs: readonly (ContentPair | null)[]): Promise<number[]> {
  const counts = countsOf(ctx.site)
  const found = pairs.map((pair) => (pair === null || isSame(pair) ? 0 : counts.get(keyOf(ctx, pair))))
  const missing = pairs.flatMap((pair, index) => (pair && found[index] === undefined ? [{ ...pair, index }] : []))
  await withContents(ctx, missing, async (pair, open) => {
    await waitForTurn()
    const [newer, older] = [open(pair.newer), open(pair.older)]
    // A version that was just pruned, or of a type that the caller may not see.
    if (newer === null || older === null) return
    const count = (await inTurns(compareContents(ctx.site, older, newer)))?.result.length ?? 0
    found[pair.index] = count
    counts.set(keyOf(ctx, pair), count)
  })
  return found.map((count) => count ?? 0)
}

function isSame({ older, newer }: ContentPair): boolean {
  return older.hash === newer.hash && older.slug === newer.slug && older.type === newer.type
}

function keyOf({ actor }: Context, { older, newer }: ContentPair): string {
  const textOf = ({ type, hash, slug }: ContentRef) => `${type} ${hash} ${slug}`
  return [audienceOf(actor), textOf(older), textOf(newer)].join(' ')
}
