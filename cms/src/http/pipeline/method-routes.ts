import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ANONYMOUS } from '../../engine/permissions.ts'
import type { Site } from '../../model/declared/types.ts'
import type { AllowedMethods } from '../requests/endpoints.ts'
import { PREFLIGHT } from '../requests/headers.ts'
import type { Route } from '../requests/route.ts'
import { jsonAnswer } from './answer.ts'
import type { Responder } from './respond.ts'

/** The parts of the service that answering about methods needs. */
interface MethodRoutesOptions {
  readonly site: Pick<Site, 'cors'>
  readonly routes: readonly Route[]
  readonly methods: AllowedMethods
  readonly responder: Responder
}

/**
 * Registers OPTIONS at all addresses, and in every method those that have no route: the hooks of the scope refuse
 * them, once the caller is known. Paths that the site's own plugins have taken stay theirs.
 */
export function addMethodRoutes(scope: FastifyInstance, options: MethodRoutesOptions): void {
  const { routes } = options
  const pages = routes.filter(({ page }) => page !== undefined).map(({ path }) => path)
  const own = routes.filter(({ page }) => page === undefined).map(({ path }) => path)
  const api = ['/api', '/api/*']
  const answer = answerOptions(options, { ...(options.site.cors ? PREFLIGHT : {}) })
  for (const url of new Set([...api, ...own.filter((path) => !path.startsWith('/api/'))])) {
    addOptions(scope, url, answer)
  }
  const { responder } = options
  const answerPage = answerOptions(options, {}, responder.pageHeaders)
  for (const url of pages) if (isFree(scope, 'OPTIONS', url)) addOptions(scope, url, answerPage)
  for (const url of [...api, ...pages]) addUnknown(scope, url)
}

type Answer = (request: FastifyRequest, reply: FastifyReply) => void

/**
 * Names the methods that the caller may know of; browsers ask without a credential. An address that is not there for
 * the caller takes OPTIONS alone, so that hidden ones look like unknown ones.
 */
function answerOptions(
  { methods, responder }: MethodRoutesOptions,
  headers: Readonly<Record<string, string>>,
  defaults?: Readonly<Record<string, string>>,
): Answer {
  return ({ url, caller }, reply) => {
    const allowed = methods.at(url, caller?.actor ?? ANONYMOUS)
    const Allow = allowed.length === 0 ? 'OPTIONS' : allowed.join(', ')
    responder.send(reply, jsonAnswer(200, {}, { Allow, ...headers }), defaults)
  }
}

/** Before a body is read. */
function addOptions(scope: FastifyInstance, url: string, answer: Answer): void {
  scope.route({ method: 'OPTIONS', url, exposeHeadRoute: false, onRequest: answer, handler: answer })
}

function addUnknown(scope: FastifyInstance, url: string): void {
  const method = scope.supportedMethods.filter((method) => method !== 'OPTIONS' && isFree(scope, method, url))
  const handler = () => {
    throw new Error('A request without a route has passed the hooks.')
  }
  if (method.length > 0) scope.route({ method, url, exposeHeadRoute: false, handler })
}

/** The root of a prefix is known without its slash. */
function isFree(scope: FastifyInstance, method: string, path: string): boolean {
  return ![path, path.replace(/\/$/, ''), '*'].some((url) => scope.hasRoute({ method, url: scope.prefix + url }))
}
