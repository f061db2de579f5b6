import { isObject, type JsonSchema } from '../../base/json.ts'
import { COMPONENTS, refTo } from '../../base/json-schema.ts'
import { type Actor, ANONYMOUS, isAnonymous } from '../../engine/permissions.ts'
import { TAG_HEADERS } from '../../model/declared/purge.ts'
import type { Site } from '../../model/declared/types.ts'
import type { Role } from '../../model/terms/roles.ts'
import { localeAndMode, localeSchemas } from '../requests/read-parameters.ts'
import { type QueryParameter, RENDERED_TYPE, type Route } from '../requests/route.ts'
import { contentSchemas } from './content-schemas.ts'
import {
  type AnswerReader,
  answerHeaders,
  CALLER,
  errorSchema,
  headerParameters,
  IGNORED,
  RETRY_HEADERS,
  tagDescription,
} from './shared-schemas.ts'

/** The parts of a site that the document describes. */
export type SiteFacts = Pick<
  Site,
  'name' | 'namespace' | 'prefix' | 'baseUrl' | 'locales' | 'types' | 'widgets' | 'strict' | 'purge'
>

/** The OpenAPI 3.1 document as it is sent to callers of a role; null for anonymous ones. */
export function openApiText(site: SiteFacts, routes: readonly Route[], role: Role | null): Buffer {
  return Buffer.from(JSON.stringify(openApi(site, routes, reader(role))))
}

/** A caller of whom nothing but the role is known. */
function reader(role: Role | null): Actor {
  if (role === null) return ANONYMOUS
  const noIdentity = { id: '', name: '', username: null, firstName: '', lastName: '' }
  return { kind: 'key', role, ai: false, draftsOnly: false, ...noIdentity }
}

/**
 * The OpenAPI 3.1 document of these routes and this site's types for one caller. It names no version of the program.
 */
export function openApi(site: SiteFacts, routes: readonly Route[], actor: Actor): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {}
  const shown = routes.filter(
    (route) => route.page === undefined && route.isRefused !== true && (route.isFor?.(actor) ?? true),
  )
  const schemas = { ...contentSchemas(site, actor), ...localeSchemas({ site, actor }) }
  const isKnown = !isAnonymous(actor)
  const tagHeaders = isKnown || site.purge === null ? [] : TAG_HEADERS[site.purge.kind]
  const caller = { isKnown, listsIgnored: isKnown && !site.strict, tagHeaders }
  for (const route of shown) {
    const path = route.path.replaceAll(PARAMETER, (_, name: string) => `{${nameInPath(name)}}`)
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, actor, caller) }
  }
  const refusal = errorSchema(isAnonymous(actor))
  const tags = [...new Set(shown.map((route) => route.tag))]
  return {
    openapi: '3.1.0',
    info: { title: site.name, version: '1', description: DESCRIPTION, contact: { name: site.name } },
    servers: [{ url: `${site.baseUrl ?? ''}${site.prefix}` || '/' }],
    tags: tags.map((name) => ({ name, description: tagDescription(site, name) })),
    security: CREDENTIALS,
    paths,
    components: {
      schemas: { Error: refusal, ...usedSchemas(schemas, [paths, refusal]) },
      ...(isKnown && { headers: { Caller: CALLER, ...(caller.listsIgnored && { Ignored: IGNORED }) } }),
      responses: Object.fromEntries(Object.entries(FAILURES).map(([name, each]) => [name, failure(each)])),
      securitySchemes: SECURITY,
    },
  }
}

const DESCRIPTION = [
  'Names and brackets in queries: `a=1`, `a[]=1&a[]=2`, `a[b]=1`.',
  'A request with the header `Quire-Expect-Caller: ID` is answered with 401 unless this caller sends it: the `_id` that `whoami` answers.',
  'A query too long for a URL can be sent by POST to the path of a GET, as a JSON body `{ "__aposGetWithQuery": { … } }`.',
].join('\n')

function operation(route: Route, actor: Actor, caller: AnswerReader): JsonSchema {
  const body = route.upload ? filesOf(route) : route.body && json(route.body)
  return {
    operationId: route.operationId,
    tags: [route.tag],
    ...(isPublic(route) && { security: [{}, ...CREDENTIALS] }),
    summary: route.summary,
    description: route.description ?? `${route.summary}.`,
    parameters: parameters(route, actor),
    ...(body && { requestBody: { required: isNeeded(route), content: body } }),
    responses: { ...success(route, caller), ...failuresOf(route) },
  }
}

function filesOf({ takesBytes }: Route): JsonSchema {
  const form = { 'multipart/form-data': { schema: FILE } }
  return takesBytes ? { ...form, 'application/octet-stream': { schema: BYTES } } : form
}

function isNeeded({ upload, body, method }: Route): boolean {
  return (
    upload === true || method === 'PUT' || method === 'PATCH' || Array.isArray(body?.required) || '$ref' in (body ?? {})
  )
}

function success(route: Route, caller: AnswerReader): JsonSchema {
  if (route.redirects) return { 302: { description: 'Where to go', headers: { Location: LOCATION } } }
  return {
    200: {
      description: 'Success',
      ...answerHeaders(route, caller),
      content: {
        [route.mediaType ?? 'application/json']: { schema: route.answer },
        ...(route.rendered && { [RENDERED_TYPE]: { schema: route.rendered } }),
      },
    },
  }
}

const LOCATION = { description: 'The address to go to.', schema: { type: 'string', format: 'uri-reference' } }

const BYTES: JsonSchema = { type: 'string', format: 'binary', description: 'The file.' }

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
  const inPath = Array.from(route.path.matchAll(PARAMETER), ([, name = '']) => ({
    name: nameInPath(name),
    in: 'path',
    required: true,
    description: PATH_PARAMETERS[name] ?? `The ${name}.`,
    schema: route.params?.[name] ?? { type: 'string' },
  }))
  const own = route.query ?? []
  const common = (route.ignoresLocale ? [] : localeAndMode).filter((parameter) =>
    own.every(({ name }) => name !== parameter.name),
  )
  const shown = [...own, ...common].filter((parameter) => parameter.isFor?.(actor) ?? true)
  return [
    ...inPath,
    ...shown.map((one) => queryParameter(one, one.schemaFor?.(actor) ?? one.schema)),
    ...headerParameters(route, actor),
  ]
}

const PARAMETER = /:([^/]+)/g

/** The name of a parameter of a path: generators make variables of it, some of which drop its underscore. */
function nameInPath(name: string): string {
  return name.replace(/^_+/, '')
}

const PATH_PARAMETERS: { readonly [name: string]: string } = {
  _id: 'The _id of a document, or its aposDocId: locale and mode are then those of the request.',
}

/**
 * Objects are sent as `sort[title]=1`, lists as a name that comes several times. Viewers begin with the example:
 * without one they make up properties.
 */
function queryParameter({ name, description, isRequired }: QueryParameter, schema: JsonSchema): JsonSchema {
  const kinds = [schema, ...(Array.isArray(schema.oneOf) ? schema.oneOf : [])]
  const isDeep = kinds.some((one: JsonSchema) => one.type === 'object')
  const required = isRequired ? { required: true } : {}
  return {
    name,
    in: 'query',
    description,
    ...required,
    ...(isDeep && { style: 'deepObject', explode: true, example: {} }),
    schema,
  }
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
  return { description, ...headers, content: json(refTo('Error')) }
}

const SECURITY = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key or a login token.' },
  apiKey: { type: 'apiKey', in: 'query', name: 'apikey', description: 'An API key.' },
  apiKeyHeader: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`ApiKey <key>`' },
}

const CREDENTIALS = Object.keys(SECURITY).map((name) => ({ [name]: [] }))

/** True for what anonymous callers may use, too. */
function isPublic({ isFor }: Route): boolean {
  return isFor?.(ANONYMOUS) ?? true
}

function json(schema: JsonSchema): JsonSchema {
  return { 'application/json': { schema } }
}

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
  if (typeof value === 'string') return value.startsWith(COMPONENTS) ? [value.slice(COMPONENTS.length)] : []
  if (Array.isArray(value)) return value.flatMap(namesIn)
  return isObject(value) ? Object.values(value).flatMap(namesIn) : []
}
