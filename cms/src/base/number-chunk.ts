/** A chunk holds numbers from 0 up to, not including, this one. */
export const CHUNK = 2 ** 16
/** With more numbers than this, a bitmap takes less than a byte for each. */
const MOST_LISTED = CHUNK / 8
const BITS = 32

/** Numbers, each once, with whether they are in the set. */
type Presence = readonly [number: number, isThere: boolean]

/** A set of numbers below 2^16. Never changes. */
export type Chunk = ListedChunk | BitChunk

/** The set of these numbers, which must be sorted. */
export function chunkOf(list: Uint16Array): Chunk {
  return list.length > MOST_LISTED ? BitChunk.of(list) : new ListedChunk(list)
}

/** The numbers of two chunks, of which the second has higher ones. */
export function joined(lower: Chunk, higher: Chunk): Chunk {
  const list = new Uint16Array(lower.size + higher.size)
  list.set(lower.last(CHUNK))
  list.set(higher.last(CHUNK), lower.size)
  return chunkOf(list)
}

/** A list of a few numbers: the difference of each to the one before, in one byte below 128, else in more. */
class ListedChunk {
  readonly size: number
  readonly #gaps: Uint8Array
  readonly #highest: number

  constructor(list: Uint16Array) {
    this.size = list.length
    this.#gaps = gapsOf(list)
    this.#highest = list.at(-1) ?? 0
  }

  get bytes(): number {
    return this.#gaps.byteLength
  }

  has(number: number): boolean {
    const list = this.#list()
    return list[indexIn(list, number)] === number
  }

  /** A chunk with or without some numbers: each says whether it is to be in it. */
  changed(numbers: readonly Presence[]): Chunk {
    const list = this.#list()
    const others = numbers.filter(([number, isThere]) => (list[indexIn(list, number)] === number) !== isThere)
    if (others.length === 0) return this
    const changed = flipped(marked(WORDS.fill(0), list), others)
    return chunkOf(new BitChunk(changed, sizeAfter(this.size, others)).last(CHUNK))
  }

  /** The highest numbers, in order, read from the end. */
  last(count: number): Uint16Array {
    const list = new Uint16Array(Math.min(count, this.size))
    const gaps = this.#gaps
    let number = this.#highest
    for (let index = list.length - 1, at = gaps.length - 1; index >= 0; index -= 1, at -= 1) {
      list[index] = number
      let gap = gaps[at] ?? 0
      for (; (gaps[at - 1] ?? 0) > 127; at -= 1) gap = (gap << 7) | ((gaps[at - 1] ?? 0) & 127)
      number -= gap
    }
    return list
  }

  /** The numbers that both have. */
  and(other: Chunk): Chunk {
    if (other instanceof BitChunk) return new ListedChunk(other.filter(this.#list()))
    const [fewer, more] = this.size < other.size ? [this, other] : [other, this]
    const marked = BitChunk.passing(more.#list())
    return new ListedChunk(marked.filter(fewer.#list()))
  }

  /** All of them, in order, until the next call for any chunk. */
  #list(): Uint16Array {
    const gaps = this.#gaps
    let number = 0
    let length = 0
    for (let at = 0, gap = 0, shift = 0; at < gaps.length; at += 1) {
      const byte = gaps[at] ?? 0
      gap |= (byte & 127) << shift
      shift += 7
      if (byte > 127) continue
      number += gap
      LIST[length++] = number
      gap = shift = 0
    }
    return LIST.subarray(0, length)
  }
}

/** A bitmap of all numbers of a chunk. */
class BitChunk {
  readonly size: number
  readonly #words: Uint32Array

  constructor(words: Uint32Array, size: number) {
    this.#words = words
    this.size = size
  }

  static of(list: Uint16Array): BitChunk {
    return new BitChunk(marked(new Uint32Array(CHUNK / BITS), list), list.length)
  }

  /** Valid until the next call: takes no memory. */
  static passing(list: Uint16Array): BitChunk {
    return new BitChunk(marked(WORDS.fill(0), list), list.length)
  }

  get bytes(): number {
    return this.#words.byteLength
  }

  has(number: number): boolean {
    return isMarked(this.#words, number) === 1
  }

  /** A chunk with or without some numbers: each says whether it is to be in it. */
  changed(numbers: readonly Presence[]): Chunk {
    const others = numbers.filter(([number, isThere]) => this.has(number) !== isThere)
    if (others.length === 0) return this
    return new BitChunk(flipped(this.#words.slice(), others), sizeAfter(this.size, others))
  }

  /** The highest numbers, in order. */
  last(count: number): Uint16Array {
    const list = new Uint16Array(Math.min(count, this.size))
    let left = list.length
    for (let at = this.#words.length - 1; left > 0; at -= 1) {
      for (let rest = this.#words[at] ?? 0; rest !== 0 && left > 0; ) {
        const bit = BITS - 1 - Math.clz32(rest)
        list[--left] = at * BITS + bit
        rest ^= 1 << bit
      }
    }
    return list
  }

  /** The numbers that both have. */
  and(other: Chunk): Chunk {
    if (!(other instanceof BitChunk)) return other.and(this)
    const words = new Uint32Array(this.#words.length)
    let size = 0
    for (let at = 0; at < words.length; at += 1) {
      const both = (this.#words[at] ?? 0) & (other.#words[at] ?? 0)
      words[at] = both
      size += bitsIn(both)
    }
    const both = new BitChunk(words, size)
    return size > MOST_LISTED ? both : new ListedChunk(both.last(size))
  }

  /** The numbers of a list that are in the set. */
  filter(list: Uint16Array): Uint16Array {
    const found = new Uint16Array(list.length)
    let length = 0
    for (let index = 0; index < list.length; index += 1) {
      const number = list[index] ?? 0
      found[length] = number
      // Without a branch, which the processor would often predict wrong.
      length += isMarked(this.#words, number)
    }
    return found.subarray(0, length)
  }
}

/** Buffers that lists are read into; each call overwrites them. */
const LIST = new Uint16Array(CHUNK)
const WORDS = new Uint32Array(CHUNK / BITS)

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

function marked(words: Uint32Array, list: Uint16Array): Uint32Array {
  for (let index = 0; index < list.length; index += 1) {
    const number = list[index] ?? 0
    words[number >> 5] = (words[number >> 5] ?? 0) | (1 << (number & 31))
  }
  return words
}

function isMarked(words: Uint32Array, number: number): number {
  return ((words[number >> 5] ?? 0) >>> (number & 31)) & 1
}

function flipped(words: Uint32Array, numbers: readonly Presence[]): Uint32Array {
  for (const [number] of numbers) words[number >> 5] = (words[number >> 5] ?? 0) ^ (1 << (number & 31))
  return words
}

function sizeAfter(size: number, flipped: readonly Presence[]): number {
  return flipped.reduce((sum, [, isThere]) => sum + (isThere ? 1 : -1), size)
}

/** Counts the bits of a word: by sums of two bits, of four, of bytes, and of all. */
function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** The index of a number among sorted ones, or where it would be. */
export function indexIn(ordered: Uint16Array | Float64Array, number: number): number {
  let from = 0
  let to = ordered.length
  while (from < to) {
    const middle = (from + to) >> 1
    if ((ordered[middle] ?? 0) < number) from = middle + 1
    else to = middle
  }
  return from
}
