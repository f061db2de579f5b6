import { readdir, stat } from 'node:fs/promises'
import { UsageError } from './failure.ts'

/**
 * Throws `UsageError` when there are uploads, but not the SQLite file that knows them: it was lost, or is elsewhere.
 */
export async function assertNotLost(database: string, uploads: string): Promise<void> {
  if (/^postgres(ql)?:/.test(database) || uploads.startsWith('s3:')) return
  const path = database.replace(/^sqlite:(\/\/(?=\/))?/, '')
  if (await stat(path).catch(() => null)) return
  const names = await readdir(uploads).catch(() => [])
  if (names.length === 0) return
  throw new UsageError(
    `There is no database file ${path}, but there are uploads in ${uploads}. Put the file back, or set its path in ` +
      'QUIRE_DATABASE. To begin with an empty database, start with --new.',
  )
}
