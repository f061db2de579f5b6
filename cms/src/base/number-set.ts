/** Numbers are kept in chunks of so many, which have all but their last 16 bits in common. */
const CHUNK = 2 ** 16
/** With more, a bit for each number of a chunk takes less than a byte for each one that is there. */
const MOST_LISTED = CHUNK / 8
const BYTES_OF_CHUNK = 150
/** How many bits each byte has. */
const BITS_OF = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length)

/** A set of numbers below 2^16. Never changes. */
interface Chunk {
  readonly size: number
  readonly bytes: number
  has(number: number): boolean
  with(number: number): Chunk
  without(number: number): Chunk
  /** So many of the highest ones, in order. */
  last(count: number): Uint16Array
  /** Those that both have. */
  and(other: Chunk): Chunk
}

/** Few numbers: how far each is from the one before, in one byte below 128, else in more. */
class ListedChunk implements Chunk {
  readonly size: number
  readonly #gaps: Uint8Array

  constructor(list: Uint16Array) {
    this.size = list.length
    this.#gaps = gapsOf(list)
  }

  get bytes(): number {
    return this.#gaps.byteLength
  }

  has(number: number): boolean {
    const list = this.last(this.size)
    return list[indexIn(list, number)] === number
  }

  with(number: number): Chunk {
    const list = this.last(this.size)
    const index = indexIn(list, number)
    const longer = new Uint16Array(list.length + 1)
    longer.set(list.subarray(0, index))
    longer[index] = number
    longer.set(list.subarray(index), index + 1)
    return chunkOf(longer)
  }

  without(number: number): Chunk {
    const list = this.last(this.size)
    list.copyWithin(indexIn(list, number), indexIn(list, number) + 1)
    return new ListedChunk(list.subarray(0, -1))
  }

  last(count: number): Uint16Array {
    const list = new Uint16Array(this.size)
    const gaps = this.#gaps
    let number = 0
    let length = 0
    for (let at = 0, gap = 0, shift = 0; at < gaps.length; at += 1) {
      const byte = gaps[at] ?? 0
      gap |= (byte & 127) << shift
      shift += 7
      if (byte > 127) continue
      number += gap
      list[length++] = number
      gap = shift = 0
    }
    return list.subarray(Math.max(0, length - count))
  }

  and(other: Chunk): Chunk {
    const list = this.last(this.size)
    return new ListedChunk(other instanceof ListedChunk ? commonOf(list, other.last(other.size)) : thoseIn(other, list))
  }
}

function gapsOf(list: Uint16Array): Uint8Array {
  const gaps = new Uint8Array(3 * list.length)
  let length = 0
  let before = 0
  for (let index = 0; index < list.length; index += 1) {
    const number = list[index] ?? 0
    let gap = number - before
    for (; gap > 127; gap >>= 7) gaps[length++] = (gap & 127) | 128
    gaps[length++] = gap
    before = number
  }
  return gaps.slice(0, length)
}

function thoseIn(chunk: Chunk, list: Uint16Array): Uint16Array {
  const found = new Uint16Array(list.length)
  let length = 0
  for (let index = 0; index < list.length; index += 1) {
    const number = list[index] ?? 0
    if (chunk.has(number)) found[length++] = number
  }
  return found.slice(0, length)
}

class BitChunk implements Chunk {
  readonly size: number
  readonly #bits: Uint8Array

  constructor(bits: Uint8Array, size: number) {
    this.#bits = bits
    this.size = size
  }

  static of(list: Uint16Array): BitChunk {
    const bits = new Uint8Array(CHUNK / 8)
    for (let index = 0; index < list.length; index += 1) flip(bits, list[index] ?? 0)
    return new BitChunk(bits, list.length)
  }

  get bytes(): number {
    return this.#bits.byteLength
  }

  has(number: number): boolean {
    return (((this.#bits[number >> 3] ?? 0) >> (number & 7)) & 1) === 1
  }

  with(number: number): Chunk {
    return new BitChunk(flip(this.#bits.slice(), number), this.size + 1)
  }

  without(number: number): Chunk {
    return new BitChunk(flip(this.#bits.slice(), number), this.size - 1)
  }

  last(count: number): Uint16Array {
    const list = new Uint16Array(Math.min(count, this.size))
    let left = list.length
    for (let at = this.#bits.length - 1; left > 0; at -= 1) {
      for (let rest = this.#bits[at] ?? 0; rest > 0 && left > 0; ) {
        const bit = 31 - Math.clz32(rest)
        list[--left] = at * 8 + bit
        rest ^= 1 << bit
      }
    }
    return list
  }

  and(other: Chunk): Chunk {
    if (!(other instanceof BitChunk)) return other.and(this)
    const bits = new Uint8Array(this.#bits.length)
    let size = 0
    for (let at = 0; at < bits.length; at += 1) {
      const both = (this.#bits[at] ?? 0) & (other.#bits[at] ?? 0)
      bits[at] = both
      size += BITS_OF[both] ?? 0
    }
    return new BitChunk(bits, size)
  }
}

/** Whole numbers, by the hundred thousand: about a byte for each, or less. Knows how many there are, and the highest ones. */
export class NumberSet {
  readonly size: number
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
      const base = baseOf(ordered[from] ?? 0)
      const to = indexIn(ordered, base + CHUNK)
      const list = new Uint16Array(to - from)
      for (let index = from; index < to; index += 1) list[index - from] = (ordered[index] ?? 0) - base
      chunks.set(base, chunkOf(list))
      from = to
    }
    return new NumberSet(chunks)
  }

  /** About how much memory it takes. */
  get bytes(): number {
    let bytes = 0
    for (const chunk of this.#chunks.values()) bytes += chunk.bytes + BYTES_OF_CHUNK
    return bytes
  }

  has(number: number): boolean {
    const base = baseOf(number)
    return this.#chunks.get(base)?.has(number - base) ?? false
  }

  /** The same set with or without some numbers: what says whether each is to be there. */
  changed(numbers: ReadonlyMap<number, boolean>): NumberSet {
    const chunks = new Map(this.#chunks)
    for (const [number, isThere] of numbers) {
      const base = baseOf(number)
      const chunk = chunks.get(base) ?? NONE
      if (chunk.has(number - base) === isThere) continue
      chunks.set(base, isThere ? chunk.with(number - base) : chunk.without(number - base))
    }
    return new NumberSet(chunks)
  }

  /** The numbers that both have. */
  and(other: NumberSet): NumberSet {
    const chunks = new Map<number, Chunk>()
    for (const [base, chunk] of this.#chunks) {
      const otherChunk = other.#chunks.get(base)
      if (otherChunk !== undefined) chunks.set(base, chunk.and(otherChunk))
    }
    return new NumberSet(chunks)
  }

  /** The numbers from one to another, the highest one first. */
  between(lowest: number, highest: number): number[] {
    const found: number[] = []
    for (let base = baseOf(highest); base >= baseOf(lowest); base -= CHUNK) {
      const chunk = this.#chunks.get(base)
      const list = chunk?.last(chunk.size) ?? []
      for (let index = list.length - 1; index >= 0; index -= 1) {
        const number = base + (list[index] ?? 0)
        if (number < lowest) break
        if (number <= highest) found.push(number)
      }
    }
    return found
  }

  /** So many of the highest numbers after so many others, from the highest on. */
  highest(limit: number, offset = 0): number[] {
    const found: number[] = []
    let before = 0
    for (const base of [...this.#chunks.keys()].sort((one, other) => other - one)) {
      const chunk = this.#chunks.get(base)
      if (chunk === undefined || found.length === limit) break
      const skipped = Math.max(0, offset - before)
      before += chunk.size
      const list = chunk.last(skipped + limit - found.length)
      for (let index = list.length - 1 - skipped; index >= 0; index -= 1) found.push(base + (list[index] ?? 0))
    }
    return found
  }
}

const NONE: Chunk = new ListedChunk(new Uint16Array())

function inOrder(numbers: readonly number[]): Float64Array {
  const list = new Float64Array(numbers.length)
  let isOrdered = true
  for (let index = 0; index < numbers.length; index += 1) {
    list[index] = numbers[index] ?? 0
    if (index > 0 && (list[index - 1] ?? 0) >= (list[index] ?? 0)) isOrdered = false
  }
  return isOrdered ? list : Float64Array.from(new Set(list)).sort()
}

function baseOf(number: number): number {
  return Math.floor(number / CHUNK) * CHUNK
}

function chunkOf(list: Uint16Array): Chunk {
  return list.length > MOST_LISTED ? BitChunk.of(list) : new ListedChunk(list)
}

/** The numbers that two ordered lists have in common. */
function commonOf(one: Uint16Array, other: Uint16Array): Uint16Array {
  const common = new Uint16Array(Math.min(one.length, other.length))
  let length = 0
  for (let at = 0, otherAt = 0; at < one.length && otherAt < other.length; ) {
    const number = one[at] ?? 0
    const otherNumber = other[otherAt] ?? 0
    if (number === otherNumber) common[length++] = number
    if (number <= otherNumber) at += 1
    if (otherNumber <= number) otherAt += 1
  }
  return common.slice(0, length)
}

function flip(bits: Uint8Array, number: number): Uint8Array {
  bits[number >> 3] = (bits[number >> 3] ?? 0) ^ (1 << (number & 7))
  return bits
}

/** Where a number is among ordered ones, or would be. */
function indexIn(ordered: Uint16Array | Float64Array, number: number): number {
  let from = 0
  let to = ordered.length
  while (from < to) {
    const middle = (from + to) >> 1
    if ((ordered[middle] ?? 0) < number) from = middle + 1
    else to = middle
  }
  return from
}
