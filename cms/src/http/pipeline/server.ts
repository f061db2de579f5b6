import Fastify, { type FastifyInstance } from 'fastify'
import { CmsError, invalid, tooLarge, unsupported } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { Metrics } from '../../base/metrics.ts'
import { ANONYMOUS } from '../../engine/permissions.ts'
import type { Files } from '../../files/files.ts'
import type { Site } from '../../model/declared/types.ts'
import { CAPACITY, type Capacity, Load } from '../load/load.ts'
import {
  acceptNoMore,
  type InheritedSocket,
  namesItsHost,
  nodeServer,
  TIMEOUTS,
  type Timeouts,
  unusedConnections,
} from '../load/sockets.ts'
import { BODY_TOO_LARGE, UNSUPPORTED_BODY } from '../requests/body.ts'
import { AllowedMethods } from '../requests/endpoints.ts'
import { routedUrl } from '../requests/locale-prefixes.ts'
import { parseQuery, queryText } from '../requests/query-string.ts'
import type { AccessLog } from './access-log.ts'
import { Api, type ApiOptions, type ServerParts } from './api.ts'
import { claimsFrontEnd } from './credentials.ts'
import { addMethodRoutes } from './method-routes.ts'
import { lookupMetric, RequestMetrics, traceRequests } from './request-watch.ts'
import { Responder } from './respond.ts'
import type { SitePlugins } from './site-plugins.ts'
import { UploadedFiles } from './uploads.ts'

/** The parts of a server. */
export interface ServerOptions extends ApiOptions {
  readonly site: ApiOptions['site'] & Partial<Pick<Site, 'editor'>>
  readonly files: Files
  readonly log: Log
  readonly metrics?: Metrics
  /** Where each request is logged, once its answer has left; null or left out: nowhere. */
  readonly accessLog?: AccessLog | null
  /** Requests that take longer (milliseconds) are logged; 1,000 when left out. */
  readonly slowMs?: number
  readonly timeouts?: Partial<Timeouts>
  readonly capacity?: Partial<Capacity>
  /** The site's own plugins of the framework. */
  readonly plugins?: SitePlugins | undefined
}

/** A server that listens on sockets. */
export interface Server {
  /** Returns the address: `http://127.0.0.1:3000`. Port 0 takes a free one; an inherited socket has its own host. */
  listen(port: number | InheritedSocket, host: string): Promise<string>
  /** Takes no more requests, finishes those that run (for at most `timeouts.close`), then resolves. */
  close(): Promise<void>
}

/**
 * The HTTP server of a site. The interface, uploaded files and the site's own plugins each have a scope of the
 * framework: no hook, parser or error handler of one reaches another.
 */
export function createServer(options: ServerOptions): Server {
  const load = new Load({ ...CAPACITY, ...options.capacity })
  const requests = new RequestMetrics(options.site.prefix)
  const responder = new Responder(options, load, requests)
  const methods = new AllowedMethods(options.routes, options.site.prefix)
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const parts = { load, requests, responder, methods, timeouts }
  const fastify = newFastify(options, parts)
  const { prefix } = options.site
  const closeUnused = unusedConnections(fastify.server)
  const api = new Api(options, parts)
  options.metrics?.add(() => [...requests.metrics(load), lookupMetric(api.lookups)])
  // First: a route of the site's own for all paths takes the place of the pages.
  if (options.plugins) fastify.register((scope) => addSitePlugins(scope, options, parts), { prefix })
  fastify.register(
    async (scope) => {
      await api.register(scope)
      addMethodRoutes(scope, { ...options, methods, responder })
    },
    { prefix },
  )
  new UploadedFiles(options, responder).register(fastify)
  let isInherited = false
  return {
    listen: (port, host) => {
      isInherited = typeof port !== 'number'
      // Without a host: for `localhost`, the framework opens a second socket.
      return fastify.listen(typeof port === 'number' ? { port, host } : { ...port, host: '' })
    },
    close: async () => {
      responder.isClosing = true
      const timer = setTimeout(() => {
        // The framework does so only after the plugins, which may never end.
        fastify.server.close()
        fastify.server.closeAllConnections()
      }, timeouts.close)
      // Those who connect from now on wait for the next process, which inherits the socket, too.
      if (isInherited) await acceptNoMore(fastify.server)
      closeUnused()
      await fastify.close()
      clearTimeout(timer)
    },
  }
}

function newFastify(
  { site, plugins, accessLog }: ServerOptions,
  { responder, requests, methods, timeouts }: ServerParts,
): FastifyInstance {
  const fastify = Fastify({
    serverFactory: (listener) => {
      const server = nodeServer(listener, timeouts)
      requests.watch(server)
      return server
    },
    genReqId: () => responder.nextRequestId(),
    rewriteUrl: ({ url = '/', headers }) => routedUrl(site, { url, headers }),
    bodyLimit: site.limits.bodyBytes,
    // One hop: the address that our own proxy saw, not one that a caller claims in the same header.
    trustProxy: site.trustProxy && ((_address: string, hop: number) => hop === 0),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Queries are parsed by hooks: an answer from the cache needs none, and a malformed one can be refused there.
    routerOptions: { maxParamLength: 65_536, ignoreTrailingSlash: true, querystringParser: () => NOT_READ },
    // Our routes use no schemas of the framework. Without a site's own plugins, its large schema compilers are not
    // loaded.
    ...(plugins === undefined ? { schemaController: { compilersFactory: NO_SCHEMAS } } : {}),
    clientErrorHandler: (error, socket) => responder.refuse(error, socket),
    frameworkErrors: (error, request, reply) => {
      const { originalUrl: url, headers } = request
      accessLog?.follow(request, reply)
      const isOurs = /^\/(api|uploads)(\/|$)/.test(routedUrl(site, { url, headers }).slice(site.prefix.length))
      if (isOurs || claimsFrontEnd(headers)) responder.fail(reply, known(error))
      else void responder.failAsPage(reply, known(error))
    },
  })
  fastify.setErrorHandler((error, request, reply) => {
    const failure = request.raw.readableAborted ? invalid('The request was broken off.') : known(error)
    return responder.fail(reply, failure, request.caller?.cookies)
  })
  traceRequests(fastify, site.prefix)
  if (accessLog) {
    fastify.addHook('onRequest', (request, reply, done) => {
      accessLog.follow(request, reply)
      done()
    })
  }
  // Before a body is read, which a handler would come after.
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!namesItsHost(request.raw)) responder.fail(reply, invalid('A request names its host in one Host header.'))
    else if (request.is404) responder.fail(reply, methods.refusal(request.url, ANONYMOUS))
    else done()
  })
  fastify.decorateRequest('caller')
  fastify.decorateRequest('startedAt')
  fastify.decorateRequest('isCaughtUp', false)
  return fastify
}

const NOT_READ = Object.freeze({})
const NO_SCHEMAS = { buildValidator: noSchemas, buildSerializer: noSchemas }

function noSchemas(): never {
  throw new Error('A route of the framework has a schema, but the site has no plugins.')
}

/** The site's plugins see requests as ours do, but have no say in the interface, nor in uploaded files. */
async function addSitePlugins(
  scope: FastifyInstance,
  { site, plugins }: Pick<ServerOptions, 'site' | 'plugins'>,
  { requests, methods }: ServerParts,
): Promise<void> {
  scope.addHook('onRoute', ({ path, url, method }) => {
    const below = path.slice(scope.prefix.length)
    const isOurs = /^\/(api|uploads)(\/|$)/.test(below)
    if (isOurs)
      throw new Error(`fastify: the route "${url}" is among those of the service itself. Choose another path.`)
    if (site.editor && `${below}/`.startsWith(`${site.editor.path}/`))
      throw new Error(`fastify: the route "${url}" is where the editor is. Give it another path: editor: { path: … }.`)
    methods.addOpen(below, [method].flat())
  })
  scope.addHook('onResponse', async (request, reply) => requests.count(request, reply.statusCode))
  scope.addHook('onRequest', async (request) => {
    request.startedAt = performance.now()
    request.query = parseQuery(queryText(request.originalUrl))
  })
  await plugins?.(scope)
}

/** The framework's own refusals in our words; other errors as they are. */
function known(thrown: unknown): unknown {
  if (thrown instanceof CmsError || !(thrown instanceof Error) || !('code' in thrown)) return thrown
  return FRAMEWORK_REFUSALS.get(thrown.code)?.(thrown.message) ?? thrown
}

const FRAMEWORK_REFUSALS = new Map<unknown, (message: string) => CmsError>([
  ['FST_ERR_CTP_BODY_TOO_LARGE', () => tooLarge(BODY_TOO_LARGE)],
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', () => unsupported(UNSUPPORTED_BODY)],
  ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', () => invalid('The body is not as long as its Content-Length says.')],
  ['FST_ERR_CTP_INVALID_JSON_BODY', () => invalid('The body is not valid JSON.')],
  ['FST_ERR_VALIDATION', (message) => invalid(`${message}.`)],
  ['FST_ERR_BAD_URL', () => invalid('The path is not properly percent-encoded.')],
])
