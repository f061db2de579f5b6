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
    // Its own memory, not a part of what others have.
    this.bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
    this.bytes.write(text)
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
/** Parts from this length on are sent as they are. */
const LARGE = 4096
/** So many characters are few. */
const FEW = 20
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
  readonly #own: string
  /** At which offsets of its own text the shared parts stand. */
  readonly #offsets: readonly number[]
  /** How many bytes it has. */
  readonly length: number
  /** How many bytes it takes beside them, about. */
  readonly ownBytes: number
  #digest: string | null = null

  constructor(parts: readonly TextPart[]) {
    const shared: SharedText[] = []
    const offsets: number[] = []
    let own = ''
    for (const part of parts) {
      if (typeof part === 'string') own += part
      else {
        shared.push(part)
        offsets.push(own.length)
      }
    }
    this.shared = shared
    this.#own = own
    this.#offsets = offsets
    this.ownBytes = own.length + BYTES_OF_PART * shared.length
    this.length = shared.reduce((sum, { length }) => sum + length, Buffer.byteLength(own))
  }

  get #parts(): readonly TextPart[] {
    const parts: TextPart[] = []
    let from = 0
    for (const [index, part] of this.shared.entries()) {
      const offset = this.#offsets[index] ?? from
      if (offset > from) parts.push(this.#own.slice(from, offset))
      parts.push(part)
      from = offset
    }
    if (from < this.#own.length) parts.push(this.#own.slice(from))
    return parts
  }

  /** Another one for other bytes: made of those of its parts. */
  get digest(): string {
    this.#digest ??= this.#digestOfParts()
    return this.#digest
  }

  #digestOfParts(): string {
    const [first, ...others] = this.shared
    if (first !== undefined && others.length === 0 && this.#own === '') return first.digest
    const digests = this.shared.map(({ digest }) => digest)
    return digestOf(`${digestOf(this.#own)} ${this.#offsets.join()} ${digests.join()}`)
  }

  /** All of it. Nobody may change the bytes. */
  bytes(): Buffer {
    return joined(this.#leaves(), this.length, Buffer.allocUnsafe)
  }

  /** The same in pieces, without copying what is large; `allocate` gives the memory for what is copied. */
  *chunks(allocate: Allocate = Buffer.allocUnsafe): Generator<Buffer, undefined> {
    let small: Leaf[] = []
    let length = 0
    for (const part of this.#leaves()) {
      const isLarge = typeof part !== 'string' && part.length >= LARGE
      if ((isLarge || length >= CHUNK) && length > 0) {
        yield joined(small, length, allocate)
        small = []
        length = 0
      }
      if (isLarge) yield part.bytes
      else {
        small.push(part)
        length += lengthOf(part)
      }
    }
    if (length > 0) yield joined(small, length, allocate)
  }

  #leaves(leaves: Leaf[] = []): Leaf[] {
    for (const part of this.#parts) {
      if (part instanceof JoinedBytes) part.#leaves(leaves)
      else leaves.push(part)
    }
    return leaves
  }
}

/** A part that has no parts. */
type Leaf = SharedBytes | string
type Allocate = (length: number) => Buffer

function joined(parts: readonly Leaf[], length: number, allocate: Allocate): Buffer {
  const [first] = parts
  if (parts.length === 1 && first instanceof SharedBytes) return first.bytes
  const all = allocate(length)
  let at = 0
  for (const part of parts) {
    if (typeof part === 'string') at += write(part, all, at)
    else {
      all.set(part.bytes, at)
      at += part.length
    }
  }
  return all
}

/** Answers how many bytes were written. Calling the runtime takes longer than a few ASCII characters do. */
function write(text: string, to: Buffer, at: number): number {
  if (!isFewAscii(text)) return to.write(text, at)
  for (let index = 0; index < text.length; index += 1) to[at + index] = text.charCodeAt(index)
  return text.length
}

function isFewAscii(text: string): boolean {
  if (text.length > FEW) return false
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 0x7f) return false
  return true
}

function lengthOf(part: TextPart): number {
  if (typeof part !== 'string') return part.length
  return isFewAscii(part) ? part.length : Buffer.byteLength(part)
}

function digestOf(bytes: Buffer | string): string {
  return hash('sha1', bytes, 'base64url')
}

/** Stands in JSON for a text. Nobody knows it, and so no content holds it. */
const MARK = randomUUID()
const MARKED = new RegExp(`"${MARK}(\\d+)"`)
/** Up to so many characters are kept as a text. */
const SHORT = 100

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
    return new JoinedBytes(pieces.map((piece, at) => (at % 2 === 0 ? own(piece) : (this.#texts[Number(piece)] ?? ''))))
  }
}

/** A short piece is copied: otherwise it would keep all that it is a piece of. */
function own(piece: string): TextPart {
  return piece.length > SHORT ? new SharedBytes(piece) : Buffer.from(piece).toString()
}
