import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { late } from '../base/late.ts'
import type { MigrateOptions } from '../engine/content-migrations/migrate-content.ts'
import type { Type } from '../model/types.ts'
import type { App } from '../service.ts'
import type { ListedDocument, View } from '../store/store.ts'
import { ensureAdminKey } from './admin-key.ts'
import { command } from './command.ts'
import { address, appOptions, type Environment } from './environment.ts'
import { serviceLog } from './log.ts'
import { optionsOfExisting } from './lost-database.ts'
import { progress } from './progress.ts'
import { loadSite, type Seed, siteFile, siteOption } from './site-module.ts'
import { exampleTypes, welcome, withoutPassword } from './welcome.ts'
import { boundYoungGeneration, keepYoungGenerationSmall } from './young-generation.ts'

const loadContentMigrations = late(() => import('./content-migrations.ts'), 'loadContentMigrations')
const createAdminFromEnvironment = late(() => import('./first-admin.ts'), 'createAdminFromEnvironment')
const promptForFirstAdmin = late(() => import('./first-admin.ts'), 'promptForFirstAdmin')

/** `quire serve`: opens the database, migrates it, seeds an empty one, and serves requests. */
export const serve = command({
  meta: { name: 'serve', description: 'Serve the site over HTTP' },
  args: {
    ...siteOption,
    port: {
      type: 'string',
      description: 'The port to listen on (PORT; default 3000, 0 for any free one)',
      valueHint: 'number',
    },
    host: { type: 'string', description: 'The address to listen on (HOST; default localhost)', valueHint: 'name' },
    dev: { type: 'boolean', description: 'Read changed template files again, and show in the page what fails' },
    new: { type: 'boolean', description: 'Begin with an empty database even though there are uploads' },
  },
  async run({ args }) {
    keepYoungGenerationSmall()
    const { port, host } = address(args, process.env)
    const options = args.new === true ? appOptions(process.env) : await optionsOfExisting(process.env)
    const [{ createApp }, { site, seed }] = await Promise.all([import('../app.ts'), loadSite(args.site, process.env)])
    const contentMigrations = await contentMigrationsOf(args.site)
    const app = await createApp(site, {
      ...options,
      development: args.dev === true,
      log: serviceLog(),
      ...(contentMigrations && { contentMigrations }),
    })
    stopOnSignals(app)
    if (seed !== null && (await isEmpty(app))) await seedNow(app, seed)
    if (namesAdmin(process.env)) await createAdminFromEnvironment(app, process.env)
    const key = options.keys.length > 0 ? null : await ensureAdminKey(app.store, new Date())
    if (key !== null && key.created !== null && isAtTerminal()) await promptForFirstAdmin(app)
    const listening = shownAddress(await app.listen(port, host), host)
    boundYoungGeneration()
    const example = await exampleOf(app)
    console.log(
      welcome({ site: app.site, address: listening, database: withoutPassword(options.database), key, example }),
    )
  },
})

/** The site's content migrations, where it has a folder of them; with QUIRE_MIGRATE=0 none may be left to run. */
async function contentMigrationsOf(site: string | undefined): Promise<MigrateOptions | null> {
  const path = siteFile(site, process.env)
  if (!existsSync(join(dirname(path), 'migrations'))) return null
  return { migrations: await loadContentMigrations(path), isRefused: process.env.QUIRE_MIGRATE === '0' }
}

function namesAdmin({
  QUIRE_ADMIN_USERNAME: username = '',
  QUIRE_ADMIN_PASSWORD: password = '',
}: Environment): boolean {
  return username.trim() !== '' || password !== ''
}

function isAtTerminal(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY
}

/** The address as one would type it on this machine. */
function shownAddress(listening: string, host: string): string {
  const isEverywhere = host === '0.0.0.0' || host === '::'
  return `http://${isEverywhere ? 'localhost' : host}:${new URL(listening).port || '80'}`
}

async function seedNow(app: App, seed: Seed): Promise<void> {
  await seed(app, progress('Writing the first content'))
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

/** Any document of a view, however many there are. */
async function someOf(app: App, view: View): Promise<ListedDocument | undefined> {
  const [first] = await app.store.documents.bySlug(view, '', 1)
  return first
}

/** Stops gracefully at the first signal, for at most as long as the options say, and at once at the second one. */
function stopOnSignals(app: App): void {
  let isStopping = false
  const stop = () => {
    if (isStopping) process.exit(1)
    isStopping = true
    app.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
}
