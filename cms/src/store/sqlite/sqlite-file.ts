import { chmodSync, closeSync, fstatSync, mkdirSync, openSync, readSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { stopping, unavailable } from '../../base/errors.ts'
import { UnusableDatabase } from '../database/unusable-database.ts'

/** How often the file is checked while it is only read. */
const LOOK_MILLISECONDS = 500
const HEADER_BYTES = 100
const MAGIC = 'SQLite format 3\0'

/** Creates the folder, accessible to owner and group only, and the file, to its owner only. */
export function prepareFile(path: string): void {
  assertNoFolder(path)
  makeFolderOf(path)
  const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined
  if (!isThere) closeSync(openSync(path, 'a', 0o600))
}

/**
 * Makes the folder of a database, and those above it that are missing. Node's own way of doing so never ends where the
 * system denies that there is a folder which it will not make either, as below `/proc`.
 */
export function makeFolderOf(path: string): void {
  const missing: string[] = []
  for (let at = dirname(resolve(path)); !isFolder(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at)
  for (const folder of missing) {
    try {
      mkdirSync(folder, 0o750)
    } catch (error) {
      // Another process may make it at the same moment.
      if (!isFolder(folder)) throw error
    }
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Throws `UnusableDatabase` where a folder is named as the database file. */
export function assertNoFolder(path: string): void {
  if (!path.endsWith('/') && !statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  throw new UnusableDatabase(
    `The database must be a file, but ${path} is a folder. Name a file in it: QUIRE_DATABASE=sqlite:${join(path, 'quire.db')}`,
  )
}

/**
 * Restricts a database, and the files that SQLite keeps next to it, to their owner. Only for a file that was opened: any
 * other may be one that was named by mistake, and keeps its permissions.
 */
export function restrictFile(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) closeToOthers(file)
}

function closeToOthers(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined || (stats.mode & 0o077) === 0) return
  try {
    chmodSync(path, 0o600)
  } catch {
    // It belongs to another user, who decides about it.
  }
}

/**
 * Open files of this process, by path. One is closed only when nothing in this process uses the database any more:
 * closing it releases all locks that the process holds on the file, also SQLite's.
 */
const handles = new Map<string, { readonly fd: number; users: number }>()

/**
 * Checks that the file that was opened is still the one at its path, and complete. SQLite would go on writing to a
 * deleted file, and all of that would be lost.
 */
export class SqliteFile {
  readonly path: string
  readonly #fd: number
  readonly #timer: NodeJS.Timeout
  #logInode: number | null = null
  #identity: number | null = null
  #version: readonly [counter: number, size: number] = [0, 0]
  #isDamaged = false
  #isRight = true
  #isClosed = false

  /** To be opened before the connections to it, and closed after them. */
  constructor(path: string) {
    this.path = resolve(path)
    const handle = handles.get(this.path) ?? { fd: openSync(this.path, 'r'), users: 0 }
    handle.users += 1
    handles.set(this.path, handle)
    this.#fd = handle.fd
    this.#timer = setInterval(() => this.look(), LOOK_MILLISECONDS).unref()
  }

  /**
   * Takes the file as it is now for the right one; `identity` is the number in its header that tells it from others.
   */
  accept(identity: number): void {
    this.#logInode = statSync(`${this.path}-wal`, { throwIfNoEntry: false })?.ino ?? null
    const header = this.#header()
    // Not so while the number is only in the log yet.
    this.#identity = header.readUInt32BE(60) === identity ? identity : null
    this.look()
  }

  /** Whether it was the right file at the last check. */
  get isRight(): boolean {
    return this.#isRight
  }

  /**
   * SQLite has found damage: from now on nothing is read or written. Writes would make it worse, and answers would lack
   * some of what was stored.
   */
  recordDamage(): void {
    this.#isDamaged = true
    this.#isRight = false
  }

  /** Throws `unavailable` when it was closed, or was not the right one at the last check. */
  assertRight(): void {
    if (this.#isClosed) throw stopping()
    if (this.#isDamaged) throw unavailable('The database file is damaged. Restore a backup, then restart the service.')
    if (!this.#isRight) {
      throw unavailable('The database file was removed, replaced or damaged. Put the right one back, or restart.')
    }
  }

  /** Checks the file; takes some microseconds. */
  look(): void {
    try {
      this.#isRight = !this.#isDamaged && this.#isSame() && this.#isWhole()
    } catch {
      this.#isRight = false
    }
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#timer)
    const handle = handles.get(this.path)
    if (handle === undefined) return
    handle.users -= 1
    if (handle.users > 0) return
    handles.delete(this.path)
    closeSync(handle.fd)
  }

  #isSame(): boolean {
    const [there, opened] = [statSync(this.path), fstatSync(this.#fd)]
    if (there.dev !== opened.dev || there.ino !== opened.ino) return false
    return this.#logInode === null || statSync(`${this.path}-wal`).ino === this.#logInode
  }

  #isWhole(): boolean {
    const { size } = fstatSync(this.#fd)
    if (size === 0) return this.#version[1] === 0
    const header = this.#header()
    if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) return false
    if (this.#identity !== null && header.readUInt32BE(60) !== this.#identity) return false
    // Only VACUUM makes it shorter, and raises the counter. A truncated file or an older copy is shorter, or counts
    // less.
    const [counter, length] = this.#version
    const now = header.readUInt32BE(24)
    if (now < counter || (now === counter && size < length)) return false
    this.#version = [now, size]
    return true
  }

  #header(): Buffer {
    const header = Buffer.alloc(HEADER_BYTES)
    readSync(this.#fd, header, 0, HEADER_BYTES, 0)
    return header
  }
}
