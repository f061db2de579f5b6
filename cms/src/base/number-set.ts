import { CHUNK, type Chunk, chunkOf, indexIn, joined } from './number-chunk.ts'

/** This many consecutive numbers are a block of two chunks: the even and the odd ones. */
const BLOCK = 2 * CHUNK
const BYTES_OF_CHUNK = 150

/**
 * A set of hundreds of thousands of whole numbers: about a byte for each, or less. Finds its size, and the highest
 * numbers, quickly. Of numbers that are given in pairs, such as those of a draft and its published copy, a set mostly
 * holds the even or the odd ones alone: in chunks of their own they are close to each other.
 */
export class NumberSet {
  readonly size: number
  /** Chunks by the `keyOf` of their numbers. */
  readonly #chunks: ReadonlyMap<number, Chunk>

  private constructor(chunks: ReadonlyMap<number, Chunk>) {
    this.#chunks = chunks
    let size = 0
    for (const chunk of chunks.values()) size += chunk.size
    this.size = size
  }

  static of(numbers: readonly number[]): NumberSet {
    const ordered = inOrder(numbers)
    const chunks = new Map<number, Chunk>()
    for (let from = 0; from < ordered.length; ) {
      const block = blockOf(ordered[from] ?? 0)
      const to = indexIn(ordered, (block + 1) * BLOCK)
      const numbers = ordered.subarray(from, to)
      for (const parity of [0, 1]) {
        const list = halvesOf(numbers, parity)
        if (list.length > 0) chunks.set(2 * block + parity, chunkOf(list))
      }
      from = to
    }
    return new NumberSet(chunks)
  }

  /** About how many bytes it takes. */
  get bytes(): number {
    let bytes = 0
    for (const chunk of this.#chunks.values()) bytes += chunk.bytes + BYTES_OF_CHUNK
    return bytes
  }

  has(number: number): boolean {
    return this.#chunks.get(keyOf(number))?.has(halfOf(number)) ?? false
  }

  /** Returns this set with or without some numbers, as their values say. */
  changed(numbers: ReadonlyMap<number, boolean>): NumberSet {
    const chunks = new Map(this.#chunks)
    for (const [key, ofChunk] of Map.groupBy(numbers, ([number]) => keyOf(number))) {
      const chunk = chunks.get(key) ?? NONE
      const changed = chunk.changed(ofChunk.map(([number, isThere]) => [halfOf(number), isThere]))
      if (changed !== chunk) chunks.set(key, changed)
    }
    return new NumberSet(chunks)
  }

  /** Returns this set with further numbers, all of which are higher. */
  with(higher: NumberSet): NumberSet {
    const chunks = new Map(this.#chunks)
    for (const [key, chunk] of higher.#chunks) {
      const lower = chunks.get(key)
      chunks.set(key, lower === undefined ? chunk : joined(lower, chunk))
    }
    return new NumberSet(chunks)
  }

  /** The numbers that both have. */
  and(other: NumberSet): NumberSet {
    const chunks = new Map<number, Chunk>()
    for (const [key, chunk] of this.#chunks) {
      const otherChunk = other.#chunks.get(key)
      if (otherChunk !== undefined) chunks.set(key, chunk.and(otherChunk))
    }
    return new NumberSet(chunks)
  }

  /** The numbers from one to another, the highest one first. */
  between(lowest: number, highest: number): number[] {
    const found: number[] = []
    for (let block = blockOf(highest); block >= blockOf(lowest); block -= 1) {
      for (const number of this.#highestOf(block, BLOCK)) {
        if (number >= lowest && number <= highest) found.push(number)
      }
    }
    return found
  }

  /** The highest numbers after the first `offset`, in descending order. */
  highest(limit: number, offset = 0): number[] {
    const found: number[] = []
    const blocks = new Set([...this.#chunks.keys()].map((key) => key >> 1))
    let skipped = offset
    for (const block of [...blocks].sort((one, other) => other - one)) {
      if (found.length === limit) break
      const list = this.#highestOf(block, skipped + limit - found.length)
      for (let index = skipped; index < list.length; index += 1) found.push(list[index] ?? 0)
      skipped = Math.max(0, skipped - list.length)
    }
    return found
  }

  /** The highest numbers of a block, in descending order. */
  #highestOf(block: number, count: number): number[] {
    const even = this.#chunks.get(2 * block)?.last(count) ?? NO_NUMBERS
    const odd = this.#chunks.get(2 * block + 1)?.last(count) ?? NO_NUMBERS
    const found: number[] = []
    let evenAt = even.length - 1
    let oddAt = odd.length - 1
    while (found.length < count && (evenAt >= 0 || oddAt >= 0)) {
      const isOdd = evenAt < 0 || (oddAt >= 0 && (odd[oddAt] ?? 0) >= (even[evenAt] ?? 0))
      found.push(block * BLOCK + (isOdd ? 2 * (odd[oddAt--] ?? 0) + 1 : 2 * (even[evenAt--] ?? 0)))
    }
    return found
  }
}

const NO_NUMBERS = new Uint16Array()
const NONE = chunkOf(NO_NUMBERS)

function inOrder(numbers: readonly number[]): Float64Array {
  const list = new Float64Array(numbers.length)
  let isOrdered = true
  for (let index = 0; index < numbers.length; index += 1) {
    list[index] = numbers[index] ?? 0
    if (index > 0 && (list[index - 1] ?? 0) >= (list[index] ?? 0)) isOrdered = false
  }
  return isOrdered ? list : Float64Array.from(new Set(list)).sort()
}

function blockOf(number: number): number {
  return Math.floor(number / BLOCK)
}

/** The key of the chunk that a number is in. */
function keyOf(number: number): number {
  return 2 * blockOf(number) + (number % 2)
}

/** A number as its chunk stores it. */
function halfOf(number: number): number {
  return Math.floor((number % BLOCK) / 2)
}

/** The even or the odd numbers of a block, as its chunks store them. */
function halvesOf(numbers: Float64Array, parity: number): Uint16Array {
  const halves = new Uint16Array(numbers.length)
  let length = 0
  for (let index = 0; index < numbers.length; index += 1) {
    const number = numbers[index] ?? 0
    if (number % 2 === parity) halves[length++] = halfOf(number)
  }
  return halves.subarray(0, length)
}
