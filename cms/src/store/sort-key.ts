import type { Sort } from './store.ts'

/** A document's row number and its sort key: a cell for each step of the order. */
export interface KeyedRow {
  readonly n: number
  readonly key: readonly Cell[]
}

type Cell = string | number | null

/** Compares rows as the databases do: those without a value come last, and ties are broken by row number. */
export function rowComparator(sorts: readonly Sort[]): (one: KeyedRow, other: KeyedRow) => number {
  const directions = sorts.map(({ direction }) => direction)
  return (one, other) => {
    for (const [index, direction] of directions.entries()) {
      const difference = compareCells(one.key[index] ?? null, other.key[index] ?? null, direction)
      if (difference !== 0) return difference
    }
    return (directions[0] ?? -1) * (one.n - other.n)
  }
}

function compareCells(one: Cell, other: Cell, direction: 1 | -1): number {
  if (one === other) return 0
  if (one === null) return 1
  if (other === null) return -1
  if (typeof one === 'string' && typeof other === 'string') return direction * compareTexts(one, other)
  return direction * (Number(one) - Number(other))
}

/** By code points, as UTF-8 compares: JavaScript itself compares code units. */
function compareTexts(one: string, other: string): number {
  const end = Math.min(one.length, other.length)
  for (let at = 0; at < end; at += 1) {
    const difference = weightOf(one.charCodeAt(at)) - weightOf(other.charCodeAt(at))
    if (difference !== 0) return difference
  }
  return one.length - other.length
}

/** Surrogates stand for the highest code points. */
function weightOf(unit: number): number {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}
