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

/** Beside its text. */
const BYTES_OF_PART = 20
/** Parts from this length on are sent as they are. */
const LARGE = 4096
/** Others are joined up to about this length. */
const CHUNK = 65_536

/** A text in UTF-8 made of shared ones and of what stands between them. */
export class JoinedBytes implements Shared {
  holders = 0
  readonly #parts: readonly TextPart[]
  /** How many bytes it has. */
  readonly length: number
  #digest: string | null = null

  constructor(parts: readonly TextPart[]) {
    this.#parts = parts
    this.length = parts.reduce((sum, part) => sum + lengthOf(part), 0)
  }

  /** Those of its parts that others may have, too. */
  get shared(): readonly SharedText[] {
    return this.#parts.filter((part) => typeof part !== 'string')
  }

  /** How many bytes it takes beside them, about. */
  get ownBytes(): number {
    const strings = this.#parts.filter((part) => typeof part === 'string')
    return strings.reduce((sum, part) => sum + part.length, BYTES_OF_PART * this.#parts.length)
  }

  /** Another one for other bytes: made of those of its parts. */
  get digest(): string {
    this.#digest ??= digestOfParts(this.#parts)
    return this.#digest
  }

  /** All of it. Nobody may change the bytes. */
  bytes(): Buffer {
    return joined(this.#leaves(), this.length)
  }

  /** The same in pieces, without copying what is large. */
  *chunks(): Generator<Buffer> {
    let small: Leaf[] = []
    let length = 0
    for (const part of this.#leaves()) {
      const isLarge = typeof part !== 'string' && part.length >= LARGE
      if ((isLarge || length >= CHUNK) && length > 0) {
        yield joined(small, length)
        small = []
        length = 0
      }
      if (isLarge) yield part.bytes
      else {
        small.push(part)
        length += lengthOf(part)
      }
    }
    if (length > 0) yield joined(small, length)
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

function joined(parts: readonly Leaf[], length: number): Buffer {
  const [first] = parts
  if (parts.length === 1 && first instanceof SharedBytes) return first.bytes
  const all = Buffer.allocUnsafe(length)
  let at = 0
  for (const part of parts) {
    if (typeof part === 'string') at += all.write(part, at)
    else {
      all.set(part.bytes, at)
      at += part.length
    }
  }
  return all
}

function lengthOf(part: TextPart): number {
  return typeof part === 'string' ? Buffer.byteLength(part) : part.length
}

function digestOf(bytes: Buffer | string): string {
  return hash('sha1', bytes, 'base64url')
}

function digestOfParts(parts: readonly TextPart[]): string {
  const [first] = parts
  if (first !== undefined && typeof first !== 'string' && parts.length === 1) return first.digest
  return digestOf(parts.map((part) => (typeof part === 'string' ? JSON.stringify(part) : part.digest)).join(' '))
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
