import type { Json } from 'quire-client'
import type { PatchStep } from './patch-steps.ts'

/** A list of a document, before and after: by their ids, and the values of new items. */
export interface ListChange {
  readonly path: string
  readonly before: readonly string[]
  readonly after: readonly string[]
  newItem(id: string): Json
}

/** The steps that remove what is no longer in the list. */
export function removingSteps({ path, before, after }: ListChange): PatchStep[] {
  const kept = new Set(after)
  const gone = before.filter((id) => !kept.has(id))
  return gone.length === 0 ? [] : [{ operator: '$pullAllById', path, operand: gone }]
}

/**
 * The steps that insert and move, from the first item to the last, each after the one before it; items that stand in
 * their order already stay. What was removed must be gone.
 */
export function placingSteps({ path, before, after, newItem }: ListChange): PatchStep[] {
  const stored = new Set(before)
  const staying = longestInOrder(before, after)
  const first = before.find((id) => after.includes(id))
  const steps: PatchStep[] = []
  for (let index = 0; index < after.length; index += 1) {
    const id = after[index] ?? ''
    const previous = after[index - 1]
    if (staying.has(id)) continue
    if (stored.has(id)) {
      const anchor = previous === undefined ? { $before: first ?? '' } : { $after: previous }
      steps.push({ operator: '$move', path, operand: { $item: id, ...anchor } })
      continue
    }
    const end = endOfNew(after, index, stored)
    const anchor = previous === undefined ? { $position: 0 } : { $after: previous }
    steps.push({ operator: '$push', path, operand: { $each: after.slice(index, end).map(newItem), ...anchor } })
    index = end - 1
  }
  return steps
}

function endOfNew(after: readonly string[], start: number, stored: ReadonlySet<string>): number {
  const end = after.findIndex((id, index) => index > start && stored.has(id))
  return end < 0 ? after.length : end
}

/** As many items as possible that are in the same order before and after. */
export function longestInOrder(before: readonly string[], after: readonly string[]): ReadonlySet<string> {
  const places = new Map(before.map((id, index) => [id, index]))
  const chains: Link[] = []
  for (const id of after) {
    const place = places.get(id)
    if (place === undefined) continue
    const length = lengthBelow(chains, place)
    chains[length] = { id, place, before: chains[length - 1] ?? null }
  }
  const longest = new Set<string>()
  for (let link = chains.at(-1) ?? null; link !== null; link = link.before) longest.add(link.id)
  return longest
}

/** The end of a chain of items in order. */
interface Link {
  readonly id: string
  readonly place: number
  readonly before: Link | null
}

/** How many of the chains, which end at ever higher places, end below a place. */
function lengthBelow(chains: readonly Link[], place: number): number {
  let [low, high] = [0, chains.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((chains[middle]?.place ?? 0) < place) low = middle + 1
    else high = middle
  }
  return low
}
