import type { JsonSchema } from '../base/json.ts'
import type { Site } from '../model/types.ts'
import { STATUS_OF } from './errors.ts'
import { localeAndMode } from './parameters.ts'
import { type QueryParameter, Reply, type Route, route } from './route.ts'
import { contentSchemas } from './schemas.ts'

type SiteFacts = Pick<Site, 'name' | 'prefix' | 'baseUrl' | 'types' | 'widgets'>

/** `GET /api/v1/openapi.json`: the description of these routes and of itself. Made once. */
export function openApiRoute(site: SiteFacts, routes: readonly Route[]): Route {
  let bytes: Buffer | null = null
  const self: Route = route({
    method: 'GET',
    path: '/api/v1/openapi.json',
    summary: 'This description, as OpenAPI 3.1',
    tag: 'service',
    operationId: 'service.openapi',
    answer: { type: 'object' },
    cached: true,
    handle: async () => {
      bytes ??= Buffer.from(JSON.stringify(openApi(site, [...routes, self])))
      return new Reply(bytes)
    },
  })
  return self
}

/** The OpenAPI 3.1 document of exactly these routes and this site's types. It names no version of the program. */
export function openApi(site: SiteFacts, routes: readonly Route[]): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const route of routes) {
    const path = route.path.replaceAll(/:([^/]+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) }
  }
  const tags = [...new Set(routes.map((route) => route.tag))]
  return {
    openapi: '3.1.0',
    info: { title: site.name, version: '1', description: DESCRIPTION },
    servers: [{ url: `${site.baseUrl ?? ''}${site.prefix}` || '/' }],
    tags: tags.map((name) => ({ name })),
    security: [{}, ...Object.keys(SECURITY).map((name) => ({ [name]: [] }))],
    paths,
    components: {
      schemas: { Error: ERROR, ...contentSchemas(site) },
      responses: { Error: { description: 'What went wrong', content: json({ $ref: '#/components/schemas/Error' }) } },
      securitySchemes: SECURITY,
    },
  }
}

const DESCRIPTION = [
  'Names and brackets in queries: `a=1`, `a[]=1&a[]=2`, `a[b]=1`.',
  'A query too long for a URL can be sent by POST to the path of a GET, as a JSON body `{ "__aposGetWithQuery": { … } }`.',
].join('\n')

function operation(route: Route): JsonSchema {
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    parameters: parameters(route),
    ...(route.body === undefined ? {} : { requestBody: { content: json(route.body) } }),
    ...(route.upload ? { requestBody: { required: true, content: { 'multipart/form-data': { schema: FILE } } } } : {}),
    responses: {
      ...(route.redirects ? REDIRECT : { 200: { description: 'Success', content: json(route.answer) } }),
      default: { $ref: '#/components/responses/Error' },
    },
  }
}

const REDIRECT = {
  302: { description: 'Where to go', headers: { Location: { schema: { type: 'string' } } } },
}

const FILE: JsonSchema = {
  type: 'object',
  required: ['file'],
  properties: { file: { type: 'string', format: 'binary' } },
}

function parameters(route: Route): JsonSchema[] {
  const inPath = Array.from(route.path.matchAll(/:([^/]+)/g), ([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const own = route.query ?? []
  const common = localeAndMode.filter((parameter) => own.every(({ name }) => name !== parameter.name))
  return [...inPath, ...[...own, ...common].map(queryParameter)]
}

function queryParameter({ name, description, schema }: QueryParameter): JsonSchema {
  const style = schema.type === 'object' ? { style: 'deepObject', explode: true } : {}
  return { name, in: 'query', description, ...style, schema }
}

const ERROR: JsonSchema = {
  type: 'object',
  required: ['name', 'message', 'data'],
  properties: {
    name: { enum: Object.keys(STATUS_OF) },
    message: { type: 'string', description: 'One or two plain sentences.' },
    data: {
      type: 'object',
      description: '`errors`: one `{ path, name, message }` for each field; `requestId`: for 500s.',
    },
  },
}

const SECURITY = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key or a login token.' },
  apiKey: { type: 'apiKey', in: 'query', name: 'apikey' },
  apiKeyHeader: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`ApiKey <key>`' },
}

function json(schema: JsonSchema): JsonSchema {
  return { 'application/json': { schema } }
}
