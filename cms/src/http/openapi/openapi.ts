import { isObject, type JsonSchema } from '../../base/json.ts'
import type { Actor } from '../../engine/permissions.ts'
import type { Site } from '../../model/declared/types.ts'
import type { Role } from '../../model/terms/roles.ts'
import { localeAndMode } from '../requests/common-parameters.ts'
import type { QueryParameter, Route } from '../requests/route.ts'
import { contentSchemas } from './content-schemas.ts'
import { ERROR } from './error-schemas.ts'
import { answerHeaders, headerParameters, RETRY_HEADERS } from './header-schemas.ts'

/** What the document says about a site. */
export type SiteFacts = Pick<Site, 'name' | 'namespace' | 'prefix' | 'baseUrl' | 'types' | 'widgets'>

/** The OpenAPI 3.1 document as it is sent to callers of a role; null for anonymous ones. */
export async function openApiText(site: SiteFacts, routes: readonly Route[], role: Role | null): Promise<Buffer> {
  return Buffer.from(JSON.stringify(openApi(site, routes, reader(role))))
}

/** A caller of whom nothing but the role is known. */
function reader(role: Role | null): Actor {
  if (role === null) return { kind: 'anonymous' }
  const noIdentity = { id: '', name: '', username: null, firstName: '', lastName: '' }
  return { kind: 'key', role, ai: false, draftsOnly: false, ...noIdentity }
}

/**
 * The OpenAPI 3.1 document of these routes and this site's types for one caller. It names no version of the program.
 */
export function openApi(site: SiteFacts, routes: readonly Route[], actor: Actor): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {}
  const shown = routes.filter((route) => route.page === undefined && (route.isFor?.(actor) ?? true))
  for (const route of shown) {
    const path = route.path.replaceAll(/:([^/]+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, actor) }
  }
  const tags = [...new Set(shown.map((route) => route.tag))]
  return {
    openapi: '3.1.0',
    info: { title: site.name, version: '1', description: DESCRIPTION, contact: { name: site.name } },
    servers: [{ url: `${site.baseUrl ?? ''}${site.prefix}` || '/' }],
    tags: tags.map((name) => ({ name, description: `Everything about ${name}.` })),
    security: [{}, ...Object.keys(SECURITY).map((name) => ({ [name]: [] }))],
    paths,
    components: {
      schemas: { Error: ERROR, ...usedSchemas(contentSchemas(site, actor), paths) },
      responses: Object.fromEntries(Object.entries(FAILURES).map(([name, each]) => [name, failure(each)])),
      securitySchemes: SECURITY,
    },
  }
}

const DESCRIPTION = [
  'Names and brackets in queries: `a=1`, `a[]=1&a[]=2`, `a[b]=1`.',
  'A query too long for a URL can be sent by POST to the path of a GET, as a JSON body `{ "__aposGetWithQuery": { … } }`.',
].join('\n')

function operation(route: Route, actor: Actor): JsonSchema {
  const body = route.upload ? { 'multipart/form-data': { schema: FILE } } : route.body && json(route.body)
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: route.description ?? `${route.summary}.`,
    parameters: parameters(route, actor),
    ...(body && { requestBody: { required: isNeeded(route), content: body } }),
    responses: { ...success(route), ...failuresOf(route) },
  }
}

function isNeeded({ upload, body, method }: Route): boolean {
  return (
    upload === true || method === 'PUT' || method === 'PATCH' || Array.isArray(body?.required) || '$ref' in (body ?? {})
  )
}

function success(route: Route): JsonSchema {
  if (route.redirects) return { 302: { description: 'Where to go', headers: { Location: LOCATION } } }
  return {
    200: {
      description: 'Success',
      ...answerHeaders(route),
      content: { [route.mediaType ?? 'application/json']: { schema: route.answer } },
    },
  }
}

const LOCATION = { description: 'The address to go to.', schema: { type: 'string', format: 'uri-reference' } }

const FILE: JsonSchema = {
  type: 'object',
  required: ['file'],
  properties: {
    file: {
      type: 'string',
      format: 'binary',
      contentMediaType: 'application/octet-stream',
      description: 'The file, with its name.',
    },
  },
}

function parameters(route: Route, actor: Actor): JsonSchema[] {
  const inPath = Array.from(route.path.matchAll(/:([^/]+)/g), ([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: PATH_PARAMETERS[name] ?? `The ${name}.`,
    schema: name === 'mode' ? MODE : { type: 'string' },
  }))
  const own = (route.query ?? []).filter((parameter) => parameter.isFor?.(actor) ?? true)
  const common = (route.ignoresLocale ? [] : localeAndMode).filter((parameter) =>
    own.every(({ name }) => name !== parameter.name),
  )
  return [...inPath, ...[...own, ...common].map(queryParameter), ...headerParameters(route, actor)]
}

const MODE: JsonSchema = { type: 'string', enum: ['draft', 'published'] }

const PATH_PARAMETERS: { readonly [name: string]: string } = {
  _id: 'The _id of a document, or its aposDocId: locale and mode are then those of the request.',
}

/**
 * Objects are sent as `sort[title]=1`, lists as a name that comes several times. Viewers begin with the example:
 * without one they make up properties.
 */
function queryParameter({ name, description, schema }: QueryParameter): JsonSchema {
  const kinds = [schema, ...(Array.isArray(schema.oneOf) ? schema.oneOf : [])]
  const isDeep = kinds.some((one: JsonSchema) => one.type === 'object')
  return { name, in: 'query', description, ...(isDeep && { style: 'deepObject', explode: true, example: {} }), schema }
}

interface Failure {
  readonly status: number
  readonly description: string
  /** Only for requests with a body. */
  readonly needsBody?: true
}

const FAILURES: { readonly [component: string]: Failure } = {
  Invalid: { status: 400, description: 'Something in the request is wrong; `data.errors` names the fields.' },
  Unauthorized: { status: 401, description: 'The credential is missing, wrong or expired.' },
  Forbidden: { status: 403, description: "The caller's role does not allow it." },
  NotFound: { status: 404, description: 'It is not there, or not for this caller.' },
  Conflict: {
    status: 409,
    description: 'The document was changed meanwhile, or a value is already taken.',
    needsBody: true,
  },
  TooLarge: { status: 413, description: 'The body is too large.', needsBody: true },
  Unsupported: { status: 415, description: 'The type of the body is not supported.', needsBody: true },
  TooMany: { status: 429, description: 'Too many attempts; `Retry-After` says when to come back.' },
  Unexpected: { status: 500, description: 'A bug; `data.requestId` finds it in the log.' },
  Unavailable: { status: 503, description: 'Not now; `Retry-After` says when to come back.' },
}

function failuresOf({ method }: Route): JsonSchema {
  const met = Object.entries(FAILURES).filter(([, { needsBody }]) => method !== 'GET' || !needsBody)
  return Object.fromEntries(met.map(([name, { status }]) => [status, { $ref: `#/components/responses/${name}` }]))
}

function failure({ status, description }: Failure): JsonSchema {
  const headers = status === 429 || status === 503 ? { headers: RETRY_HEADERS } : {}
  return { description, ...headers, content: json({ $ref: '#/components/schemas/Error' }) }
}

const SECURITY = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key or a login token.' },
  apiKey: { type: 'apiKey', in: 'query', name: 'apikey', description: 'An API key.' },
  apiKeyHeader: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`ApiKey <key>`' },
}

function json(schema: JsonSchema): JsonSchema {
  return { 'application/json': { schema } }
}

const PREFIX = '#/components/schemas/'

/** The component schemas that are referenced, directly or by one another. */
function usedSchemas(schemas: Readonly<Record<string, JsonSchema>>, outside: unknown): Record<string, JsonSchema> {
  const used = new Set<string>()
  const waiting: unknown[] = [outside]
  while (waiting.length > 0) {
    for (const name of namesIn(waiting.pop())) {
      if (used.has(name)) continue
      used.add(name)
      waiting.push(schemas[name])
    }
  }
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
}

function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith(PREFIX) ? [value.slice(PREFIX.length)] : []
  if (Array.isArray(value)) return value.flatMap(namesIn)
  return isObject(value) ? Object.values(value).flatMap(namesIn) : []
}
