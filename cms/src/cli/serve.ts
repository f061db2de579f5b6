import { late } from '../base/late.ts'
import type { Type } from '../model/types.ts'
import type { App } from '../service.ts'
import type { ListedDocument, View } from '../store/store.ts'
import type { AdminKey } from './admin-key.ts'
import { command } from './command.ts'
import { type Address, address, appOptions, type Environment, metricsPortOf, workerCount } from './environment.ts'
import { serviceLog } from './log.ts'
import { optionsOfExisting } from './lost-database.ts'
import { RunningProcess } from './running-process.ts'
import { loadSite, type Seed, siteOption } from './site-module.ts'
import { exampleTypes, welcome, withoutPassword } from './welcome.ts'
import type { ThisWorker } from './worker.ts'
import { boundYoungGeneration, keepYoungGenerationSmall } from './young-generation.ts'

const createAdminFromEnvironment = late(() => import('./first-admin.ts'), 'createAdminFromEnvironment')
const promptForFirstAdmin = late(() => import('./first-admin.ts'), 'promptForFirstAdmin')
const ensureAdminKey = late(() => import('./admin-key.ts'), 'ensureAdminKey')
const thisWorker = late(() => import('./worker.ts'), 'thisWorker')
const serveByWorkers = late(() => import('./serve-by-workers.ts'), 'serveByWorkers')
const serveMetrics = late(() => import('./serve-metrics.ts'), 'serveMetrics')

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
    workers: {
      type: 'string',
      description: 'How many processes serve (QUIRE_WORKERS; default 1), or auto: one for each processor',
      valueHint: 'number',
    },
    dev: { type: 'boolean', description: 'Read changed template files again, and show in the page what fails' },
    new: { type: 'boolean', description: 'Begin with an empty database even though there are uploads' },
  },
  async run({ args }) {
    const worker = process.env.QUIRE_WORKER === undefined ? null : await thisWorker(process.env)
    const listen = { ...address(args, process.env), metricsPort: metricsPortOf(process.env) }
    const count = workerCount(args.workers, process.env)
    if (worker === null && count > 1) return serveByWorkers(count, listen, serviceLog())
    try {
      await serveSite({ site: args.site, isNew: args.new === true, development: args.dev === true, ...listen }, worker)
    } catch (error) {
      worker?.failed()
      throw error
    }
  },
})

/** What to serve, and where. */
interface Serving extends Address {
  readonly metricsPort: number | null
  readonly site: string | undefined
  /** Begins with an empty database even though there are uploads. */
  readonly isNew: boolean
  readonly development: boolean
}

async function serveSite(serving: Serving, worker: ThisWorker | null): Promise<void> {
  keepYoungGenerationSmall()
  const { port, host, metricsPort, development } = serving
  const log = serviceLog()
  const running = new RunningProcess(worker, log)
  const options = serving.isNew ? appOptions(process.env) : await optionsOfExisting(process.env)
  const [{ createApp, uploadsOf }, { site, seed }] = await Promise.all([
    import('../app.ts'),
    loadSite(serving.site, process.env),
  ])
  const app = await createApp(site, { ...options, ...running.options, development, log })
  running.opened(app)
  const key = worker?.isFirst === false ? null : await prepareOnce(app, seed, options.keys.length > 0)
  const shown = shownAddress(await app.listen(port, host), host)
  boundYoungGeneration()
  if (worker === null && metricsPort !== null) await serveMetrics(metricsPort, host, () => running.metrics.collect())
  const { database } = options
  running.listens({ site: app.site.name, address: shown, database, uploads: uploadsOf(options) })
  if (worker?.isFirst === false) return
  const example = await exampleOf(app)
  console.log(welcome({ site: app.site, address: shown, database: withoutPassword(database), key, example }))
}

/** What one of all processes does before anything is served: the first content, the first admin, the first key. */
async function prepareOnce(app: App, seed: Seed | null, hasKeys: boolean): Promise<AdminKey | null> {
  if (seed !== null && (await isEmpty(app))) await seedNow(app, seed)
  if (namesAdmin(process.env)) await createAdminFromEnvironment(app, process.env)
  const key = hasKeys ? null : await ensureAdminKey(app.store, new Date())
  if (key !== null && key.created !== null && isAtTerminal()) await promptForFirstAdmin(app)
  return key
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
  const { progress } = await import('./progress.ts')
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
