import { unavailable } from '../../base/errors.ts'
import type { JsonSchema } from '../../base/json.ts'
import { late } from '../../base/late.ts'
import { endsWithin } from '../../base/patience.ts'
import type { Context } from '../../engine/context.ts'
import { type Actor, refusal, roleOf } from '../../engine/permissions.ts'
import type { Site } from '../../model/declared/types.ts'
import type { Role } from '../../model/terms/roles.ts'
import { Reply, type Route, route } from '../requests/route.ts'
import type { SiteFacts } from './openapi.ts'

/** How long the database may take to answer that it is there. */
const PATIENCE_MS = 3_000

const answerMetrics = late(() => import('../pipeline/answer-metrics.ts'), 'answerMetrics')
const openApiText = late(() => import('./openapi.ts'), 'openApiText')
const answerIndex = late(() => import('./service-index.ts'), 'answerIndex')
const answerDocs = late(() => import('./docs-page.ts'), 'answerDocs')
const answerDocsFile = late(() => import('./docs-page.ts'), 'answerDocsFile')

/** Where programs and their authors begin: what there is, and a page that shows and tries the interface. */
export function serviceRoutes(site: Site): readonly Route[] {
  const common = { method: 'GET', tag: 'service', ignoresLocale: true } as const
  const page = { ...common, answer: { type: 'string' }, cached: true, ignoresQuery: true } as const
  return [
    route({
      ...common,
      path: '/api/v1',
      summary: 'Where to begin: the types that the caller may read, and the descriptions of the interface',
      operationId: 'service.index',
      answer: INDEX,
      handle: async (ctx, { headers }) => answerIndex(ctx, headers),
    }),
    route({
      ...page,
      path: '/api/v1/docs',
      summary: 'A page that shows this description, and sends requests',
      operationId: 'service.docs',
      mediaType: 'text/html',
      handle: () => answerDocs(site),
    }),
    route({
      ...page,
      path: '/api/v1/docs/:file',
      summary: 'A file of the page that shows this description',
      operationId: 'service.docs-file',
      mediaType: 'text/javascript',
      handle: (_, { params }) => answerDocsFile(params.file ?? ''),
    }),
  ]
}

const link = (description: string): JsonSchema => ({ type: 'string', format: 'uri-reference', description })

const INDEX: JsonSchema = {
  type: 'object',
  required: ['name', 'types', 'locales', 'login', 'openapi', 'docs'],
  properties: {
    name: { type: 'string', description: 'The name of the site.' },
    types: {
      type: 'array',
      description: 'The piece types that the caller may read.',
      items: {
        type: 'object',
        required: ['name', 'label', 'url'],
        properties: {
          name: { type: 'string', description: 'As in URLs.' },
          label: { type: 'string', description: 'For people.' },
          url: link('The list of its documents.'),
        },
      },
    },
    pages: link('The page tree; absent where the caller may read no pages.'),
    locales: link('The locales.'),
    login: link('Where users sign in, by POST.'),
    openapi: link('The whole interface, as OpenAPI 3.1.'),
    docs: link('The same as a page, for browsers.'),
  },
}

/** `GET /api/v1/openapi.json`: these routes and itself, as far as the caller's role may know of them (§5). */
export function openApiRoute(site: SiteFacts, routes: readonly Route[]): Route {
  const byRole = new Map<Role | null, Buffer>()
  const self: Route = route({
    method: 'GET',
    path: '/api/v1/openapi.json',
    summary: 'This description, as OpenAPI 3.1',
    description: 'The types, fields and routes that the caller may know of: with a credential it tells more.',
    tag: 'service',
    operationId: 'service.openapi',
    ignoresLocale: true,
    answer: { type: 'object' },
    cached: true,
    handle: async ({ actor }) => {
      const role = roleOf(actor)
      const bytes = byRole.get(role) ?? (await openApiText(site, [...routes, self], role))
      byRole.set(role, bytes)
      return new Reply(bytes)
    },
  })
  return self
}

/**
 * For those who watch over the service: whether it works, and whether it accepts requests (§0.11), open to all callers;
 * what it counts and measures, for admins (§0.12).
 */
export function healthRoutes(isStopping: () => boolean): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/health',
      summary: 'Whether the database can be reached',
      tag: 'service',
      operationId: 'service.health',
      ignoresLocale: true,
      answer: HEALTH,
      isUrgent: true,
      handle: health,
    }),
    route({
      method: 'GET',
      path: '/api/v1/ready',
      summary: 'Whether requests may be sent here: the database can be reached, and the service is not stopping',
      tag: 'service',
      operationId: 'service.ready',
      ignoresLocale: true,
      answer: HEALTH,
      isUrgent: true,
      handle: (ctx) => {
        if (isStopping()) throw unavailable('The service is stopping.')
        return health(ctx)
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/metrics',
      summary: 'What the service counts and measures, as text for Prometheus',
      tag: 'service',
      operationId: 'service.metrics',
      ignoresLocale: true,
      answer: { type: 'string' },
      mediaType: 'text/plain',
      isFor: isAdmin,
      isUrgent: true,
      permit: ({ actor }) => assertAdmin(actor),
      handle: (ctx) => {
        assertAdmin(ctx.actor)
        return answerMetrics(ctx)
      },
    }),
  ]
}

function isAdmin(actor: Actor): boolean {
  return roleOf(actor) === 'admin'
}

function assertAdmin(actor: Actor): void {
  if (!isAdmin(actor)) throw refusal(actor)
}

const HEALTH: JsonSchema = {
  type: 'object',
  required: ['status'],
  properties: { status: { type: 'string', const: 'ok', description: 'That it works.' } },
}

async function health({ store }: Context): Promise<Reply> {
  if (!(await endsWithin(PATIENCE_MS, store.check()).catch(() => false))) {
    throw unavailable('The database cannot be reached.')
  }
  return new Reply({ status: 'ok' }, { 'Cache-Control': 'no-store' })
}
