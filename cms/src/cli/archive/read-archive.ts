import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar'
import type { OnProgress } from '../../store/contract/store.ts'
import { UsageError } from '../command/failure.ts'
import { isSums, isTrailer, TRAILER_BYTES, trailerOf } from './trailer.ts'

/** The file of an archive. */
export interface ArchiveFile {
  readonly path: string
  /** Its name in messages. */
  readonly name: string
}

/** A part of an archive, whose content is read before the next part. */
export interface ArchivePart {
  readonly name: string
  readonly size: number
  readonly content: AsyncIterable<Uint8Array>
}

const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
const PORTION = 256 * 1024

/** Throws when a file is no archive, or when any byte of it is not as it was written. */
export async function verifyArchive({ path, name }: ArchiveFile, onProgress: OnProgress = () => {}): Promise<void> {
  const { size } = await stat(path)
  if (!(await beginsAs(path, MAGIC))) throw new UsageError(`${name} was not written by Quire.`)
  const damaged = () => new UsageError(`${name} is damaged, or not all of it is there. Nothing was changed.`)
  if (size <= TRAILER_BYTES) throw damaged()
  const hash = createHash('sha256')
  let read = 0
  for await (const chunk of createReadStream(path, { end: size - TRAILER_BYTES - 1, highWaterMark: PORTION })) {
    hash.update(chunk)
    read += chunk.length
    onProgress(read, size - TRAILER_BYTES)
  }
  if (!(await endOf(path, size)).equals(trailerOf(hash.digest()))) throw damaged()
}

/** True when a file begins and ends as archives do. */
export async function isArchive(path: string): Promise<boolean> {
  const { size } = await stat(path)
  if (size <= TRAILER_BYTES || !(await beginsAs(path, MAGIC))) return false
  return isTrailer(await endOf(path, size))
}

async function beginsAs(path: string, bytes: Buffer): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { buffer } = await file.read(Buffer.alloc(bytes.length), 0, bytes.length, 0)
    return buffer.equals(bytes)
  } finally {
    await file.close()
  }
}

async function endOf(path: string, size: number): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of createReadStream(path, { start: size - TRAILER_BYTES })) parts.push(part)
  return Buffer.concat(parts)
}

/**
 * The parts of a verified archive in the order in which they were written. The content of each is read or cancelled.
 */
export async function* archiveParts(
  { path }: Pick<ArchiveFile, 'path'>,
  onProgress: OnProgress = () => {},
): AsyncGenerator<ArchivePart> {
  const { size } = await stat(path)
  const file = createReadStream(path, { end: size - TRAILER_BYTES - 1, highWaterMark: PORTION })
  const tar = file.pipe(createZstdDecompress())
  file.on('error', (error) => tar.destroy(error))
  const parts = Readable.toWeb(tar)
    .pipeThrough(createTarDecoder({ strict: true }))
    .getReader()
  try {
    for (;;) {
      const { done, value } = await parts.read()
      if (done) return onProgress(size, size)
      onProgress(file.bytesRead, size)
      if (isSums(value.header.name)) await value.body.cancel()
      else yield partOf(value)
    }
  } finally {
    await parts.cancel().catch(() => {})
    file.destroy()
  }
}

function partOf({ header, body }: ParsedTarEntry): ArchivePart {
  return { name: header.name, size: header.size, content: body }
}

/** All of a part that is short. */
export async function bytesOf({ name, size, content }: ArchivePart, most: number): Promise<Buffer> {
  if (size > most) throw new UsageError(`${name} is too long to be read.`)
  const chunks: Uint8Array[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Reads a part to its end, so that the next one comes. */
export async function skip({ content }: ArchivePart): Promise<void> {
  for await (const _ of content);
}
