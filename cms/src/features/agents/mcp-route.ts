import type { IncomingHttpHeaders } from 'node:http'
import { forbidden, invalid, notFound, unauthorized } from '../../base/errors.ts'
import { object, text } from '../../base/json-schema.ts'
import type { Actor } from '../../engine/permissions.ts'
import { KEY_PARAMETERS } from '../../http/pipeline/credentials.ts'
import { contextOf, replyInProcess } from '../../http/pipeline/in-process.ts'
import { sentHost } from '../../http/requests/headers.ts'
import { type Route, type RouteRequest, route } from '../../http/requests/route.ts'
import type { SiteMcp } from '../../model/declared/mcp-options.ts'
import type { Site } from '../../model/declared/types.ts'
import { Agent, type AgentActor, type AgentRoutes } from './agent.ts'
import { CallCounter } from './call-limits.ts'
import { CallLog } from './call-log.ts'
import { callsRoute } from './calls-route.ts'

const MOST_BODY = 4 * 1024 * 1024

/** The routes for agents (§4.10), who reach the others by them: made of all the routes of a service. */
export function agentRoutes(site: Site, routes: readonly Route[]): readonly Route[] {
  const { mcp } = site
  if (mcp === null) return []
  const log = new CallLog()
  return [mcpRoute(mcp, routes, log), callsRoute(site, log), ...signInRoutes(routes)]
}

function mcpRoute(mcp: SiteMcp, routes: readonly Route[], log: CallLog): Route {
  const inProcess = routesInProcess(routes)
  const calls = { counter: new CallCounter(mcp.limits), log }
  return route({
    method: 'POST',
    path: '/api/v1/mcp',
    summary: 'Agents ask here, by MCP',
    description:
      'The Model Context Protocol over streamable HTTP, without sessions and with answers in JSON. Only with an API key in the header Authorization; whatever its rights, drafts alone are written.',
    tag: 'agents',
    operationId: 'agents.mcp',
    ignoresLocale: true,
    isSecret: true,
    body: MESSAGE,
    maxBodyBytes: MOST_BODY,
    answer: { type: 'object', description: 'A JSON-RPC answer; none (202) to notifications.' },
    permit: ({ actor }) => void assertKey(actor),
    handle: async (ctx, request) => {
      assertAsked(ctx.site, request)
      assertMessage(request.body)
      const agent = new Agent(ctx, assertKey(ctx.actor), inProcess)
      const { answerMessage } = await import('./mcp-endpoint.ts')
      return answerMessage({ agent, calls, mcp, request })
    },
  })
}

/** The routes of a service, for agents. */
function routesInProcess(routes: readonly Route[]): AgentRoutes {
  const byId = new Map(routes.map((one) => [one.operationId, one]))
  return {
    at: (ctx, actor, { locale, mode = 'draft' }) => {
      const options = { mode, ...(locale !== undefined && { locale }) }
      return contextOf(ctx, { actor, defaults: {}, options })
    },
    run: async (ctx, operationId, request) => {
      const found = byId.get(operationId)
      if (found === undefined) throw notFound()
      return replyInProcess(ctx, found, request)
    },
  }
}

const MESSAGE = object(['jsonrpc', 'method'], {
  jsonrpc: { type: 'string', const: '2.0', description: 'The version of JSON-RPC.' },
  id: { type: ['string', 'integer'], description: 'Of a request; notifications have none.' },
  method: text('What is asked for: `tools/list`, `tools/call` …'),
  params: { type: 'object', description: 'As the method says.' },
  result: { description: 'Of an answer of the client.' },
  error: { type: 'object', description: 'Of an answer of the client.' },
})

/** Keys alone: a person's token or session is not lent to a program. */
function assertKey(actor: Actor): AgentActor {
  if (actor.kind === 'key') return actor
  throw unauthorized('Agents send an API key in the header Authorization: quire key create --ai makes one.')
}

/** Refuses what no message of JSON-RPC looks like. */
function assertMessage({ jsonrpc, method, result, error }: RouteRequest['body']): void {
  if (jsonrpc === '2.0' && [method, result, error].some((part) => part !== undefined)) return
  throw invalid('Send one message of JSON-RPC: { "jsonrpc": "2.0", "id": 1, "method": "tools/list" }.')
}

/** Where a request comes from and how it is signed: not by a page of another site, nor with a key in its URL. */
function assertAsked(site: Site, { headers, query, sender }: RouteRequest): void {
  if (headers.authorization === undefined || KEY_PARAMETERS.some((name) => Object.hasOwn(query, name))) {
    throw unauthorized('Send the API key in the header Authorization, and never in the URL.')
  }
  if (sender.isForeign) throw forbidden('Pages of other sites may not ask here.')
  if (!isOurHost(site, headers)) throw forbidden('This host is none of the site.')
}

/** A site that says where it is answers agents there, and on its own machine. */
function isOurHost(site: Site, headers: IncomingHttpHeaders): boolean {
  if (site.baseUrl === null) return true
  const hosts = [...site.locales.values()].flatMap(({ hostname }) => hostname ?? [])
  const own = [site.baseUrl, site.editor?.origin ?? null].flatMap((url) => (url === null ? [] : new URL(url).hostname))
  const host = sentHost(headers, site).replace(/:\d+$/, '')
  return [...hosts, ...own, 'localhost', '127.0.0.1', '[::1]'].includes(host)
}

/**
 * Clients look here for a way to sign people in: there is none, and the answer says so in JSON. What the site has at these
 * addresses itself stays.
 */
function signInRoutes(routes: readonly Route[]): readonly Route[] {
  const taken = new Set(routes.map(({ method, path }) => `${method} ${path}`))
  return SIGN_IN.filter(([method, path]) => !taken.has(`${method} ${path}`)).map(([method, path], index) =>
    route({
      method,
      path,
      summary: 'There is no signing in for agents',
      tag: 'agents',
      operationId: `agents.sign-in-${index}`,
      ignoresLocale: true,
      takesAnyQuery: true,
      isRefused: true,
      yields: true,
      answer: { type: 'object' },
      permit: refuseSignIn,
      handle: async () => refuseSignIn(),
    }),
  )
}

const METADATA = ['oauth-protected-resource', 'oauth-authorization-server', 'openid-configuration']
const SIGN_IN: readonly (readonly ['GET' | 'POST', string])[] = [
  ...METADATA.flatMap((name) => [['GET', `/.well-known/${name}`] as const, ['GET', `/.well-known/${name}/*`] as const]),
  ['POST', '/register'],
]

function refuseSignIn(): never {
  throw notFound('Agents use an API key in the header Authorization; there is no signing in.')
}
