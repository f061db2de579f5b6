import { invalid } from '../../base/errors.ts'
import type { JsonSchema } from '../../base/json.ts'
import { list, object, text } from '../../base/json-schema.ts'
import type { Context } from '../../engine/context.ts'
import { roleOf } from '../../engine/permissions.ts'
import { viewOf } from '../../engine/view.ts'
import type { Site } from '../../model/declared/types.ts'
import type { Role } from '../../model/terms/roles.ts'
import { listParameter } from '../requests/read-parameters.ts'
import { type QueryParameter, Reply, type Route, route } from '../requests/route.ts'
import { answerDocs, answerDocsFile } from './docs-page.ts'
import { openApiText, type SiteFacts } from './openapi.ts'
import { answerIndex } from './service-index.ts'

/** Returns the routes that describe the interface: its index, the OpenAPI document, and a page to try it. */
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

const INDEX = object(['name', 'types', 'locales', 'login', 'openapi', 'docs'], {
  name: text('The name of the site.'),
  types: list(
    object(['name', 'label', 'url'], {
      name: text('As in URLs.'),
      label: text('For people.'),
      url: link('The list of its documents.'),
    }),
    'The piece types that the caller may read.',
  ),
  pages: link('The page tree; absent where the caller may read no pages.'),
  locales: link('The locales.'),
  login: link('Where users sign in, by POST.'),
  openapi: link('The whole interface, as OpenAPI 3.1.'),
  docs: link('The same as a page, for browsers.'),
})

/** `GET /api/v1/openapi.json`: these routes and itself, as far as the caller's role may know of them (§5). */
export function openApiRoute(site: SiteFacts, routes: readonly Route[]): Route {
  const byRole = new Map<Role | null, Buffer>()
  const self: Route = route({
    method: 'GET',
    path: '/api/v1/openapi.json',
    summary: 'This description, as OpenAPI 3.1',
    description: 'The types, fields and routes that the caller may know of: with a credential it lists more.',
    tag: 'service',
    operationId: 'service.openapi',
    ignoresLocale: true,
    query: [TYPES],
    answer: { type: 'object' },
    cached: true,
    isRevalidated: true,
    handle: async ({ actor }, { query }) => {
      const role = roleOf(actor)
      const named = listParameter(query, 'types')
      if (named !== undefined) return new Reply(openApiText(site, partOf({ site, actor, routes }, named), role))
      const bytes = byRole.get(role) ?? openApiText(site, [...routes, self], role)
      byRole.set(role, bytes)
      return new Reply(bytes)
    },
  })
  return self
}

const TYPES: QueryParameter = {
  name: 'types',
  description: 'Only what is about these types: names of piece types, and `page` for the tree of pages.',
  schema: { type: 'array', items: { type: 'string' } },
}

interface Described extends Pick<Context, 'actor'> {
  readonly site: SiteFacts
  readonly routes: readonly Route[]
}

/** The routes of some types. Throws `invalid`, alike for types that there are not and those that the caller may not see. */
function partOf({ site, actor, routes }: Described, named: readonly string[]): readonly Route[] {
  const seen = [...site.types.values()].filter((type) => viewOf(actor, type) !== null)
  const names = new Set(seen.map(({ family, name }) => (family === 'page' ? 'page' : name)))
  const wrong = named.find((name) => !names.has(name))
  if (wrong === undefined) return routes.filter(({ tag }) => named.includes(tag))
  throw invalid(`The parameter "types" takes one or more of ${[...names].join(', ')}.`)
}
