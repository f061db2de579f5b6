import type { Database } from './database/database.ts'
import { type MigrationPlan, migrateTables, plannedMigrations } from './migrations/migrate.ts'
import { type OpenOptions, openDatabase, tablesAt } from './open-store.ts'
import { ContentMigrationRecords } from './records/content-migration-records.ts'

/** Brings the tables of a store up to date; the names of the migrations that were run. */
export function migrate(url: string, options: OpenOptions): Promise<string[]> {
  return withDatabase(url, options, (database) => migrateTables(database, options.log, tablesAt))
}

/** The plan of a release for a store. */
interface StorePlan extends MigrationPlan {
  /** The names of the content migrations that were run. */
  readonly finished: readonly string[]
}

/** Plans the migrations of a store; changes nothing. Throws when a newer program has used it. */
export function planMigrations(url: string, options: OpenOptions): Promise<StorePlan> {
  return withDatabase(url, options, async (database) => {
    const plan = await plannedMigrations(database)
    const isRecorded = plan.state.version >= CONTENT_MIGRATIONS
    const stored = isRecorded ? await new ContentMigrationRecords(database.primary).all() : []
    return { ...plan, finished: stored.flatMap(({ name, finishedAt }) => (finishedAt === null ? [] : [name])) }
  })
}

/** The version of the tables since which they are recorded. */
const CONTENT_MIGRATIONS = 13

async function withDatabase<T>(
  url: string,
  options: OpenOptions,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(url, options)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
