// Longer than other files: it is where all parts of a service are put together, and the only place that knows them all.

import { setTimeout as pause } from 'node:timers/promises'
import { CacheMemory } from './base/bounded-cache.ts'
import type { Log } from './base/log.ts'
import { Metrics } from './base/metrics.ts'
import { backgroundWork, closeAll } from './base/patience.ts'
import { startTracing } from './base/tracing.ts'
import { runOperation } from './content.ts'
import { authentication } from './engine/access/authenticate.ts'
import { asMethod } from './engine/acting.ts'
import { migrateContent } from './engine/content-migrations/migrate-content.ts'
import type { Acting, Content, ContentOptions } from './engine/content-operations.ts'
import type { Context } from './engine/context.ts'
import { newContexts } from './engine/contexts.ts'
import { Embeds } from './engine/embeds/embeds.ts'
import { hookRunner } from './engine/hook-runner.ts'
import { logNotServed, logUnreachedPages } from './engine/lists/not-served.ts'
import { rebuildIndex } from './engine/lists/reindex.ts'
import { startSearchRefresh } from './engine/lists/search-index.ts'
import { makeSingletons } from './engine/operations/singletons.ts'
import { openTemplates } from './engine/rendering/template-files.ts'
import { startJobs } from './engine/run-jobs.ts'
import { DeclaredContent } from './engine/values/declared-content.ts'
import { isIndexStale } from './engine/values/index-state.ts'
import { access } from './features/access/feature.ts'
import { agents } from './features/agents/feature.ts'
import { agentRoutes } from './features/agents/mcp-route.ts'
import { delivery } from './features/delivery/feature.ts'
import { documents } from './features/documents/feature.ts'
import { editor } from './features/editor/feature.ts'
import { embeds } from './features/embeds/feature.ts'
import type { Feature } from './features/feature.ts'
import { jobs } from './features/jobs/feature.ts'
import { locales } from './features/locales/feature.ts'
import { media } from './features/media/feature.ts'
import { pages } from './features/pages/feature.ts'
import { pieces } from './features/pieces/feature.ts'
import { proposals } from './features/proposals/feature.ts'
import { purging } from './features/purging/feature.ts'
import { scheduling } from './features/scheduling/feature.ts'
import { schema } from './features/schema/feature.ts'
import { styles } from './features/styles/feature.ts'
import { urls } from './features/urls/feature.ts'
import { versions } from './features/versions/feature.ts'
import { webhooks } from './features/webhooks/feature.ts'
import { xliff } from './features/xliff/feature.ts'
import { shareOfCapacity } from './http/load/load.ts'
import { TIMEOUTS } from './http/load/sockets.ts'
import { monitoringRoutes } from './http/openapi/monitoring-routes.ts'
import { openApiRoute, serviceRoutes } from './http/openapi/service-routes.ts'
import { AccessLog } from './http/pipeline/access-log.ts'
import { currentRoute } from './http/pipeline/request-watch.ts'
import { createServer, type Server, type ServerOptions } from './http/pipeline/server.ts'
import { appMetrics, processMetrics } from './http/pipeline/service-metrics.ts'
import type { SitePlugins } from './http/pipeline/site-plugins.ts'
import { ofSite, type Route } from './http/requests/route.ts'
import { compileSite, type SiteDeclaration } from './model/compile/site.ts'
import { assertPurges, withPurgeToken } from './model/declared/purge.ts'
import type { ModelOf } from './model/declared/site-model.ts'
import type { Site } from './model/declared/types.ts'
import { type App, type AppOptions, openUploads } from './service.ts'
import { open } from './store/open-store.ts'

export type { EnvironmentKey } from './engine/access/authenticate.ts'

export type { App, AppOptions } from './service.ts'

/** The built-in features, in the order in which their hooks run. */
const builtInFeatures: readonly Feature[] = [
  access,
  pieces,
  pages,
  documents,
  locales,
  xliff,
  media,
  versions,
  proposals,
  embeds,
  styles,
  urls,
  editor,
  delivery,
  jobs,
  webhooks,
  purging,
  scheduling,
  schema,
  agents,
]

/** A running service of a site whose types are known: what `createApp` makes. */
export interface SiteApp<Site extends SiteDeclaration> extends App {
  /**
   * The site's content, for one who acts: `app.as({ role: 'editor', name: 'Import' }).find('article')`, or
   * `{ user: id }`. In the default locale, published, unless `defaults` say otherwise.
   */
  as(acting: Acting, defaults?: ContentOptions<ModelOf<Site>['locale']>): Content<Site>
}

/**
 * Compiles a site, opens its database and uploads, and brings stored content up to date. Returns the service, which
 * answers requests once `listen` is called. Throws `ConfigurationError` with all mistakes of the site, `unavailable`
 * when the database cannot be reached.
 */
export async function createApp<Declaration extends SiteDeclaration>(
  declaration: Declaration,
  options: AppOptions,
): Promise<SiteApp<Declaration>> {
  const compiled = withPurgeToken(compileSite(declaration), options.purgeToken)
  // In development the cache in front of the public site is left alone.
  const site = options.development ? { ...compiled, purge: null } : compiled
  const log = options.log ?? silent
  await startTracing(log)
  const files = await openUploads(site, { ...options, log })
  const content = new DeclaredContent(site)
  const metrics = options.metrics ?? new Metrics()
  const store = await open(options.database, {
    slowStatementMs: SLOW_STATEMENT_MS,
    ...options,
    log,
    metrics,
    form: content,
    routeOf: () => currentRoute(site.prefix),
    ...(options.isTrial ? { migrate: false } : { recordsPurges: site.purge !== null }),
  })
  try {
    await (options.isTrial ? content.preview(store) : content.record(store))
    const templates = await openTemplates(site, { isDevelopment: options.development ?? false })
    const app = await assemble(site, { store, files, templates, metrics, log, content }, options)
    return { ...app, as: (...who) => app.context({ kind: 'anonymous' }).as<Declaration>(...who) }
  } catch (error) {
    await files.close()
    await store.close()
    throw error
  }
}

/** The parts of a service that are opened first. */
type OpenedParts = Pick<Context, 'store' | 'files' | 'templates' | 'metrics' | 'log'> & {
  readonly content: DeclaredContent
}

/** Puts the parts together, prepares the content, and begins the work that needs no requests. */
async function assemble(site: Site, machine: OpenedParts, options: AppOptions): Promise<App> {
  // `as`: the model carries a site's features without knowing what they are; site.ts has checked their shape.
  const features = [...builtInFeatures, ...(site.features as readonly Feature[])]
  const hooks = hookRunner(
    features.map((feature) => feature.hooks),
    site,
    machine.log,
  )
  const memory = new CacheMemory(cacheBytesOf(options))
  machine.metrics.add(() => appMetrics(hooks, { answers: memory }))
  machine.metrics.add(processMetrics)
  let isStopping = false
  const routes = routesOf(site, features, () => isStopping)
  const as = asMethod((...call) => runOperation(routes, ...call))
  const { log, store } = machine
  const networks = options.embedNetworks ?? []
  const context = newContexts({
    ...machine,
    site,
    hooks,
    as,
    embeds: new Embeds({ providers: site.embedProviders, networks, log, now: () => store.now() }),
    memory,
    staticBaseUrl: options.staticBaseUrl ?? site.staticBaseUrl,
  })
  const operator = context({ kind: 'operator' })
  const server = await serverOf(site, { ...machine, routes, memory, context, operator }, options)
  if (!options.isTrial) await prepareContent(operator, machine.content, options)
  const search = startSearchRefresh(operator, options.isTrial ? () => false : options.isInBackground)
  const jobs = features.flatMap((feature) => feature.jobs?.(site) ?? [])
  const background = backgroundWork(
    () => [startJobs(operator, jobs), ...features.flatMap((feature) => feature.serve?.(operator) ?? [])],
    options.timeouts?.background ?? TIMEOUTS.background,
  )
  return {
    site,
    store: machine.store,
    routes,
    context: (actor) => context(actor),
    hookFailures: () => hooks.failures(),
    jobs,
    listen: async (port, host = 'localhost') => {
      assertPurges(site)
      const address = await server.listen(port, host)
      background.start()
      return address
    },
    close: async () => {
      isStopping = true
      await closeService(operator, { server, background, search }, options)
    },
  }
}

/** The server of a service, not listening yet. */
async function serverOf(
  site: Site,
  parts: OpenedParts & Pick<ServerOptions, 'routes' | 'memory' | 'context'> & { readonly operator: Context },
  options: AppOptions,
): Promise<Server> {
  const { store, files, log, metrics, routes, memory, context, operator } = parts
  return createServer({
    site,
    routes,
    store,
    files,
    log,
    metrics,
    ...authentication(operator, options.keys ?? []),
    frontKey: options.frontKey,
    context,
    // `as`: the model carries the function without knowing the framework; site.ts has checked that it is one.
    plugins: site.fastify as SitePlugins | undefined,
    ...(options.timeouts === undefined ? {} : { timeouts: options.timeouts }),
    capacity: { ...shareOfCapacity(site.limits, options.processes ?? 1), ...options.capacity },
    memory,
    accessLog: options.accessLog === undefined ? null : new AccessLog(options.accessLog),
  })
}

/** Brings stored content to the state that this site needs before the first answer; the log says what is not served. */
async function prepareContent(
  operator: Context,
  content: DeclaredContent,
  { contentMigrations, tellsAtStart = true }: AppOptions,
): Promise<void> {
  const { store, hooks } = operator
  await store.startUp(async () => {
    if (contentMigrations) await migrateContent(operator, content, contentMigrations)
    if (await isIndexStale(store)) await rebuildIndex(operator)
    await makeSingletons(operator, content)
    await hooks.run('onStart', operator)
  })
  if (!tellsAtStart) return
  await logNotServed(operator)
  await logUnreachedPages(operator)
}

/** The parts of a service that take or begin work of their own. */
interface Working {
  readonly server: Server
  readonly background: ReturnType<typeof backgroundWork>
  readonly search: ReturnType<typeof startSearchRefresh>
}

/** Closes the parts of a service, those that use others before these. */
async function closeService(operator: Context, { server, background, search }: Working, options: AppOptions) {
  const { store, files, hooks, log } = operator
  const { drain, close } = { ...TIMEOUTS, ...options.timeouts }
  await pause(drain)
  await closeAll(log, close, [
    ['requests and plugins', () => server.close()],
    ['jobs and deliveries', background.stop],
    ['hooks after commits', () => hooks.idle()],
    ['the search index', () => search.stop()],
    ['onStop', async () => options.isTrial || hooks.run('onStop', operator)],
    ['uploads', () => files.close()],
    ['the database', () => store.close()],
  ])
}

/** The routes of all features, and those of the service itself, which describe and watch over it. */
function routesOf(site: Site, features: readonly Feature[], isStopping: () => boolean): readonly Route[] {
  const routes = [
    ...features.flatMap((feature) => {
      const routes = feature.routes?.(site) ?? []
      return site.features.includes(feature) ? routes.map(ofSite) : routes
    }),
    ...monitoringRoutes(isStopping),
    ...serviceRoutes(site),
  ]
  const all = [...routes, ...agentRoutes(site, routes)]
  return [...all, openApiRoute(site, all)]
}

const silent: Log = { info: () => {}, warn: () => {}, error: () => {} }

/** Returns the bytes of the caches; none in development, where answers may change without a commit. */
function cacheBytesOf({ development, cacheBytes = CACHE_BYTES, processes = 1 }: AppOptions): number {
  return development ? 0 : Math.floor(cacheBytes / processes)
}

const SLOW_STATEMENT_MS = 500

/** For cached answers, unless the options say otherwise. */
const CACHE_BYTES = 64 * 1024 * 1024
