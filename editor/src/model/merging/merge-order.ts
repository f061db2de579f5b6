/** A value as it was, as it is here, and as somebody else has saved it. */
export interface Versions<Value> {
  readonly base: Value
  readonly mine: Value
  readonly theirs: Value
}

/** The ids of a merged list. */
export interface MergedOrder {
  readonly order: readonly string[]
  /** Both sides changed the order, each in another way; mine was taken. */
  readonly isContested: boolean
}

/**
 * The order of the kept items of a list: as the side that changed it has it, mine where both did. What the other side
 * inserted stands after the item that it stood after there; where both inserted, theirs comes first.
 */
export function mergedOrder(ids: Versions<readonly string[]>, kept: ReadonlySet<string>): MergedOrder {
  const all = [ids.base, ids.mine, ids.theirs].map((list) => new Set(list))
  const common = (list: readonly string[]) => list.filter((id) => all.every((one) => one.has(id))).join()
  const [base, mine, theirs] = [common(ids.base), common(ids.mine), common(ids.theirs)]
  const isMine = mine !== base
  const [first, second] = isMine ? [ids.mine, ids.theirs] : [ids.theirs, ids.mine]
  const stored = new Set(ids.base)
  const order = first.filter((id) => kept.has(id))
  const placed = new Set(order)
  let previous: string | null = null
  for (const id of second) {
    if (kept.has(id) && !placed.has(id)) {
      let index = previous === null ? 0 : order.indexOf(previous) + 1
      const isTheirsNew = (one: string | undefined) => one !== undefined && !stored.has(one) && first.includes(one)
      while (!isMine && isTheirsNew(order[index])) index += 1
      order.splice(index, 0, id)
      placed.add(id)
    }
    if (placed.has(id)) previous = id
  }
  return { order, isContested: isMine && theirs !== base && theirs !== mine }
}
