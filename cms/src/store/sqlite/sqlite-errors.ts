import { setTimeout as pause } from 'node:timers/promises'
import { unavailable } from '../../base/errors.ts'

const BUSY = 5
const LOCKED = 6
/** An error of a virtual table: the search index is rebuilt by `quire reindex`. */
const CORRUPT_INDEX = 267

/** How long to wait for another process that is writing. */
export const BUSY_TIMEOUT_MS = 10_000

/**
 * Repeats an attempt while another process is writing, without blocking this one, until a time on the `performance`
 * clock.
 */
export async function retryWhileBusy(attempt: () => void, deadline: number): Promise<void> {
  for (let delay = 1; ; delay = Math.min(delay * 2, 50)) {
    try {
      attempt()
      return
    } catch (error) {
      if (!isBusy(error)) throw error
      if (performance.now() > deadline) throw unavailable('The database is busy. Try again in a moment.')
      await pause(delay + Math.random() * delay)
    }
  }
}

/** The extended code of an error of SQLite; 0 for other errors. Its last byte is the primary code. */
function codeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0
}

/** Errors of SQLite about the file itself: not to be opened, not to be written, no database, broken. */
export function isFileError(error: unknown): error is Error {
  return [8, 10, 11, 14, 26].includes(codeOf(error) & 0xff)
}

/** True when the disk has no room for the file. */
export function isFull(error: unknown): error is Error {
  return codeOf(error) === 13
}

/** True when the disk has no room for what is written, or a limit lets the file not grow: what it holds can be read. */
export function cannotGrow(error: unknown): error is Error {
  return isFull(error) || WRITING.includes(codeOf(error))
}

/** True when the file is broken, or no database; of a broken search index it says nothing. */
export function isDamage(error: unknown): boolean {
  const code = codeOf(error)
  return code !== CORRUPT_INDEX && [11, 26].includes(code & 0xff)
}

/** True when another process has locked the database. */
export function isBusy(error: unknown): boolean {
  return [BUSY, LOCKED].includes(codeOf(error) & 0xff)
}

/** Throws `unavailable` for what the database could not do just now, and any other error unchanged. */
export function rethrow(error: unknown): never {
  const code = codeOf(error)
  const message = REFUSALS.get(code) ?? REFUSALS.get(code & 0xff)
  throw message === undefined ? error : unavailable(message, error)
}

const BUSY_MESSAGE = 'The database is busy. Try again in a moment.'
const FILE_MESSAGE = 'The database file cannot be read as it should be. Try again later.'
const CHANGES_MESSAGE = 'The database accepts no changes at the moment. Try again later.'

/** Errors of writing, syncing and cutting the file: one that may not grow, for example. */
const WRITING: readonly number[] = [778, 1034, 1546]

/** Refusals of correct statements, by error code. */
const REFUSALS: ReadonlyMap<number, string> = new Map([
  [BUSY, BUSY_MESSAGE],
  [LOCKED, BUSY_MESSAGE],
  [7, 'The database is out of memory. Try again later.'],
  [8, CHANGES_MESSAGE],
  [10, FILE_MESSAGE],
  [11, FILE_MESSAGE],
  [13, CHANGES_MESSAGE],
  [14, FILE_MESSAGE],
  [26, FILE_MESSAGE],
  ...WRITING.map((code) => [code, CHANGES_MESSAGE] as const),
])

/** The error for people who start the service, where they can fix it; any other failure unchanged. */
export function cannotOpen(path: string, error: unknown): unknown {
  if (!isFileError(error) && !cannotGrow(error)) return error
  const advice = ADVICE.get(codeOf(error) & 0xff)
  return unavailable(
    `The database file ${path} cannot be opened: ${error.message}.${advice ? ` ${advice}` : ''}`,
    error,
  )
}

const FILES_ADVICE =
  'SQLite keeps two more files next to it: check that this account may create them there, and that the disk is neither full nor read-only.'

/** Advice about a file that cannot be opened or written, or is no database. */
const ADVICE: ReadonlyMap<number, string> = new Map([
  [8, FILES_ADVICE],
  [14, FILES_ADVICE],
  [26, 'Name the right file, or one that is not there yet, in QUIRE_DATABASE.'],
])
