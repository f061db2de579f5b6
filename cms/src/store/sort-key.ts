import type { Sort } from './store.ts'

/** A document's row number and its sort key: a cell for each step of the order. Made by `keyedRow`. */
export interface KeyedRow {
  readonly n: number
  readonly key: readonly Cell[]
}

/** What a column holds. */
export type Cell = string | number | null

/** A row with the cells that it is sorted by. */
export function keyedRow(n: number, cells: readonly Cell[]): KeyedRow {
  return { n, key: cells.map((cell) => (typeof cell === 'string' ? comparable(cell) : cell)) }
}

/** Compares rows as the databases do: those without a value come last, and ties are broken by row number. */
export function rowComparator(sorts: readonly Sort[]): (one: KeyedRow, other: KeyedRow) => number {
  const directions = sorts.map(({ direction }) => direction)
  const last = directions[0] ?? -1
  return (one, other) => {
    for (let index = 0; index < directions.length; index += 1) {
      const difference = compareCells(one.key[index] ?? null, other.key[index] ?? null, directions[index] ?? 1)
      if (difference !== 0) return difference
    }
    return last * (one.n - other.n)
  }
}

function compareCells(one: Cell, other: Cell, direction: 1 | -1): number {
  if (one === other) return 0
  if (one === null) return 1
  if (other === null) return -1
  return one < other ? -direction : direction
}

const SURROGATES_AND_ABOVE = /[\ud800-\uffff]/g

/**
 * A text that compares by code units, as JavaScript does, like the given one by code points, as UTF-8 does: surrogates,
 * which stand for the highest code points, change places with what is above them.
 */
function comparable(text: string): string {
  return text.replace(SURROGATES_AND_ABOVE, (unit) => {
    const code = unit.charCodeAt(0)
    return String.fromCharCode(code < 0xe000 ? code + 0x2000 : code - 0x800)
  })
}
