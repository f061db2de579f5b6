import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasCode } from '../../base/thrown.ts'
import { type AppOptions, uploadsOf } from '../../service.ts'
import { databaseFile } from '../../store/database/database-file.ts'
import { planMigrations } from '../../store/migrate-store.ts'
import { WITHOUT_TABLES } from '../../store/migrations/migrate.ts'
import { appOptions, type Environment } from './environment.ts'
import { UsageError } from './failure.ts'
import { quietLog } from './json-log.ts'

/**
 * The options of the service, for a command that opens the database. Throws `UsageError` when there are uploads, but
 * not the SQLite file that knows them: it was lost, or is elsewhere, and opening it would make an empty one.
 */
export async function optionsOfExisting(env: Environment): Promise<ReturnType<typeof appOptions>> {
  const options = appOptions(env)
  await assertNotLost(options)
  return options
}

/** Like `optionsOfExisting`, for a command that makes no database. Throws `UsageError` where there is no SQLite file. */
export async function optionsOfFound(env: Environment): Promise<ReturnType<typeof appOptions>> {
  const options = await optionsOfExisting(env)
  const path = databaseFile(options.database)
  if (path === null || (await hasContent(path))) return options
  throw new UsageError(
    `There is no database file ${path}, or it is empty. Set the path of the right one in QUIRE_DATABASE; the first start makes one.`,
  )
}

/**
 * Like `optionsOfFound`, for a command that has nothing to do where nothing is stored. Throws `UsageError`, too, where
 * the database has no tables, which it would make.
 */
export async function optionsOfStored(env: Environment): Promise<ReturnType<typeof appOptions>> {
  const options = await optionsOfFound(env)
  if (await hasTables(options)) return options
  throw new UsageError(WITHOUT_TABLES)
}

/** Like `optionsOfStored`, for a command that changes nothing. */
export async function optionsOfStoredTrial(env: Environment): Promise<ReturnType<typeof appOptions>> {
  return { ...(await optionsOfStored(env)), isTrial: true }
}

/**
 * Runs `work` with the options of a service for a command that changes nothing. Where the database has no tables, which
 * it would make, they name one in a temporary folder, and uploads there, which are removed afterwards.
 */
export async function withOptionsOfTrial<T>(work: (optionsFrom: typeof optionsOfExisting) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-trial-'))
  try {
    return await work(async (env) => {
      const options = await optionsOfExisting(env)
      if (await hasTables(options)) return { ...options, isTrial: true }
      return { ...options, database: `sqlite:${join(folder, 'quire.db')}`, uploads: join(folder, 'uploads') }
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function assertNotLost(options: AppOptions): Promise<void> {
  const uploads = uploadsOf(options)
  const path = databaseFile(options.database)
  if (path === null || uploads.startsWith('s3:') || (await hasContent(path))) return
  const names = await readdir(uploads).catch(() => [])
  if (names.length === 0) return
  throw new UsageError(
    `There is no database file ${path}, or it is empty, but there are uploads in ${uploads}. Put the file back, or set its path ` +
      'in QUIRE_DATABASE. To begin with an empty database, run: quire serve --new',
  )
}

async function hasTables(options: AppOptions): Promise<boolean> {
  const path = databaseFile(options.database)
  if (path !== null && !(await hasContent(path))) return false
  const { state } = await planMigrations(options.database, { ...options, log: quietLog })
  return state.version > 0
}

async function hasContent(path: string): Promise<boolean> {
  const stats = await stat(path).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null
    throw error
  })
  return stats !== null && stats.size > 0
}
