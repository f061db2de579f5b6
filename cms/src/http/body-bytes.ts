import type { ServerResponse } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import type { CmsError } from '../base/errors.ts'
import { Overloaded } from './request-queue.ts'

/** The longest body, and what is thrown for a longer one. */
export interface BodyLimit {
  readonly maxBytes: number
  readonly refusal: CmsError
}

/** Bounds the bytes of the bodies of all requests that are not answered yet. */
export class BodyBytes {
  readonly #maxTotal: number
  /** The bodies that are being read, in the order in which they began, with what releases their bytes. */
  readonly #arriving = new Map<Transform, () => void>()
  #total = 0

  constructor(maxTotal: number) {
    this.#maxTotal = maxTotal
  }

  /** The bytes that are held now. */
  get total(): number {
    return this.#total
  }

  /**
   * A stream that a body is read through. It fails with `refusal` beyond `maxBytes`, and with `unavailable` when there
   * is no capacity left. Its bytes count until the request is answered.
   */
  read(source: Readable, response: ServerResponse, { maxBytes, refusal }: BodyLimit): Readable {
    let bytes = 0
    const release = () => {
      this.#arriving.delete(metered)
      this.#total -= bytes
      bytes = 0
    }
    const metered: Transform = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        bytes += chunk.length
        this.#total += chunk.length
        if (bytes > maxBytes) return done(refusal)
        this.#refuseLatest()
        if (!metered.destroyed) done(null, chunk)
      },
      flush: (done) => {
        this.#arriving.delete(metered)
        done()
      },
    })
    this.#arriving.set(metered, release)
    response.once('close', () => {
      metered.destroy()
      release()
    })
    source.on('error', (error) => metered.destroy(error))
    return source.pipe(metered)
  }

  /**
   * Refuses the bodies that began last until the others are within the capacity. If instead each body that exceeds it were
   * refused, many that arrive together would all be refused.
   */
  #refuseLatest(): void {
    while (this.#total > this.#maxTotal) {
      const latest = [...this.#arriving].at(-1)
      if (latest === undefined) return
      const [body, release] = latest
      release()
      body.destroy(new Overloaded())
    }
  }
}
