import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '../base/ids.ts'
import type { Caching } from './answer.ts'
import { Reply, WrittenBody } from './route.ts'

/** Bytes of a text made in parts that are kept in memory; longer ones go through a file. */
const IN_MEMORY = 4 * 1024 * 1024

/**
 * What a route returned, its `WrittenBody` written: short ones in memory, long ones in a temporary file that is then
 * sent as a stream. So a slow caller holds up nobody, a failure leaves no half answer, and anonymous callers get an ETag made
 * from the bytes, however long they are (§0).
 */
export async function written(result: unknown, caching: Caching): Promise<unknown> {
  if (!(result instanceof Reply && result.body instanceof WrittenBody)) return result
  const { body, headers, status, cookies } = result
  const text = new LongText()
  try {
    await body.writeTo((part) => text.add(Buffer.from(part)))
    const { content, length, hash } = text.end()
    if (Buffer.isBuffer(content)) return new Reply(content, headers, status, cookies)
    const own = { 'Content-Length': String(length), ...(caching.kind === 'public' ? { ETag: `"${hash}"` } : {}) }
    // Read to its end or destroyed, the stream closes the file.
    const stream = createReadStream('', { fd: content, start: 0, end: length - 1 })
    return new Reply(stream, { ...headers, ...own }, status, cookies)
  } catch (error) {
    await text.discard()
    throw error
  }
}

class LongText {
  readonly #hash = createHash('sha1')
  #length = 0
  #parts: Buffer[] = []
  #file: FileHandle | null = null

  async add(bytes: Buffer): Promise<void> {
    this.#hash.update(bytes)
    this.#length += bytes.length
    this.#parts.push(bytes)
    if (this.#length <= IN_MEMORY) return
    this.#file ??= await temporaryFile()
    const waiting = this.#parts
    this.#parts = []
    await this.#file.appendFile(Buffer.concat(waiting))
  }

  /** All that was added, in memory or in a file; its length in bytes, and its SHA-1 as base64url. */
  end(): { readonly content: Buffer | FileHandle; readonly length: number; readonly hash: string } {
    const content = this.#file ?? Buffer.concat(this.#parts)
    return { content, length: this.#length, hash: this.#hash.digest('base64url') }
  }

  async discard(): Promise<void> {
    await this.#file?.close()
  }
}

/** Nobody else can open it, and it is gone with the process. */
async function temporaryFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `quire-${newId()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}
