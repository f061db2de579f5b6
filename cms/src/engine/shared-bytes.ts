import { hash } from 'node:crypto'
import type { Shared } from '../base/byte-lru.ts'

/** Bytes that are made once and may be part of many texts. */
export class SharedBytes implements Shared {
  holders = 0
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
}

/** A part of a text: one that others may have, too, or its own. */
export type TextPart = SharedBytes | string

/** Parts from this length on are sent as they are. */
const LARGE = 4096
/** Others are joined up to about this length. */
const CHUNK = 65_536

/** A text in UTF-8 made of shared bytes and of what stands between them. */
export class JoinedBytes {
  readonly #parts: readonly TextPart[]
  /** How many bytes it has. */
  readonly length: number

  constructor(parts: readonly TextPart[]) {
    this.#parts = parts
    this.length = parts.reduce((sum, part) => sum + lengthOf(part), 0)
  }

  /** Those of its parts that others may have, too. */
  get shared(): readonly SharedBytes[] {
    return this.#parts.filter((part) => typeof part !== 'string')
  }

  /** How many bytes are its own. */
  get ownBytes(): number {
    return this.#parts.reduce((sum, part) => (typeof part === 'string' ? sum + lengthOf(part) : sum), 0)
  }

  /** Another one for other bytes: made of those of its parts. */
  get digest(): string {
    const [first] = this.#parts
    if (this.#parts.length === 1 && first instanceof SharedBytes) return first.digest
    return digestOf(
      this.#parts.map((part) => (typeof part === 'string' ? JSON.stringify(part) : part.digest)).join(' '),
    )
  }

  /** All of it. Nobody may change the bytes. */
  bytes(): Buffer {
    return joined(this.#parts, this.length)
  }

  /** The same in pieces, without copying what is large. */
  *chunks(): Generator<Buffer> {
    let small: TextPart[] = []
    let length = 0
    for (const part of this.#parts) {
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
}

function joined(parts: readonly TextPart[], length: number): Buffer {
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
