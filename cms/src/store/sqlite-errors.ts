import { unavailable } from '../base/errors.ts'
import { pause } from './database.ts'

const PATIENCE_MILLISECONDS = 10_000
const BUSY = 5
const LOCKED = 6

/** Another process may be writing: waits for it without holding up this one, some seconds at most. */
export async function patiently(attempt: () => void): Promise<void> {
  const deadline = Date.now() + PATIENCE_MILLISECONDS
  for (let delay = 1; ; delay = Math.min(delay * 2, 50)) {
    try {
      attempt()
      return
    } catch (error) {
      if (!isBusy(error)) throw error
      if (Date.now() > deadline) throw unavailable('The database is busy. Try again in a moment.')
      await pause(delay + Math.random() * delay)
    }
  }
}

/** What SQLite says of the file itself: not to be opened, not to be written, no database, broken. */
export function isFileError(error: unknown): error is Error {
  return error instanceof Error && 'errcode' in error && [8, 10, 11, 14, 26].includes(Number(error.errcode) & 0xff)
}

/** True when somebody else holds the database. */
export function isBusy(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
  return code === BUSY || code === LOCKED
}
