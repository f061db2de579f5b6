import { hash, randomUUID } from 'node:crypto'
import type { Shared } from '../base/byte-lru.ts'

/** Bytes that are made once and may be part of many texts. */
export class SharedBytes implements Shared {
  holders = 0
  readonly shared: readonly Shared[] = NONE
  readonly bytes: Buffer
  /** Another one for other bytes. */
  readonly digest: string

  constructor(text: string) {
    this.bytes = bytesOf(text)
    this.digest = digestOf(this.bytes)
  }

  get length(): number {
    return this.bytes.length
  }

  get ownBytes(): number {
    return this.bytes.length
  }
}

const NONE: readonly Shared[] = []

/** A text that others may be made of. */
export type SharedText = SharedBytes | JoinedBytes
/** A part of a text: one that others may have, too, or its own. */
export type TextPart = SharedText | string

/** Of a shared part, where it is used: where it is in memory, and where it stands. */
const BYTES_OF_PART = 20
/** In pieces, parts from this length on are those themselves. */
const LARGE = 4096
/** Others are joined up to about this length. */
const CHUNK = 65_536

/**
 * A text in UTF-8 made of shared ones and of what stands between them. That is held in one piece: thousands of short texts
 * would take several times their bytes.
 */
export class JoinedBytes implements Shared {
  holders = 0
  /** Those of its parts that others may have, too. */
  readonly shared: readonly SharedText[]
  readonly #own: Buffer
  /** At which bytes of its own text the shared parts stand. */
  readonly #offsets: readonly number[]
  /** How many bytes it has. */
  readonly length: number
  #digest: string | null = null

  constructor(parts: readonly TextPart[]) {
    const shared: SharedText[] = []
    const offsets: number[] = []
    let own = ''
    let ownLength = 0
    for (const part of parts) {
      if (typeof part === 'string') {
        own += part
        ownLength += Buffer.byteLength(part)
      } else {
        shared.push(part)
        offsets.push(ownLength)
      }
    }
    this.shared = shared
    this.#own = bytesOf(own, ownLength)
    this.#offsets = offsets
    this.length = shared.reduce((sum, { length }) => sum + length, ownLength)
  }

  /** How many bytes it takes beside the shared ones, about. */
  get ownBytes(): number {
    return this.#own.length + BYTES_OF_PART * this.shared.length
  }

  /** Another one for other bytes: made of those of its parts. */
  get digest(): string {
    this.#digest ??= this.#digestOfParts()
    return this.#digest
  }

  #digestOfParts(): string {
    const only = this.#only()
    if (only !== null) return only.digest
    const digests = this.shared.map(({ digest }) => digest)
    return digestOf(`${digestOf(this.#own)} ${this.#offsets.join()} ${digests.join()}`)
  }

  /** The part that is all of it; null where there are others, or a text between them. */
  #only(): SharedText | null {
    const [first, ...others] = this.shared
    return others.length === 0 && this.#own.length === 0 ? (first ?? null) : null
  }

  /** All of it. Nobody may change the bytes. */
  bytes(): Buffer {
    const only = this.#only()
    if (only !== null) return only instanceof JoinedBytes ? only.bytes() : only.bytes
    return this.writeTo(Buffer.allocUnsafe(this.length))
  }

  /** All of it at the beginning of a memory that is long enough. */
  writeTo(memory: Buffer): Buffer {
    return memory.subarray(0, this.#copyTo(memory, 0))
  }

  /** Answers where it ends. */
  #copyTo(all: Buffer, start: number): number {
    let at = start
    let from = 0
    for (const [index, part] of this.shared.entries()) {
      const offset = this.#offsets[index] ?? from
      if (offset > from) at += this.#own.copy(all, at, from, offset)
      from = offset
      at = part instanceof JoinedBytes ? part.#copyTo(all, at) : at + part.bytes.copy(all, at)
    }
    return at + this.#own.copy(all, at, from)
  }

  /** The same in pieces, without copying what is large; `allocate` gives the memory for what is copied. */
  *chunks(allocate: (length: number) => Buffer): Generator<Buffer, undefined> {
    let small: Buffer[] = []
    let length = 0
    for (const piece of this.#pieces()) {
      const isLarge = piece.length >= LARGE
      if ((isLarge || length >= CHUNK) && length > 0) {
        yield joined(small, allocate(length))
        small = []
        length = 0
      }
      if (isLarge) yield piece
      else {
        small.push(piece)
        length += piece.length
      }
    }
    if (length > 0) yield joined(small, allocate(length))
  }

  /** What it is made of, in order. */
  *#pieces(): Generator<Buffer> {
    let from = 0
    for (const [index, part] of this.shared.entries()) {
      const offset = this.#offsets[index] ?? from
      if (offset > from) yield this.#own.subarray(from, offset)
      from = offset
      if (part instanceof JoinedBytes) yield* part.#pieces()
      else yield part.bytes
    }
    if (from < this.#own.length) yield this.#own.subarray(from)
  }
}

function joined(pieces: readonly Buffer[], all: Buffer): Buffer {
  let at = 0
  for (const piece of pieces) at += piece.copy(all, at)
  return all
}

/** In memory of its own, not a part of what others have. */
function bytesOf(text: string, length = Buffer.byteLength(text)): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length)
  bytes.write(text)
  return bytes
}

function digestOf(bytes: Buffer | string): string {
  return hash('sha1', bytes, 'base64url')
}

/** Stands in JSON for a text. Nobody knows it, and so no content holds it. */
const MARK = randomUUID()
const MARKED = new RegExp(`"${MARK}(\\d+)"`)
/** Texts that are part of a JSON text which is yet to be made. */
export class TextSlots {
  readonly #texts: SharedText[] = []

  /** What stands for a text in the value that JSON is made of. */
  add(text: SharedText): string {
    return `${MARK}${this.#texts.push(text) - 1}`
  }

  /** The JSON text with those that were added. */
  fill(json: string): SharedText {
    if (this.#texts.length === 0) return new SharedBytes(json)
    const pieces = json.split(MARKED)
    return new JoinedBytes(pieces.map((piece, at) => (at % 2 === 0 ? piece : (this.#texts[Number(piece)] ?? ''))))
  }
}
