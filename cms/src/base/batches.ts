/** The most items and bytes of one batch. */
interface BatchLimits {
  readonly items: number
  readonly bytes: number
}

/** Splits items into batches, in their order; an item with more bytes than allowed has a batch of its own. */
export function batchesOf<Item>(
  items: readonly Item[],
  limits: BatchLimits,
  bytesOf: (item: Item) => number,
): Item[][] {
  const batches: Item[][] = []
  let bytes = 0
  for (const item of items) {
    const batch = batches.at(-1)
    bytes += bytesOf(item)
    if (batch && batch.length < limits.items && bytes <= limits.bytes) batch.push(item)
    else {
      batches.push([item])
      bytes = bytesOf(item)
    }
  }
  return batches
}

/** Yields items in batches of this size. */
export async function* inBatches<Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<readonly Item[]> {
  let batch: Item[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
