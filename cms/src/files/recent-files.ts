import type { FileFacts } from './files.ts'

/** A whole file in memory. */
export interface RecentFile extends FileFacts {
  readonly bytes: Buffer
}

/** Files above this are read each time. */
const LARGEST = 512 * 1024
const MAX_BYTES = 32 * 1024 * 1024
/** How long another process may have removed a file before this one notices. */
const FRESH_MS = 3_000

/** Small files that were read a moment ago: pages are asked for together with the same few pictures. */
export class RecentFiles {
  readonly #kept = new Map<string, { readonly file: RecentFile; readonly until: number }>()
  #bytes = 0

  get(name: string): RecentFile | null {
    const kept = this.#kept.get(name)
    if (kept === undefined) return null
    if (kept.until >= performance.now()) return kept.file
    this.forget(name)
    return null
  }

  /** Keeps a whole file, and lets go of the oldest when there are too many. */
  keep(name: string, file: RecentFile): void {
    if (file.bytes.length > LARGEST) return
    this.forget(name)
    this.#kept.set(name, { file, until: performance.now() + FRESH_MS })
    this.#bytes += file.bytes.length
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MAX_BYTES) return
      this.forget(oldest)
    }
  }

  forget(name: string): void {
    this.#bytes -= this.#kept.get(name)?.file.bytes.length ?? 0
    this.#kept.delete(name)
  }
}
