import { type ZodType, z } from 'zod'
import { invalidFields, type Problem } from '../../base/errors.ts'
import { Html } from '../../base/html.ts'
import { isObject, type JsonSchema } from '../../base/json.ts'
import type { Context } from '../../engine/context.ts'
import { type QueryParameter, Reply, type Route, type RouteRequest } from './route.ts'

/** A request whose body and query have been read by the route's schemas. */
export interface TypedRequest<Body, Query> extends Omit<RouteRequest, 'body' | 'query'> {
  readonly body: Body
  readonly query: Query
}

/** A route of a site: as `Route`, with schemas of what it takes. */
export interface RouteDeclaration<Body, Query> extends Omit<Route, 'body' | 'query' | 'handle'> {
  /** What its body must be: `z.strictObject({ … })`. A JSON schema is only shown in the OpenAPI document. */
  readonly body?: ZodType<Body> | JsonSchema
  /** What its query must be: texts, or what `z.coerce` makes of them. A list is only shown in the OpenAPI document. */
  readonly query?: ZodType<Query> | readonly QueryParameter[]
  /**
   * The `Content-Security-Policy` of the HTML that it answers (a value made by `html`); without one nothing is loaded,
   * run or framed: `default-src 'none'; frame-ancestors 'none'`.
   */
  readonly csp?: string
  handle(ctx: Context, request: TypedRequest<Body, Query>): Promise<unknown>
}

/**
 * Declares a route. What does not fit the schemas of its body and query is refused as `invalid`, with all problems by
 * their paths; `handle` gets what they have read, and may return `html`.
 *
 *     route({
 *       method: 'POST',
 *       path: '/api/v1/vote',
 *       body: z.strictObject({ articleId: z.string(), stars: z.int().min(1).max(5) }),
 *       handle: async (ctx, { body }) => vote(ctx, body.articleId, body.stars),
 *       …
 *     })
 */
export function route<Body = RouteRequest['body'], Query = RouteRequest['query']>(
  declared: RouteDeclaration<Body, Query>,
): Route {
  const { body, query, csp, handle, ...data } = declared
  if (csp !== undefined && !/^[\x20-\x7e]+$/.test(csp)) {
    throw new TypeError(`The csp of ${data.method} ${data.path} must be one line of ASCII characters.`)
  }
  return {
    ...data,
    ...(csp !== undefined && { mediaType: data.mediaType ?? 'text/html' }),
    ...(body && { body: isSchema(body) ? jsonSchemaOf(body) : body }),
    ...(query && { query: isSchema(query) ? parametersOf(query) : query }),
    handle: async (ctx, request) => {
      // `as`: what has no schema is as it came, as the default types say.
      const [given, asked] = [request.body as Body, request.query as Query]
      const read = {
        ...request,
        body: isSchema(body) ? await readValue(body, given, 'body') : given,
        query: isSchema(query) ? await readValue(query, asked, 'query') : asked,
      }
      return shown(await handle.call(declared, ctx, read), csp)
    },
  }
}

function isSchema<Value, Other>(schema: ZodType<Value> | Other | undefined): schema is ZodType<Value> {
  return isObject(schema) && typeof schema.safeParseAsync === 'function'
}

function shown(answer: unknown, csp: string | undefined): unknown {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    ...(csp !== undefined && { 'Content-Security-Policy': csp }),
  }
  if (answer instanceof Html) return new Reply(String(answer), headers)
  if (!(answer instanceof Reply) || !(answer.body instanceof Html)) return answer
  return new Reply(String(answer.body), { ...headers, ...answer.headers }, answer.status, answer.cookies)
}

/** The most problems that are reported of one request. */
const MOST_PROBLEMS = 100

/** What a schema reads. Throws `invalid` with all problems by their paths. */
export async function readValue<Value>(schema: ZodType<Value>, given: unknown, part: 'body' | 'query'): Promise<Value> {
  const read = await schema.safeParseAsync(given)
  if (read.success) return read.data
  const problems = read.error.issues.slice(0, MOST_PROBLEMS).flatMap((issue) => problemsOf(issue, given, part))
  throw invalidFields(problems.slice(0, MOST_PROBLEMS))
}

type Issue = z.core.$ZodIssue

function problemsOf(issue: Issue, given: unknown, part: string): Problem[] {
  const at = (path: readonly PropertyKey[]) => path.map(String).join('.') || part
  if (issue.code === 'unrecognized_keys') {
    const unknown = (key: string) =>
      ({ path: at([...issue.path, key]), name: 'unknown', message: 'Unknown name.' }) as const
    return issue.keys.slice(0, MOST_PROBLEMS).map(unknown)
  }
  const path = at(issue.path)
  if (isMissing(given, issue.path)) return [{ path, name: 'required', message: 'This is required.' }]
  return [{ path, name: NAMES[issue.code] ?? 'invalid', message: issue.message }]
}

const NAMES: { readonly [code: string]: Problem['name'] } = { too_small: 'min', too_big: 'max' }

function isMissing(given: unknown, path: readonly PropertyKey[]): boolean {
  let value = given
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return true
    value = Reflect.get(value, step)
  }
  return value === undefined
}

/** For the OpenAPI document; what a schema says in code alone is left out. */
function jsonSchemaOf(schema: ZodType): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return rest
}

function parametersOf(schema: ZodType): QueryParameter[] {
  const { properties } = jsonSchemaOf(schema)
  if (!isObject(properties)) return []
  return Object.entries(properties).map(([name, property]) => {
    const { description = '', ...rest } = isObject(property) ? property : {}
    return { name, description: String(description), schema: rest }
  })
}
