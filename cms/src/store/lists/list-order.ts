import { type KeyedRow, RowKeys, rowComparator, textBytes } from '../database/sort-key.ts'
import type { Sort } from '../terms/document-query.ts'

/** About how many rows are in a block. */
const BLOCK = 32
const MOST_IN_BLOCK = 2 * BLOCK
/** How many rows have their keys cached: those of the blocks that were changed last. */
const MOST_KEYS = 8 * BLOCK
/** An object with an array of cells, and where the block begins. */
const BYTES_OF_BLOCK = 150
const MOST_IN_32_BITS = 2 ** 32 - 1

type RowNumbers = Uint32Array | Float64Array

/** The keys of a block lie between these. */
interface KeyRange {
  readonly least: KeyedRow
  readonly most: KeyedRow
}

/**
 * The row numbers of a list, in order. It is in blocks: what each of them began with once tells in memory which one a
 * row belongs to; its rows are read again then, and sorted. Bounds never change, so that it makes no difference what
 * else has been changed meanwhile.
 */
export class ListOrder {
  readonly #sort: readonly Sort[]
  readonly #compare: (one: KeyedRow, other: KeyedRow) => number
  #rows: RowNumbers
  #length: number
  #highest: number
  /** Where the blocks begin. */
  #starts: number[] = [0]
  /** The row that began each block but the first when its bound was set. It may have moved, or be gone. */
  #bounds: KeyedRow[] = []
  #textBytes = 0
  /** The keys of rows that were sorted lately. None of them is known to have been changed since. */
  readonly #keys = new RowKeys(MOST_KEYS)

  /** `bounds`: some of the rows, in order, that blocks begin with. */
  constructor(sort: readonly Sort[], rows: readonly number[], bounds: readonly KeyedRow[]) {
    this.#sort = sort
    this.#compare = rowComparator(sort)
    this.#length = rows.length
    this.#highest = rows.reduce((highest, row) => Math.max(highest, row), 0)
    this.#rows = arrayOf(this.#highest, rows.length)
    this.#rows.set(rows)
    for (const [at, bound] of bounds.entries()) this.#addBound(at, bound, rows.indexOf(bound.n, this.#starts.at(-1)))
  }

  /** The order of rows whose keys are known. */
  static of(sort: readonly Sort[], rows: readonly KeyedRow[]): ListOrder {
    const sorted = rows.toSorted(rowComparator(sort))
    const bounds = sorted.filter((_, index) => index > 0 && index % BLOCK === 0)
    return new ListOrder(
      sort,
      sorted.map(({ n }) => n),
      bounds,
    )
  }

  /** An order by what documents may lack: first those with a value, then the rest of all rows. */
  static withRest(
    sort: readonly Sort[],
    valued: { readonly rows: readonly number[]; readonly bounds: readonly KeyedRow[] },
    all: readonly number[],
  ): ListOrder {
    const isValued = new Set(valued.rows)
    const rest = all.filter((row) => !isValued.has(row))
    const bounds = rest.filter((_, index) => index % BLOCK === 0).map((n) => ({ n, key: [null] }))
    return new ListOrder(sort, [...valued.rows, ...rest], [...valued.bounds, ...bounds])
  }

  get length(): number {
    return this.#length
  }

  get bytes(): number {
    return this.#rows.byteLength + this.#starts.length * BYTES_OF_BLOCK + this.#textBytes + this.#keys.bytes
  }

  /** The row numbers of a page. */
  page(offset: number, limit: number): number[] {
    return [...this.#rows.subarray(offset, Math.min(this.#length, offset + limit))]
  }

  /** The order of those of its rows that a test holds for. */
  filter(isChosen: (row: number) => boolean): ListOrder {
    const rows: number[] = []
    const starts: number[] = []
    for (let index = 0; index < this.#length; index += 1) {
      while (this.#starts[starts.length] === index) starts.push(rows.length)
      const row = this.#rows[index] ?? 0
      if (isChosen(row)) rows.push(row)
    }
    const order = new ListOrder(this.#sort, rows, [])
    order.#setBounds(this.#bounds, starts)
    return order
  }

  /** The other rows of the blocks that these belong to, as far as their keys are not cached: `change` needs them. */
  around(rows: readonly KeyedRow[]): number[] {
    return this.#blocksOf(rows).flatMap((block) => this.#unknownOf(block))
  }

  /** Caches keys that `change` will need. */
  learn(rows: readonly KeyedRow[]): void {
    for (const row of rows) this.#keys.set(row)
  }

  /** Between which keys those are that `around` names; the first and the last block are not bounded. */
  rangesAround(rows: readonly KeyedRow[]): KeyRange[] {
    const isAscending = this.#sort[0]?.direction === 1
    return this.#blocksOf(rows).flatMap((block) => {
      const [first, next] = [this.#bounds[block - 1], this.#bounds[block]]
      if (first === undefined || next === undefined || this.#unknownOf(block).length === 0) return []
      return isAscending ? { least: first, most: next } : { least: next, most: first }
    })
  }

  /** Takes rows out, and puts in those of them that belong here still, as they are now. */
  change(changed: readonly number[], matching: readonly KeyedRow[], around: readonly KeyedRow[]): void {
    for (const row of changed) this.#remove(row)
    this.learn([...around, ...matching])
    const byBlock = Map.groupBy(matching, (row) => this.#blockOf(row))
    // From the end: blocks that are split do not move those before them.
    const blocks = [...byBlock].sort(([one], [other]) => other - one)
    for (const [block, rows] of blocks) this.#insert(block, rows)
    if (this.#starts.length > 2 + (this.#length * 4) / BLOCK) this.#setBounds(this.#bounds, this.#starts)
    this.#keys.trim()
  }

  #remove(row: number): void {
    this.#keys.delete(row)
    if (row > this.#highest) return
    const index = this.#rows.subarray(0, this.#length).indexOf(row)
    if (index < 0) return
    this.#rows.copyWithin(index, index + 1, this.#length)
    this.#length -= 1
    this.#moveStarts(lastAtMost(this.#starts, index) + 1, -1)
  }

  /** Sorts a block again, with more rows; those that have been changed so that they belong elsewhere come last. */
  #insert(block: number, rows: readonly KeyedRow[]): void {
    const start = this.#starts[block] ?? 0
    const before = this.#rowsOf(block)
    const sortedRows = before.flatMap((row) => this.#keys.get(row) ?? []).filter((row) => this.#isIn(block, row))
    const sorted = [...sortedRows, ...rows].sort(this.#compare)
    const isSorted = new Set(sorted.map(({ n }) => n))
    const strays = before.filter((row) => !isSorted.has(row))
    this.#makeRoom(start + before.length, rows)
    this.#rows.set([...sorted.map(({ n }) => n), ...strays], start)
    this.#moveStarts(block + 1, rows.length)
    if (sorted.length > MOST_IN_BLOCK) this.#split(block, sorted)
  }

  /** Moves what comes from there on, so that more rows have room. */
  #makeRoom(from: number, rows: readonly KeyedRow[]): void {
    this.#highest = rows.reduce((highest, { n }) => Math.max(highest, n), this.#highest)
    const length = this.#length + rows.length
    const isWide = this.#rows instanceof Float64Array
    if (length > this.#rows.length || (!isWide && this.#highest > MOST_IN_32_BITS)) {
      const larger = arrayOf(this.#highest, length + Math.max(BLOCK, length >> 4))
      larger.set(this.#rows.subarray(0, this.#length))
      this.#rows = larger
    }
    this.#rows.copyWithin(from + rows.length, from, this.#length)
    this.#length = length
  }

  #split(block: number, sorted: readonly KeyedRow[]): void {
    const start = this.#starts[block] ?? 0
    for (let index = BLOCK, at = block; index + BLOCK / 2 < sorted.length; index += BLOCK, at += 1) {
      const bound = sorted[index]
      if (bound !== undefined) this.#addBound(at, bound, start + index)
    }
  }

  #addBound(at: number, bound: KeyedRow, start: number): void {
    this.#bounds.splice(at, 0, bound)
    this.#starts.splice(at + 1, 0, start)
    this.#textBytes += textBytes(bound)
  }

  /** Sets the bounds of blocks, and where these begin. Neighbours that fit into one block are joined. */
  #setBounds(bounds: readonly KeyedRow[], starts: readonly number[]): void {
    this.#starts = [0]
    this.#bounds = []
    this.#textBytes = 0
    for (const [at, bound] of bounds.entries()) {
      const start = starts[at + 1] ?? this.#length
      const isFull = (starts[at + 2] ?? this.#length) - (this.#starts.at(-1) ?? 0) > BLOCK
      if (isFull) this.#addBound(this.#bounds.length, bound, start)
    }
  }

  #moveStarts(from: number, by: number): void {
    for (let at = from; at < this.#starts.length; at += 1) this.#starts[at] = (this.#starts[at] ?? 0) + by
  }

  #blockOf(row: KeyedRow): number {
    let low = 0
    let high = this.#bounds.length
    while (low < high) {
      const middle = (low + high) >> 1
      const bound = this.#bounds[middle]
      if (bound !== undefined && this.#compare(bound, row) <= 0) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Whether a row belongs to a block. */
  #isIn(block: number, row: KeyedRow): boolean {
    const [bound, next] = [this.#bounds[block - 1], this.#bounds[block]]
    const isBefore = bound !== undefined && this.#compare(bound, row) > 0
    return !isBefore && (next === undefined || this.#compare(next, row) > 0)
  }

  #blocksOf(rows: readonly KeyedRow[]): number[] {
    return [...new Set(rows.map((row) => this.#blockOf(row)))]
  }

  #unknownOf(block: number): number[] {
    return this.#rowsOf(block).filter((row) => !this.#keys.has(row))
  }

  #rowsOf(block: number): number[] {
    return [...this.#rows.subarray(this.#starts[block], this.#starts[block + 1] ?? this.#length)]
  }
}

function arrayOf(highest: number, length: number): RowNumbers {
  return highest > MOST_IN_32_BITS ? new Float64Array(length) : new Uint32Array(length)
}

/** The last index whose number is at most this one; numbers ascend, and may be the same. */
function lastAtMost(numbers: readonly number[], most: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) <= most) low = middle + 1
    else high = middle
  }
  return low - 1
}
