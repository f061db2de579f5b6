import { constants, type Stats } from 'node:fs'
import { copyFile, type FileHandle, lstat, open, opendir, readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { CacheMemory, LastingCache } from '../base/bounded-cache.ts'
import { HOUR_MS } from '../base/durations.ts'
import { unavailable } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import { hasCode } from '../base/thrown.ts'
import { type ByteRange, type FileContent, type FileFacts, type Files, type StoredFile, unusable } from './files.ts'
import { assertUsable, makeFolder } from './folder-access.ts'
import { assertFileName, isFileName, urlPath } from './stored-names.ts'

/** Where files are written before they get their name: inside the folder, so that renaming is atomic. */
const INCOMING = '.incoming'

/** Where they are then. */
const ATTACHMENTS = 'attachments'

/** Files up to this size are read at once, larger ones as a stream. */
const AT_ONCE = 256 * 1024

const PORTION = 256 * 1024

/** Uploads are for the service, and for a web server in its group, not for everybody on the machine (§4.3). */
const FOLDER_MODE = 0o750

const FILE_MODE = 0o640

/** Symbolic links are not followed, and opening a pipe or device does not block. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** How long a file that another process removed may still be served. */
const FRESH_MS = 3_000

/** A whole file, in memory. */
interface RecentFile extends FileFacts {
  readonly bytes: Buffer
}

/** Files up to half a megabyte that were read a moment ago: the same few images are requested with many pages. */
export function recentFiles(): LastingCache<RecentFile> {
  const memory = new CacheMemory(32 * 1024 * 1024)
  return new LastingCache({ memory, largest: 1 / 64, bytesOf: ({ bytes }) => bytes.length })
}

/** Uploads in a local folder, which is created with the first of them. */
export class FolderFiles implements Files {
  readonly isServedElsewhere: boolean
  readonly #folder: string
  readonly #base: string
  readonly #log: Log
  readonly #recent = recentFiles()

  /** `base` is the base of public URLs: `/uploads`, or an address elsewhere. */
  constructor(folder: string, base: string, log: Log, isServedElsewhere = false) {
    this.isServedElsewhere = isServedElsewhere
    this.#folder = folder
    this.#base = base
    this.#log = log
  }

  async put(name: string, { source }: FileContent): Promise<void> {
    const path = this.#pathOf(name)
    const temporary = join(this.#folder, INCOMING, newId())
    this.#recent.delete(name)
    try {
      await makeFolder(dirname(temporary), FOLDER_MODE)
      await writeWhole(temporary, source)
      await makeFolder(dirname(path), FOLDER_MODE)
      await rename(temporary, path)
      await syncFolder(dirname(path))
    } catch (error) {
      await rm(temporary, { force: true }).catch((failure: unknown) =>
        this.#log.warn({ failure }, 'A temporary file could not be removed.'),
      )
      throw this.#failed(error)
    }
  }

  async open(name: string, range?: ByteRange): Promise<StoredFile | null> {
    const recent = range === undefined ? this.#recent.get(name, performance.now()) : undefined
    if (recent !== undefined) return fromBytes(recent, recent.bytes)
    const handle = await this.#opened(name)
    if (handle === null) return null
    try {
      const stats = await handle.stat()
      if (!stats.isFile()) {
        await handle.close()
        return null
      }
      const file = await contentOf(handle, stats, range)
      const { length, tag, bytes } = file
      if (bytes !== null && bytes.length === length) {
        this.#recent.set(name, { length, tag, bytes }, performance.now() + FRESH_MS)
      }
      return file
    } catch (error) {
      await handle.close()
      throw this.#failed(error)
    }
  }

  async facts(name: string): Promise<FileFacts | null> {
    if (!isFileName(name)) return null
    try {
      const stats = await lstat(this.#pathOf(name))
      return stats.isFile() ? factsOf(stats) : null
    } catch (error) {
      if (isMissing(error)) return null
      throw this.#failed(error)
    }
  }

  async fetch(name: string, path: string): Promise<boolean> {
    if (!isFileName(name)) return false
    try {
      await copyFile(this.#pathOf(name), path)
      return true
    } catch (error) {
      if (isMissing(error)) return false
      throw this.#failed(error)
    }
  }

  async remove(names: readonly string[]): Promise<void> {
    let failure: unknown = null
    for (const name of names) {
      this.#recent.delete(name)
      try {
        await unlink(this.#pathOf(name))
      } catch (error) {
        if (!isMissing(error)) failure ??= error
      }
    }
    if (failure !== null) throw this.#failed(failure)
  }

  async *list(prefix: string): AsyncGenerator<string> {
    yield* this.#listFolder(prefix.slice(0, prefix.lastIndexOf('/') + 1), prefix)
  }

  url(name: string): string {
    return `${this.#base}/${urlPath(name)}`
  }

  /** The first upload makes the folder, and those in it: none is needed where it can be made. */
  async check(): Promise<void> {
    try {
      await assertUsable(this.#folder)
      for (const inside of [INCOMING, ATTACHMENTS]) await assertUsable(join(this.#folder, inside))
    } catch (error) {
      throw this.#unavailable(error)
    }
  }

  async close(): Promise<void> {}

  /** Younger ones another process may still be writing. */
  async clean(now: number = Date.now()): Promise<void> {
    const folder = join(this.#folder, INCOMING)
    try {
      for (const name of await readdir(folder)) {
        const path = join(folder, name)
        if (now - (await stat(path)).mtimeMs > HOUR_MS) await rm(path, { force: true })
      }
    } catch (error) {
      if (!isMissing(error))
        this.#log.warn(
          { reason: String(error) },
          'Temporary files of an earlier crash could not be removed from the uploads.',
        )
    }
  }

  async *#listFolder(folder: string, prefix: string): AsyncGenerator<string> {
    try {
      for await (const entry of await opendir(join(this.#folder, folder))) {
        const name = folder + entry.name
        if (entry.name.startsWith('.')) continue
        if (entry.isDirectory() && (name.startsWith(prefix) || prefix.startsWith(name))) {
          yield* this.#listFolder(`${name}/`, prefix)
        } else if (entry.isFile() && name.startsWith(prefix)) yield name
      }
    } catch (error) {
      if (!isMissing(error)) throw this.#failed(error)
    }
  }

  async #opened(name: string): Promise<FileHandle | null> {
    if (!isFileName(name)) return null
    try {
      return await open(join(this.#folder, name), READ)
    } catch (error) {
      if (isMissing(error) || hasCode(error, 'ELOOP', 'ENXIO')) return null
      throw this.#failed(error)
    }
  }

  #pathOf(name: string): string {
    assertFileName(name)
    return join(this.#folder, name)
  }

  #failed(error: unknown): Error {
    this.#log.error({ error, folder: this.#folder }, 'The uploads folder fails.')
    return this.#unavailable(error)
  }

  #unavailable(error: unknown): Error {
    const cause = unusable(`The uploads folder ${this.#folder} cannot be used`, error)
    return unavailable('Uploads cannot be stored or read at the moment. Try again later.', cause)
  }
}

async function writeWhole(path: string, source: FileContent['source']): Promise<void> {
  if (!(source instanceof Uint8Array)) await copyFile(source.path, path, constants.COPYFILE_EXCL)
  const handle = await open(path, source instanceof Uint8Array ? 'wx' : 'r+')
  try {
    await handle.chmod(FILE_MODE)
    if (source instanceof Uint8Array) await handle.writeFile(source)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes a new name survive a power failure. Systems without such an operation refuse it, which is fine. */
async function syncFolder(path: string): Promise<void> {
  try {
    const handle = await open(path, 'r')
    await handle.sync().finally(() => handle.close())
  } catch (error) {
    if (!hasCode(error, 'EISDIR', 'EPERM', 'EINVAL', 'EACCES')) throw error
  }
}

/** Closes the handle at once, or with the stream. */
async function contentOf(handle: FileHandle, stats: Stats, range: ByteRange | undefined): Promise<StoredFile> {
  const start = range?.start ?? 0
  const end = Math.min(range?.end ?? stats.size - 1, stats.size - 1)
  if (end - start >= AT_ONCE) {
    return { ...factsOf(stats), bytes: null, stream: handle.createReadStream({ start, end, highWaterMark: PORTION }) }
  }
  const buffer = Buffer.allocUnsafe(Math.max(end - start + 1, 0))
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, start)
  await handle.close()
  return fromBytes(factsOf(stats), buffer.subarray(0, bytesRead))
}

function fromBytes({ length, tag }: FileFacts, bytes: Buffer): StoredFile {
  return {
    length,
    tag,
    bytes,
    get stream() {
      return Readable.from([bytes], { objectMode: false })
    },
  }
}

function factsOf({ size, mtimeMs }: Stats): FileFacts {
  return { length: size, tag: `${size.toString(36)}-${Math.round(mtimeMs).toString(36)}` }
}

function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG')
}
