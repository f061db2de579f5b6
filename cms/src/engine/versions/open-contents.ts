import { batchesOf } from '../../base/batches.ts'
import type { Content } from '../../model/declared/types.ts'
import type { ContentRef } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { seenContent } from '../values/seen-content.ts'

/** How much stored content one request holds at a time. */
const BATCH = { items: Number.POSITIVE_INFINITY, bytes: 8 * 1024 * 1024 }

/** Two contents that are compared. */
export interface ContentPair {
  readonly older: ContentRef
  readonly newer: ContentRef
}

/** The content of a reference as the caller sees it; null when it is gone or hidden. */
type OpenContent = (ref: ContentRef) => Content | null

/**
 * Calls `work` with each pair, in order. Reads their contents in one statement, unless they have many megabytes.
 * Neighbouring pairs that share a content open it once.
 */
export async function withContents<Pair extends ContentPair>(
  ctx: Context,
  pairs: readonly Pair[],
  work: (pair: Pair, open: OpenContent) => Promise<void> | void,
): Promise<void> {
  for (const batch of batchesOf(pairs, BATCH, ({ older, newer }) => older.bytes + newer.bytes)) {
    const stored = await ctx.store.versions.contents(uniqueRefs(batch))
    const byKey = new Map(stored.map((one) => [keyOf(one), one]))
    let opened = new Map<string, Content | null>()
    for (const pair of batch) {
      const before = opened
      opened = new Map()
      const open = (ref: ContentRef) => {
        const key = `${keyOf(ref)} ${ref.type} ${ref.slug}`
        const fields = byKey.get(keyOf(ref))
        const known = before.get(key) ?? opened.get(key)
        const content = known ?? (fields ? seenContent(ctx, ref.type, fields.open(ref)) : null)
        opened.set(key, content)
        return content
      }
      await work(pair, open)
    }
  }
}

function uniqueRefs(pairs: readonly ContentPair[]): ContentRef[] {
  return [...new Map(pairs.flatMap(({ older, newer }) => [older, newer]).map((ref) => [keyOf(ref), ref])).values()]
}

function keyOf({ docId, hash }: Pick<ContentRef, 'docId' | 'hash'>): string {
  return `${docId} ${hash}`
}
