import type { JsonSchema } from '../base/json.ts'
import type { Context } from '../engine/context.ts'

/** A route is data plus one function. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the site's prefix, with `:name` for parameters: `/api/v1/article/:_id`. */
  readonly path: string
  /** One line for the OpenAPI document. */
  readonly summary: string
  /** The group in the OpenAPI document: a type's or an area's name. */
  readonly tag: string
  /** Unique in the site, for generated clients: `article.list`. */
  readonly operationId: string
  readonly query?: readonly QueryParameter[]
  readonly body?: JsonSchema
  /** The JSON a success answers. */
  readonly answer: JsonSchema
  /** The answer depends on nothing but the request, the caller's role and the content: it may be kept in memory. */
  readonly cached?: boolean
  /** For cached routes: seconds strangers' answers may be kept by others; null revalidates each time. */
  readonly maxAge?: number | null
  handle(ctx: Context, request: RouteRequest): Promise<unknown>
}

export interface QueryParameter {
  readonly name: string
  readonly description: string
  readonly schema: JsonSchema
}

/** A request as read: names from outside in null-prototype objects, query parsed with `a[b]=` and `a[]=`. */
export interface RouteRequest {
  readonly params: { readonly [name: string]: string }
  readonly query: QueryValues
  /** Parsed JSON or form; an empty object when there was no body. */
  readonly body: { readonly [name: string]: unknown }
  readonly ifMatch: string | null
}

export type QueryValue = string | readonly QueryValue[] | QueryValues
export interface QueryValues {
  readonly [name: string]: QueryValue
}

/**
 * What `handle` returns when it has more to say than a JSON value. The body is sent as JSON; bytes (a `Uint8Array`) and
 * a text with a `Content-Type` header leave as they are. Headers win over the server's own, except strangers' ETag.
 */
export class Reply {
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly status: number

  constructor(body: unknown, headers: Readonly<Record<string, string>> = {}, status = 200) {
    this.body = body
    this.headers = headers
    this.status = status
  }
}

/** States a route's type; gives it back unchanged. */
export function route(data: Route): Route {
  return data
}
