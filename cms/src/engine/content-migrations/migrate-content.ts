import { CmsError, invalid } from '../../base/errors.ts'
import { type StoredMigration, UnusableDatabase } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { write } from '../write.ts'
import type { MigrateOptions, MigrationReport } from './migrate-options.ts'
import type { ContentMigration } from './migration.ts'
import { progressOf, recordProgress } from './migration-progress.ts'
import { MigrationRun } from './migration-run.ts'
import type { MovableContent } from './steps.ts'

/**
 * Runs the migrations that this database has not seen, in order (§2.14). Each is recorded when it is done; one that was
 * interrupted continues. Several processes may call it at once. Logs migrations that have changed since.
 */
export async function migrateContent(
  ctx: Context,
  content: MovableContent,
  { migrations, pending: what = 'run', isDryRun = false, onProgress = () => {}, onDone = () => {} }: MigrateOptions,
): Promise<MigrationReport[]> {
  // `as`: the options carry migrations without knowing what they are given; `defineMigration` does.
  const all = migrations as readonly ContentMigration[]
  assertNames(all)
  const pending = await pendingOf(ctx, all)
  if (pending.length === 0) {
    await content.refresh(ctx.store)
    return []
  }
  // A new database has no content to change, and no names of former times.
  if ((await ctx.store.locales.types()).length === 0) {
    for (const migration of pending) await finish(ctx, migration)
    return []
  }
  const names = pending.map(({ name }) => name).join(', ')
  if (what === 'refuse') throw new UnusableDatabase(`There are content migrations to run: ${names}. Run: quire migrate`)
  if (what === 'log') {
    ctx.log.warn({}, `There are content migrations to run: ${names}. When they are finished, run: quire migrate`)
    return []
  }
  const reports: MigrationReport[] = []
  const logProgress = progressLog(ctx)
  for (const migration of pending) {
    const named = { ...ctx, actor: { kind: 'operator', name: `Migration ${migration.name}` } as const }
    const run = new MigrationRun({
      ctx: named,
      content,
      migration,
      isDryRun,
      isPassing: migration !== pending.at(-1),
      onProgress: (done, total) => {
        onProgress(migration.name, done, total)
        logProgress(migration.name, done, total)
      },
    })
    await runAll(migration, run).catch((error) => fail(migration, error))
    if (!isDryRun) await finish(named, migration)
    const report = { name: migration.name, steps: run.reports }
    reports.push(report)
    onDone(report)
    const changed = run.reports.map(({ title, changed }) => `${title}: ${changed}`)
    if (!isDryRun) ctx.log.info({ migration: migration.name, changed }, 'A content migration was run.')
  }
  return reports
}

async function runAll({ up }: ContentMigration, run: MigrationRun): Promise<void> {
  await up(run)
  await run.finish()
}

/** How often a long migration is logged. */
const LOG_MILLISECONDS = 5000

function progressLog({ log }: Context): NonNullable<MigrateOptions['onProgress']> {
  let logged = performance.now()
  return (migration, done, total) => {
    if (performance.now() - logged < LOG_MILLISECONDS) return
    logged = performance.now()
    log.info({ migration, done, total }, 'Migrating content. The service starts when this is finished.')
  }
}

function assertNames(migrations: readonly ContentMigration[]): void {
  const names = migrations.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw invalid(`Two content migrations have the name ${twice}.`)
}

async function pendingOf(
  { store, log }: Context,
  migrations: readonly ContentMigration[],
): Promise<readonly ContentMigration[]> {
  const known = new Map((await store.contentMigrations.all()).map((one) => [one.name, one]))
  const changed = migrations.filter((migration) => hasChanged(migration, known.get(migration.name)))
  if (changed.length > 0) {
    const names = changed.map(({ name }) => name)
    log.warn({ names }, 'Content migrations have changed since they were run. They are not run again: add new ones.')
  }
  return migrations.filter(({ name }) => (known.get(name)?.finishedAt ?? null) === null)
}

function hasChanged({ checksum = '' }: ContentMigration, known: StoredMigration | undefined): boolean {
  return known !== undefined && known.finishedAt !== null && known.checksum !== checksum
}

function finish(ctx: Context, migration: ContentMigration): Promise<void> {
  return write(ctx, async (ctx) => {
    await ctx.tx.contentMigrations.lock()
    const stored = await ctx.tx.read.contentMigrations.get(migration.name)
    if (stored !== null && stored.finishedAt !== null) return
    await recordProgress(ctx, migration, { stored, progress: progressOf(stored), isFinished: true })
  })
}

const ADVICE = 'Its changes so far remain. Correct it and start again: it continues from there.'

function fail({ name }: ContentMigration, error: unknown): never {
  if (!(error instanceof CmsError)) throw error
  throw invalid(`Content migration ${name}: ${error.message} ${ADVICE}`, { ...error.data })
}
