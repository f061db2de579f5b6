import { readdir, stat } from 'node:fs/promises'
import type { AppOptions } from '../service.ts'
import { appOptions } from './environment.ts'
import type { Environment } from './environment-variables.ts'
import { UsageError } from './failure.ts'

/**
 * The options of the service, for a command that opens the database. Throws `UsageError` when there are uploads, but not
 * the SQLite file that knows them: it was lost, or is elsewhere, and opening it would make an empty one.
 */
export async function optionsOfExisting(env: Environment): Promise<ReturnType<typeof appOptions>> {
  const options = appOptions(env)
  await assertNotLost(options)
  return options
}

async function assertNotLost(options: AppOptions): Promise<void> {
  const { uploadsOf } = await import('../app.ts')
  const { database } = options
  const uploads = uploadsOf(options)
  if (/^postgres(ql)?:/.test(database) || uploads.startsWith('s3:')) return
  const path = database.replace(/^sqlite:(\/\/(?=\/))?/, '')
  if (await hasContent(path)) return
  const names = await readdir(uploads).catch(() => [])
  if (names.length === 0) return
  throw new UsageError(
    `There is no database file ${path}, or it is empty, but there are uploads in ${uploads}. Put the file back, or set its path ` +
      'in QUIRE_DATABASE. To begin with an empty database, run: quire serve --new',
  )
}

async function hasContent(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => null)
  return stats !== null && stats.size > 0
}
