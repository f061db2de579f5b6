import { type ZodType, z } from 'zod'
import { didYouMean } from '../../base/did-you-mean.ts'
import { invalidFields, type Problem } from '../../base/errors.ts'
import { Html } from '../../base/html.ts'
import { isObject, type JsonSchema } from '../../base/json.ts'
import { messageOf } from '../../base/thrown.ts'
import type { Context } from '../../engine/context.ts'
import { inputSchemaOf, messageOfIssue, optionNames, valueAt } from '../../model/compile/read-options.ts'
import { type QueryParameter, Reply, type Route, type RouteRequest } from './route.ts'

/** A request whose body and query have been read by the route's schemas. */
export interface TypedRequest<Body, Query> extends Omit<RouteRequest, 'body' | 'query'> {
  readonly body: Body
  readonly query: Query
}

/** A route of a site: as `Route`, with schemas of what it takes. */
export interface RouteDeclaration<Body, Query> extends Omit<Route, 'body' | 'query' | 'handle'> {
  /** The schema of the body: `z.strictObject({ … })`, or a JSON schema, which leaves the body as it was sent. */
  readonly body?: ZodType<Body> | JsonSchema
  /**
   * The schema of the query: texts, or values made by `z.coerce`; or a list of parameters with JSON schemas, which leave
   * the texts as they were sent: `12` is a number there. All of them may be left out.
   */
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
 * their paths; `handle` gets what Zod schemas have read, and may return `html`. Throws a `TypeError` for a JSON schema
 * with keywords that cannot be checked.
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
  const checks = checksOf(declared)
  return {
    ...data,
    ...(csp !== undefined && { mediaType: data.mediaType ?? 'text/html' }),
    ...(body && { body: isSchema(body) ? inputSchemaOf(body) : body }),
    ...(query && { query: isSchema(query) ? parametersOf(query) : query }),
    ...(isSchema(query) && { takesAnyQuery: takesAny(inputSchemaOf(query)) }),
    handle: async (ctx, request) => {
      // `as`: what has no schema is as it came, as the default types say.
      const [given, asked] = [request.body as Body, request.query as Query]
      const [readBody, readQuery] = [
        await readValue(checks.body, given, 'body'),
        await readValue(checks.query, asked, 'query'),
      ]
      const read = {
        ...request,
        body: isSchema(body) ? readBody : given,
        query: isSchema(query) ? readQuery : asked,
      }
      return shown(await handle.call(declared, ctx, read), csp)
    },
  }
}

/** The schemas that read the requests of a route. */
interface Checks<Body, Query> {
  readonly body: ZodType<Body>
  readonly query: ZodType<Query>
}

function checksOf<Body, Query>({ body, query = [], method, path }: RouteDeclaration<Body, Query>): Checks<Body, Query> {
  try {
    // `as`: JSON schemas only check; what they have read is not used.
    return {
      body: (isSchema(body) ? body : z.fromJSONSchema(body ?? {})) as ZodType<Body>,
      query: (isSchema(query) ? query : z.looseObject(Object.fromEntries(query.map(checkOf)))) as ZodType<Query>,
    }
  } catch (error) {
    const reason = messageOf(error)
    throw new TypeError(`${method} ${path} has a JSON schema that cannot be checked: ${reason}. Write it with Zod.`)
  }
}

function checkOf({ name, schema }: QueryParameter): [string, ZodType] {
  return [name, z.preprocess((given) => fromText(given, schema), z.fromJSONSchema(schema)).optional()]
}

/** Returns what a JSON schema calls the texts of a query: numbers, true and false, lists of one, and those in objects. */
function fromText(given: unknown, schema: JsonSchema): unknown {
  const { type, items, properties } = schema
  if (type === 'array') return (Array.isArray(given) ? given : [given]).map((one) => fromText(one, schemaIn(items)))
  if (isObject(given)) {
    const inner = schemaIn(properties)
    return Object.fromEntries(Object.entries(given).map(([name, one]) => [name, fromText(one, schemaIn(inner[name]))]))
  }
  if (typeof given !== 'string') return given
  if (type === 'boolean') return BOOLEANS.get(given) ?? given
  const isNumber = (type === 'number' || type === 'integer') && given.trim() !== ''
  return isNumber && Number.isFinite(Number(given)) ? Number(given) : given
}

const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

function schemaIn(value: unknown): JsonSchema {
  return isObject(value) ? value : {}
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

/** Parses a value by a schema. Throws `invalid` with all problems by their paths. */
export async function readValue<Value>(schema: ZodType<Value>, given: unknown, part: 'body' | 'query'): Promise<Value> {
  const read = await schema.safeParseAsync(given)
  if (read.success) return read.data
  const problems = read.error.issues.slice(0, MOST_PROBLEMS).flatMap((issue) => problemsOf(schema, given, issue, part))
  throw invalidFields(problems.slice(0, MOST_PROBLEMS))
}

type Issue = z.core.$ZodIssue

function problemsOf(schema: ZodType, given: unknown, issue: Issue, part: string): Problem[] {
  const at = (path: readonly PropertyKey[]) => path.map(String).join('.') || part
  if (issue.code === 'unrecognized_keys') {
    const known = optionNames(schema, issue.path)
    return issue.keys.slice(0, MOST_PROBLEMS).map((key) => {
      const message = `Unknown name${didYouMean(key, known) || '.'}`
      return { path: at([...issue.path, key]), name: 'unknown', message }
    })
  }
  const value = valueAt(given, issue.path)
  const path = at(issue.path)
  if (value === undefined) return [{ path, name: 'required', message: 'This is required.' }]
  return [{ path, name: NAMES[issue.code] ?? 'invalid', message: sentenceOf(issue, value) }]
}

const NAMES: { readonly [code: string]: Problem['name'] } = { too_small: 'min', too_big: 'max' }

/** How the messages of the library begin; others are a site's own. */
const OF_LIBRARY = /^(Invalid|Too|Unrecognized) /

function sentenceOf(issue: Issue, value: unknown): string {
  if (!OF_LIBRARY.test(issue.message)) return issue.message
  const words = messageOfIssue(issue, value)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.?!]$/.test(words) ? '' : '.'}`
}

function takesAny({ properties, additionalProperties = false }: JsonSchema): boolean {
  return !isObject(properties) || additionalProperties !== false
}

function parametersOf(schema: ZodType): QueryParameter[] {
  const { properties, required } = inputSchemaOf(schema)
  if (!isObject(properties)) return []
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  return Object.entries(properties).map(([name, property]) => {
    const { description = '', ...rest } = isObject(property) ? property : {}
    const isRequired = needed.includes(name) ? ({ isRequired: true } as const) : {}
    return { name, description: String(description), schema: rest, ...isRequired }
  })
}
