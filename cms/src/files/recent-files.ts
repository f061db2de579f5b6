import type { FileFacts } from './files.ts'

/** A whole file, in memory. */
interface RecentFile extends FileFacts {
  readonly bytes: Buffer
}

/** Files above this size are not cached. */
const LARGEST = 512 * 1024

const MAX_BYTES = 32 * 1024 * 1024

/** How long a file that another process removed may still be served. */
const FRESH_MS = 3_000

/** A cache of small files read a moment ago: the same few images are requested with many pages. */
export class RecentFiles {
  readonly #files = new Map<string, { readonly file: RecentFile; readonly until: number }>()
  #bytes = 0

  get(name: string): RecentFile | null {
    const cached = this.#files.get(name)
    if (cached === undefined) return null
    if (cached.until >= performance.now()) return cached.file
    this.remove(name)
    return null
  }

  /** Caches a whole file, and evicts the oldest when there are too many bytes. */
  add(name: string, file: RecentFile): void {
    if (file.bytes.length > LARGEST) return
    this.remove(name)
    this.#files.set(name, { file, until: performance.now() + FRESH_MS })
    this.#bytes += file.bytes.length
    for (const oldest of this.#files.keys()) {
      if (this.#bytes <= MAX_BYTES) return
      this.remove(oldest)
    }
  }

  remove(name: string): void {
    this.#bytes -= this.#files.get(name)?.file.bytes.length ?? 0
    this.#files.delete(name)
  }
}
