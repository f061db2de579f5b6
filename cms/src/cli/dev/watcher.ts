import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Editors write a file in several steps, and tools several files: changes that follow so soon are one. */
const SETTLE_MS = 50
/** How long a file may be gone while an editor puts another in its place. */
const ABSENT_MS = 250
/** Where a file system reports no changes, as with folders of containers, files are looked at this often. */
const POLL_MS = 500

const ABSENT = 'absent'

/** Watches for changes of files, whichever way they are written. */
export class Watcher {
  /** How each file was when it was last looked at. */
  readonly #states = new Map<string, string>()
  readonly #folders = new Map<string, FSWatcher>()
  readonly #trees = new Set<string>()
  #wake = () => {}

  /** Watches these files from now on, those that are not there yet, too. */
  addFiles(files: Iterable<string>): void {
    for (const file of files) if (!this.#states.has(file)) this.#add(file)
  }

  /** Watches the files in a folder and below it. */
  addTree(folder: string): void {
    this.#trees.add(folder)
    this.addFiles(filesBelow(folder))
  }

  /** True for a file in a folder that was given to `addTree`. */
  isInTree(file: string): boolean {
    return [...this.#trees].some((folder) => file.startsWith(join(folder, '/')))
  }

  /** Waits for the next change, and until no more follow: the files that are others than before, or gone. */
  async changed(): Promise<readonly string[]> {
    for (;;) {
      const changed = new Set(this.#look())
      for (let more = [...changed]; more.length > 0; ) {
        await pause(more.some((file) => this.#states.get(file) === ABSENT) ? ABSENT_MS : SETTLE_MS)
        more = this.#look()
        for (const file of more) changed.add(file)
      }
      if (changed.size > 0) return [...changed]
      await this.#woken()
    }
  }

  close(): void {
    for (const folder of this.#folders.values()) folder.close()
  }

  #add(file: string): void {
    this.#states.set(file, stateOf(file))
    this.#watchFolder(dirname(file))
  }

  /** The folder, not the file: a file that is replaced is another one. */
  #watchFolder(folder: string): void {
    if (this.#folders.has(folder)) return
    try {
      const watcher = watch(folder, () => this.#wake())
      const end = () => {
        watcher.close()
        this.#folders.delete(folder)
      }
      watcher.on('error', end)
      this.#folders.set(folder, watcher)
    } catch {
      // It is not there, or there are too many watchers: its files are looked at now and then all the same.
    }
  }

  async #woken(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_MS)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** The files that have changed since the last look. */
  #look(): string[] {
    const changed: string[] = []
    for (const folder of this.#trees) {
      for (const file of filesBelow(folder)) {
        if (this.#states.has(file)) continue
        this.#add(file)
        changed.push(file)
      }
    }
    for (const [file, before] of this.#states) {
      const now = stateOf(file)
      if (now === before) continue
      this.#states.set(file, now)
      this.#watchFolder(dirname(file))
      changed.push(file)
    }
    return changed
  }
}

function stateOf(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? ABSENT : `${stats.mtimeNs} ${stats.size} ${stats.ino}`
}

function filesBelow(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  } catch {
    return []
  }
}
