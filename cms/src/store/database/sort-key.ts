import type { Sort } from '../terms/document-query.ts'
import type { Cell } from './sql.ts'

/** A document's row number and its sort key: a cell for each step of the order. Made by `keyedRow`. */
export interface KeyedRow {
  readonly n: number
  readonly key: readonly Cell[]
}

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
/** The first surrogate, how many there are, and how many code units from there on. */
const [FIRST, SURROGATES, UNITS] = [0xd800, 0x800, 0x2800]

/**
 * A text that compares by code units, as JavaScript does, like the given one by code points, as UTF-8 does: surrogates,
 * which stand for the highest code points, change places with what is above them.
 */
function comparable(text: string): string {
  return text.replace(SURROGATES_AND_ABOVE, (unit) => turned(unit, UNITS - SURROGATES))
}

/** A cell of a key as the database holds it. */
export function storedCell(cell: Cell): Cell {
  return typeof cell === 'string' ? cell.replace(SURROGATES_AND_ABOVE, (unit) => turned(unit, SURROGATES)) : cell
}

/** Moves a code unit on among those from the first surrogate to the last unit, and from the end to the beginning. */
function turned(unit: string, by: number): string {
  return String.fromCharCode(FIRST + ((unit.charCodeAt(0) - FIRST + by) % UNITS))
}

/** An object with an array of cells, and an entry of a map. */
const BYTES_OF_KEY = 200

/** The keys of some rows, by row number. */
export class RowKeys {
  readonly #most: number
  readonly #rows = new Map<number, KeyedRow>()
  #bytes = 0

  constructor(most: number) {
    this.#most = most
  }

  /** About how many bytes they take. */
  get bytes(): number {
    return this.#bytes
  }

  has(n: number): boolean {
    return this.#rows.has(n)
  }

  get(n: number): KeyedRow | undefined {
    return this.#rows.get(n)
  }

  set(row: KeyedRow): void {
    this.delete(row.n)
    this.#rows.set(row.n, row)
    this.#bytes += BYTES_OF_KEY + textBytes(row)
  }

  delete(n: number): void {
    const row = this.#rows.get(n)
    if (row === undefined) return
    this.#rows.delete(n)
    this.#bytes -= BYTES_OF_KEY + textBytes(row)
  }

  /** Forgets those that were set first, until no more are left than it may hold. */
  trim(): void {
    for (const n of this.#rows.keys()) {
      if (this.#rows.size <= this.#most) return
      this.delete(n)
    }
  }
}

/** The bytes of the texts in a key. */
export function textBytes({ key }: KeyedRow): number {
  return key.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? 2 * cell.length : 0), 0)
}
