import { createApp } from '../app.ts'
import type { Log } from '../base/log.ts'
import { counted, withoutPassword } from '../base/text.ts'
import { migrateContent as runMigrations } from '../engine/content-migrations/migrate-content.ts'
import type { MigrateOptions, MigrationReport } from '../engine/content-migrations/migrate-options.ts'
import { movePalettes } from '../engine/styles/move-palettes.ts'
import { compileSite } from '../model/compile/site.ts'
import type { SiteDeclaration } from '../model/compile/site-options.ts'
import { openUploads } from '../service.ts'
import type { TablesState } from '../store/database/tables-state.ts'
import { migrate, planMigrations } from '../store/migrate-store.ts'
import { TABLES_VERSION } from '../store/migrations/index.ts'
import type { OpenOptions } from '../store/open-store.ts'
import { command } from './command/command.ts'
import { loadContentMigrations, writeNewMigration } from './command/content-migrations.ts'
import { UsageError } from './command/failure.ts'
import { printed, quietLog } from './command/json-log.ts'
import { optionsOfExisting, optionsOfFound, optionsOfStored } from './command/lost-database.ts'
import { operatorContext, withApp } from './command/operator.ts'
import { progress } from './command/progress.ts'
import { findSite, loadSite, siteFile, siteOption } from './command/site-module.ts'
import { withStoredContent } from './command/with-stored-content.ts'

/** The types whose documents held the global styles before there were styles. */
const PALETTES = ['@apostrophecms-pro/palette', '@apostrophecms/palette', '@cms/palette']

/**
 * `quire migrate`: brings the tables of the database up to date, then the content by the site's own migrations (§2.14).
 * `quire migrate new NAME`: begins such a migration. `quire migrate palette`: moves former styles (§9).
 */
export const migrateCommand = command({
  meta: { name: 'migrate', description: 'Bring the database and its content up to date (QUIRE_DATABASE)' },
  args: {
    what: {
      type: 'positional',
      required: false,
      description:
        '"new" writes the file of a content migration; "palette" moves the values of palette documents to the styles',
    },
    name: { type: 'positional', required: false, description: 'new: what the migration does, in some words' },
    plan: {
      type: 'boolean',
      description: 'Report which migrations would be run, and who would notice; change nothing',
    },
    additive: { type: 'boolean', description: 'Run no migration that stops older processes: fail instead' },
    'dry-run': { type: 'boolean', description: 'Show what content migrations would change; change nothing' },
    force: { type: 'boolean', description: 'palette: move what can be moved, and delete all other values' },
    ...siteOption,
  },
  async run({ args }) {
    assertMeant(args)
    if (args.what === 'new') return writeNew(args.site, args.name)
    if (args.what === 'palette') return migratePalettes(args.site, args.force === true)
    if (args.what !== undefined)
      throw new UsageError(`There is no "${args.what}": quire migrate takes "new" and "palette".`)
    if (args['dry-run'] === true) return dryRun(args.site)
    if (args.plan === true) return printPlan(args.site)
    await migrateTables(args.additive === true)
    await migrateContent(args.site)
  },
})

/** Options about the database, which `new` and `palette` refuse: somebody who gives one expects that nothing is changed. */
const OF_DATABASE = ['plan', 'additive', 'dry-run'] as const

/** Throws where an option is given with something that it is not for. */
function assertMeant(
  args: { readonly what?: string | undefined } & { readonly [Name in (typeof OF_DATABASE)[number]]?: unknown },
): void {
  const given = OF_DATABASE.filter((name) => args[name] === true)
  if (args.what !== undefined && given.length > 0)
    throw new UsageError(`quire migrate ${args.what} takes no --${given.join(', no --')}. Nothing was changed.`)
  if (given.length > 1) throw new UsageError(`Give one of --${given.join(', --')}. Nothing was changed.`)
}

const infoLog: Log = { ...quietLog, info: printed('error') }

async function migrateTables(onlyAdditive: boolean): Promise<void> {
  const options = await optionsOfExisting(process.env)
  const { database, ...others } = { ...options, log: infoLog }
  if (onlyAdditive) await assertAdditive(database, others)
  const steps = await migrate(database, others)
  const done = steps.length === 0 ? 'nothing to do' : `done: ${steps.join(', ')}`
  console.log(`${withoutPassword(database)} is up to date (${done}).`)
}

/** Throws where processes of older programs would be shut out. */
async function assertAdditive(database: string, options: OpenOptions): Promise<void> {
  const { pending, pauses } = await planMigrations(database, options)
  if (!pauses) return
  const names = pending.filter(({ kind }) => kind === 'exclusive').map(({ name }) => name)
  throw new UsageError(
    `Older processes cannot run alongside ${names.join(', ')}. Nothing was changed. Stop them, then run: quire migrate`,
  )
}

async function printPlan(site: string | undefined): Promise<void> {
  const options = await optionsOfFound(process.env)
  const { state, pending, pauses, finished } = await planMigrations(options.database, { ...options, log: infoLog })
  const found = findSite(site, process.env)
  const migrations = found === null ? [] : await loadContentMigrations(found)
  const content = migrations.map(({ name }) => name).filter((name) => !finished.includes(name))
  const shown = withoutPassword(options.database)
  console.log(`${shown} is at version ${state.version} of the tables, this program knows ${TABLES_VERSION}.`)
  for (const { name, kind } of pending) console.log(`  ${name}  ${kind}`)
  for (const name of content) console.log(`  ${name}  content`)
  console.log(adviceOf(state, pauses, pending.length + content.length))
  if (content.length > 0) console.log(OF_CONTENT)
}

function adviceOf({ version }: TablesState, pauses: boolean, count: number): string {
  if (version === 0) return 'The database is new: start the service, or run quire migrate.'
  if (pauses)
    return 'This release needs a pause: older processes answer 503 and stop as soon as the tables are migrated. Stop them, back up, run quire migrate, then start the new ones.'
  if (count > 0)
    return 'This release pauses nobody: run quire migrate, start new processes, then stop the old ones one by one.'
  return version > TABLES_VERSION
    ? 'There is nothing to do: a newer program has added what this one does not need, and this one may keep running.'
    : 'There is nothing to do. This release pauses nobody: start new processes, then stop the old ones one by one.'
}

const OF_CONTENT = 'Processes with the former site go on while content is migrated, and show renamed fields as blank.'

/** Runs the content migrations; without a site here, there are only tables. */
async function migrateContent(site: string | undefined): Promise<void> {
  const found = findSite(site, process.env)
  const migrations = found === null ? [] : await loadContentMigrations(found)
  if (migrations.length === 0) return
  const { site: declaration } = await loadSite(site, process.env)
  const reports: MigrationReport[] = []
  const contentMigrations = { migrations, ...shown(), onDone: (report: MigrationReport) => reports.push(report) }
  const app = await createApp(declaration, {
    ...(await optionsOfExisting(process.env)),
    log: infoLog,
    contentMigrations,
  })
  await app.close()
  printReports(reports)
  if (reports.length === 0) console.log('All content migrations were run before.')
}

async function dryRun(site: string | undefined): Promise<void> {
  const migrations = await loadContentMigrations(siteFile(site, process.env))
  const { site: declaration } = await loadSite(site, process.env)
  const reports = await dryRunMigrations(declaration, { migrations, isDryRun: true, ...shown() })
  printReports(reports)
  console.log(
    reports.length === 0 ? 'There are no content migrations to run.' : 'Nothing was changed: this was a dry run.',
  )
}

/** The changes that content migrations would make, if the database were served with this site now. Changes nothing. */
async function dryRunMigrations(declaration: SiteDeclaration, options: MigrateOptions): Promise<MigrationReport[]> {
  const site = compileSite(declaration)
  const service = { ...(await optionsOfStored(process.env)), log: quietLog }
  return withStoredContent(service, site, async (store, content) => {
    const files = await openUploads(site, service)
    try {
      return await runMigrations(await operatorContext({ site, store, files }), content, options)
    } finally {
      await files.close()
    }
  })
}

/** A bar for each migration. */
function shown(): Pick<MigrateOptions, 'onProgress'> {
  const bars = new Map<string, ReturnType<typeof progress>>()
  return {
    onProgress: (migration, done, total) => {
      const bar = bars.get(migration) ?? progress(migration)
      bars.set(migration, bar)
      bar(Math.min(done, total), total)
    },
  }
}

function printReports(reports: readonly MigrationReport[]): void {
  for (const { name, steps } of reports) {
    console.log(name)
    for (const { title, changed, examples } of steps) {
      console.log(`  ${title}: ${counted(changed, 'document')}`)
      for (const example of examples) console.log(`    ${example}`)
    }
  }
}

async function writeNew(site: string | undefined, name = ''): Promise<void> {
  console.log(`Written: ${await writeNewMigration(siteFile(site, process.env), name)}`)
}

async function migratePalettes(site: string | undefined, force: boolean): Promise<void> {
  const { moved, leftOut } = await withApp(site, (ctx) => movePalettes(ctx, new Set(PALETTES), { force }))
  for (const problem of leftOut) console.error(`${force ? 'Deleted' : 'Would be lost'}: ${problem}`)
  if (leftOut.length > 0 && !force) {
    throw new UsageError(
      'Nothing was moved. Correct the style fields or the values, or lose these values with --force.',
    )
  }
  console.log(
    moved.length === 0
      ? 'There are no palette documents.'
      : `Moved to styles: ${moved.map(({ locale, mode }) => `${locale}:${mode}`).join(', ')}.`,
  )
}
