import { hash, randomUUID } from 'node:crypto'
import type { Shared } from '../base/bounded-cache.ts'

/** A text in UTF-8 that other texts may hold as a part. */
export class SharedBytes implements Shared {
  holders = 0
  readonly shared: readonly Shared[] = NONE
  readonly bytes: Buffer
  /** Identifies the bytes. */
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

/** A text that others may hold. */
export type SharedText = SharedBytes | JoinedBytes
/** A part of a text: shared, or its own. */
export type TextPart = SharedText | string

/** Bytes of the reference to a shared part, and of its offset. */
const BYTES_OF_PART = 20
/** Parts from this length on are sent without being copied. */
const LARGE = 4096
/** Shorter ones are joined up to about this length. */
const CHUNK = 65_536

/**
 * A text in UTF-8 that consists of shared texts and of its own text between them. Its own text is in one buffer:
 * thousands of short ones would take several times their bytes.
 */
export class JoinedBytes implements Shared {
  holders = 0
  /** The shared parts, in order. */
  readonly shared: readonly SharedText[]
  readonly #own: Buffer
  /** The offsets in its own text at which the shared parts are inserted. */
  readonly #offsets: readonly number[]
  /** In bytes. */
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
    // Copied, since an array that was pushed to has room for sixteen more.
    this.shared = shared.slice()
    this.#own = bytesOf(own, ownLength)
    this.#offsets = offsets.slice()
    this.length = shared.reduce((sum, { length }) => sum + length, ownLength)
  }

  /** About how many bytes it takes without its shared parts. */
  get ownBytes(): number {
    return this.#own.length + BYTES_OF_PART * this.shared.length
  }

  /** Identifies the bytes; made of the digests of its parts. */
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

  /** The only part, if the text has nothing else; null otherwise. */
  #only(): SharedText | null {
    const [first, ...others] = this.shared
    return others.length === 0 && this.#own.length === 0 ? (first ?? null) : null
  }

  /** The whole text; callers must not change the bytes. */
  bytes(): Buffer {
    const only = this.#only()
    if (only !== null) return only instanceof JoinedBytes ? only.bytes() : only.bytes
    return this.writeTo(Buffer.allocUnsafe(this.length))
  }

  /** Writes the text to the beginning of a buffer that is large enough; returns that part of it. */
  writeTo(memory: Buffer): Buffer {
    return memory.subarray(0, this.#copyTo(memory, 0))
  }

  /** Returns the offset of its end. */
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

  /** The text in chunks, without copying large parts; `allocate` returns the memory for what is copied. */
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

  /** Its buffers, in order. */
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

/** Returns bytes with memory of their own: in Node's pool, one small text would keep the whole pool. */
function bytesOf(text: string, length = Buffer.byteLength(text)): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length)
  bytes.write(text)
  return bytes
}

function digestOf(bytes: Buffer | string): string {
  return hash('sha1', bytes, 'base64url')
}

/** Marks the place of a text in JSON. It is random, so that no content can hold it. */
const MARK = randomUUID()
const MARKED = new RegExp(`"${MARK}(\\d+)"`)
/** Places for texts in a value that will become JSON. */
export class TextSlots {
  readonly #texts: SharedText[] = []

  /** Returns what to put into the value in place of the text. */
  add(text: SharedText): string {
    return `${MARK}${this.#texts.push(text) - 1}`
  }

  /** The JSON text with the texts in their places. */
  fill(json: string): SharedText {
    if (this.#texts.length === 0) return new SharedBytes(json)
    const pieces = json.split(MARKED)
    return new JoinedBytes(pieces.map((piece, at) => (at % 2 === 0 ? piece : (this.#texts[Number(piece)] ?? ''))))
  }
}
