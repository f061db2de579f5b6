import { existsSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { dirname, join } from 'node:path'
import { createApp } from '../../app.ts'
import type { Log } from '../../base/log.ts'
import { withoutPassword } from '../../base/text.ts'
import type { MigrateOptions } from '../../engine/content-migrations/migrate-options.ts'
import { isLeased } from '../../engine/lease.ts'
import type { Type } from '../../model/declared/types.ts'
import { type App, type AppOptions, uploadsOf } from '../../service.ts'
import type { ListedDocument, View } from '../../store/contract/store.ts'
import { type AdminKey, ensureAdminKey } from '../accounts/admin-key.ts'
import { createAdminFromEnvironment, promptForFirstAdmin } from '../accounts/users.ts'
import { loadContentMigrations } from '../command/content-migrations.ts'
import { appOptions, type Environment, replicaOptions, runsMigrations } from '../command/environment.ts'
import { optionsOfExisting } from '../command/lost-database.ts'
import { FIRST_CONTENT, loadSite, type Seed, siteFile } from '../command/site-module.ts'
import { aloneWith, isDone, runSeed } from './run-seed.ts'
import { exampleTypes, welcome } from './welcome.ts'

/** How a service is opened. */
interface OpenOptions
  extends Pick<
    AppOptions,
    'development' | 'accessLog' | 'timeouts' | 'metrics' | 'processes' | 'isInBackground' | 'whenOutdated'
  > {
  /** The module of the site, as `--site` names it. */
  readonly site: string | undefined
  /** Begin with an empty database even though there are uploads. */
  readonly isNew: boolean
  readonly log: Log
  /** Another process has made what a first start needs. */
  readonly isPrepared?: boolean
  /** Called as soon as there is something to close. */
  readonly onOpen: (app: App) => void
}

/** A service that is ready to listen. */
interface OpenedService {
  readonly app: App
  /** The address of its database. */
  readonly database: string
  /** Where its uploads are. */
  readonly uploads: string
  /** The admin key of this folder; null where the environment has keys, or another process has made it. */
  readonly key: AdminKey | null
}

/** Opens the database, migrates it, and makes what a first start needs: content, an admin user, an admin key. */
export async function openService(env: Environment, options: OpenOptions): Promise<OpenedService> {
  const { site: named, isNew, isPrepared = false, onOpen, ...rest } = options
  const fromEnvironment = isNew ? appOptions(env) : await optionsOfExisting(env)
  const { site, seed } = await loadSite(named, env)
  const contentMigrations = await contentMigrationsOf(env, options)
  const app = await createApp(site, {
    ...fromEnvironment,
    ...replicaOptions(env),
    ...rest,
    ...(contentMigrations && { contentMigrations }),
    tellsAtStart: !isPrepared,
  })
  onOpen(app)
  const hasKeys = fromEnvironment.keys.length > 0
  const key = isPrepared ? null : await prepare(app, env, { seed, hasKeys })
  return { app, database: fromEnvironment.database, uploads: uploadsOf(fromEnvironment), key }
}

/** Makes what a first start needs; the admin key of this folder. */
async function prepare(
  app: App,
  env: Environment,
  { seed, hasKeys }: { readonly seed: Seed | null; readonly hasKeys: boolean },
): Promise<AdminKey | null> {
  if (seed !== null) await seedOnce(app, seed)
  await createAdminFromEnvironment(app, env)
  const key = hasKeys ? null : await ensureAdminKey(app.store, app.store.now())
  if (key !== null && key.created !== null && isAtTerminal()) await promptForFirstAdmin(app)
  return key
}

/**
 * The site's content migrations, where it has a folder of them. With QUIRE_MIGRATE=0 none may be left to run; while a
 * site is written, they are only reported: they may not be finished.
 */
async function contentMigrationsOf(
  env: Environment,
  { site, development = false }: OpenOptions,
): Promise<MigrateOptions | null> {
  const path = siteFile(site, env)
  const runs = runsMigrations(env)
  if (!existsSync(join(dirname(path), 'migrations'))) return null
  const pending = development ? 'log' : runs ? 'run' : 'refuse'
  return { migrations: await loadContentMigrations(path), pending }
}

/** The block that is printed at a terminal when a service listens. */
export async function welcomeTo({ app, database, key }: OpenedService, address: string): Promise<string> {
  return welcome({ site: app.site, address, database: withoutPassword(database), key, example: await exampleOf(app) })
}

/** The address as one would type it on this machine. */
export function shownAddress(port: number, host: string): string {
  const isEverywhere = host === '0.0.0.0' || host === '::'
  return `http://${isEverywhere ? 'localhost' : isIPv6(host) ? `[${host}]` : host}:${port}`
}

function isAtTerminal(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY
}

/**
 * Seeds an empty database, once. Of several processes that start at once, one does, and the others wait for it. What
 * fails has written nothing, and is tried again by the next start.
 */
async function seedOnce(app: App, seed: Seed): Promise<void> {
  const ctx = app.context({ kind: 'operator' })
  const isNew = async () => !(await isDone(ctx, FIRST_CONTENT)) && (await isEmpty(app))
  if (!(await isNew()) && !(await isLeased(ctx, FIRST_CONTENT))) return
  await aloneWith(ctx, FIRST_CONTENT, async () => {
    if (await isNew()) await runSeed(app, seed, 'Writing the first content')
  })
}

/** True when none of the site's own types has a document. */
async function isEmpty(app: App): Promise<boolean> {
  for (const type of exampleTypes(app.site)) {
    const locales = type.localized ? [...app.site.locales.keys()] : ['']
    const modes = type.localized ? (['draft', 'published'] as const) : (['published'] as const)
    for (const locale of locales) {
      for (const mode of modes) {
        const view = { type: type.name, locale, mode, archived: 'any', visibility: null } as const
        if (await someOf(app, view)) return false
      }
    }
  }
  return true
}

/** A public type and a word of a title in it, so that the printed search finds something. */
async function exampleOf(app: App): Promise<{ type: Type; word: string } | null> {
  const type = exampleTypes(app.site).find((each) => each.publicProjection !== null)
  if (type === undefined) return null
  const locale = type.localized ? app.site.defaultLocale : ''
  const view = { type: type.name, locale, mode: 'published', archived: false, visibility: 'public' } as const
  const words = ((await someOf(app, view))?.title ?? type.label).match(/\p{L}+/gu) ?? [type.name]
  return { type, word: words.reduce((longest, word) => (word.length > longest.length ? word : longest)).toLowerCase() }
}

/** Returns any document of a view. */
async function someOf(app: App, view: View): Promise<ListedDocument | undefined> {
  const [first] = await app.store.documents.bySlug(view, '', 1)
  return first
}
