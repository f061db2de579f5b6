/** Collects text as bytes in one buffer that is reserved first: only the part that is written takes memory. */
export class ByteWriter {
  #bytes: Buffer
  #length = 0

  /** Reserves as many bytes as are expected; more can be written. */
  constructor(expected: number) {
    this.#bytes = Buffer.allocUnsafeSlow(expected)
  }

  /** Appends a text in UTF-8. */
  write(text: string): void {
    const end = this.#length + Buffer.byteLength(text)
    if (end > this.#bytes.length) {
      const longer = Buffer.allocUnsafeSlow(Math.ceil(end * 1.5))
      this.#bytes.copy(longer, 0, 0, this.#length)
      this.#bytes = longer
    }
    this.#length += this.#bytes.write(text, this.#length)
  }

  /** Returns the bytes written so far; a copy, where much more was reserved. */
  written(): Buffer {
    const bytes = this.#bytes.subarray(0, this.#length)
    return this.#length < this.#bytes.length / 2 ? Buffer.from(bytes) : bytes
  }
}
