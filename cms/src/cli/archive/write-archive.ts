import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import { createTarPacker, type TarPackController } from 'modern-tar'
import { CHECKED_PARTS, sumsName, trailerOf } from './trailer.ts'

/**
 * Writes an archive: a tar file, compressed with zstd, whose parts have their SHA-256 in it, some hundreds at a time,
 * as `sha256sum` reads them. Behind it, where `zstd` does not look, stands the checksum of the whole.
 */
export class ArchiveWriter {
  readonly #tar: TarPackController
  readonly #written: Promise<void>
  readonly #mtime: Date
  #failure: unknown = null
  #sums: string[] = []
  #sumParts = 0

  /** `mtime`: what all parts are dated. */
  constructor(output: Writable, mtime: Date) {
    const { readable, controller } = createTarPacker()
    this.#tar = controller
    this.#mtime = mtime
    const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } })
    this.#written = pipeline(Readable.from(chunksOf(readable)), compress, withTrailer, output)
    this.#written.catch((error: unknown) => {
      this.#failure = error
      controller.error(error)
    })
  }

  /** Adds a part of exactly `size` bytes. */
  async add(name: string, size: number, content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> {
    const hash = createHash('sha256')
    await this.#write(name, size, async (write) => {
      for await (const chunk of content) {
        hash.update(chunk)
        await write(chunk)
      }
    })
    this.#sums.push(`${hash.digest('hex')}  ${name}\n`)
    if (this.#sums.length >= CHECKED_PARTS) await this.#addSums()
  }

  /** Adds a part that is text. */
  async addText(name: string, text: string): Promise<void> {
    const bytes = Buffer.from(text)
    await this.add(name, bytes.length, [bytes])
  }

  /** Ends the archive; resolves when the output has taken all of it. */
  async finish(): Promise<void> {
    if (this.#sums.length > 0) await this.#addSums()
    this.#tar.finalize()
    await this.#written
  }

  /** Gives up; resolves to why: what the output has failed with goes before what came of it. */
  async abort(reason: unknown): Promise<unknown> {
    if (this.#failure === null) this.#tar.error(reason)
    return this.#written.then(
      () => reason,
      (failure) => failure,
    )
  }

  async #addSums(): Promise<void> {
    this.#sumParts += 1
    const bytes = Buffer.from(this.#sums.join(''))
    this.#sums = []
    await this.#write(sumsName(this.#sumParts), bytes.length, (write) => write(bytes))
  }

  async #write(
    name: string,
    size: number,
    content: (write: (chunk: Uint8Array) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    if (this.#failure !== null) throw this.#failure
    const writer = this.#tar.add({ name, size, mtime: this.#mtime, mode: 0o600 }).getWriter()
    try {
      await content((chunk) => writer.write(chunk))
      await writer.close()
    } catch (error) {
      throw this.#failure ?? error
    }
  }
}

async function* chunksOf(readable: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = readable.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** Adds the checksum of all that went through. */
async function* withTrailer(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  for await (const chunk of source) {
    hash.update(chunk)
    yield chunk
  }
  yield trailerOf(hash.digest())
}
