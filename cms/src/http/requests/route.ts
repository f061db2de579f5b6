import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { JsonSchema } from '../../base/json.ts'
import { inTime } from '../../base/patience.ts'
import type { Credential } from '../../engine/access/secrets.ts'
import type { Context } from '../../engine/context.ts'
import type { Actor } from '../../engine/permissions.ts'
import type { JoinedBytes } from '../../engine/shared-bytes.ts'
import type { UnknownName } from '../../engine/values/unknown-name.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Failure } from './failure-status.ts'
import type { Cookie } from './headers.ts'

/** The media type of answers with areas as HTML (`render-areas`): JSON to clients that ignore the parameter. */
export const RENDERED_TYPE = 'application/json; areas=html'

/** A route: data and one function. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the site's prefix, with `:name` for parameters: `/api/v1/article/:_id`. */
  readonly path: string
  /** One line for the OpenAPI document. */
  readonly summary: string
  /** More of it, for the OpenAPI document; the summary when left out. */
  readonly description?: string
  /** The group in the OpenAPI document: a type's or an area's name. */
  readonly tag: string
  /** Unique in the site, for generated clients: `article.list`. */
  readonly operationId: string
  /** Schemas of parameters of its path that cannot be any text. */
  readonly params?: { readonly [name: string]: JsonSchema }
  readonly query?: readonly QueryParameter[]
  /** Its query may have any names: a route of a site that declares none. */
  readonly takesAnyQuery?: boolean
  readonly body?: JsonSchema
  /** Bytes that its body may have, where that is less than the site allows. */
  readonly maxBodyBytes?: number
  /** Accepts a file: `multipart/form-data`, which is not read before `handle` asks for it (`RouteRequest.upload`). */
  readonly upload?: boolean
  /** With `upload`: the file may be the body itself, too, of any type but JSON and forms. */
  readonly takesBytes?: true
  /** The schema of the JSON that a success is answered with. */
  readonly answer: JsonSchema
  /** The schema of the JSON that is answered where `render-areas` asks for HTML, as an answer of its own type. */
  readonly rendered?: JsonSchema
  /** The media type of a successful answer that is not JSON: `text/css`. */
  readonly mediaType?: string
  /** The callers to whom the OpenAPI document shows it; all when left out. */
  readonly isFor?: (actor: Actor) => boolean
  /** On this site it can only be refused, which says why: neither the OpenAPI document nor `Allow` names it. */
  readonly isRefused?: boolean
  /** It answers the same in every locale, private ones too: anonymous callers can use it at any address. */
  readonly ignoresLocale?: boolean
  /** Its callers may know of all locales; it refuses others itself, alike for every locale that they name. */
  readonly knowsAllLocales?: boolean
  /** A route of the site's own plugins at its path takes its place. */
  readonly yields?: true
  /** It writes nothing, whatever its method: its body only says what is asked for. */
  readonly isRead?: boolean
  /** It redirects (302), and has no body. */
  readonly redirects?: boolean
  /** The answer depends on nothing but the request, the caller's role and the content: it may be cached in memory. */
  readonly cached?: boolean
  /** For cached routes: the query changes nothing but the locale, so that all others share one answer. */
  readonly ignoresQuery?: boolean
  /**
   * For cached routes: seconds for which others may cache the answers to anonymous callers; null revalidates each time.
   */
  readonly maxAge?: number | null
  /** Known callers may store and revalidate the answer, too: its ETag identifies its bytes, and no document. */
  readonly isRevalidated?: boolean
  /** It runs whatever the load: for health checks, and for what bounds itself and asks no database. */
  readonly isUrgent?: boolean
  /**
   * It answers browsers at all paths that no other route has (§4.2b), and so is no part of the interface: answers to
   * the external front end are as public as those to anonymous callers, and failures look like pages.
   */
  readonly page?: {
    /** The page that a failure is answered with. What it throws becomes a plain page. */
    fail(ctx: Context, failure: Failure, request: FailedRequest): Promise<Reply>
  }
  /**
   * Whether the answer may take tens of megabytes, or much processor time: such answers are made and sent one after
   * another, and others do not wait for them.
   */
  isLong?(query: QueryValues): boolean
  /**
   * The lock of its writes, where that is more than the document `_id`: few writes with the same lock run at a time.
   */
  readonly lock?: string
  /** It checks a password, which takes a processor: few run at a time, and none takes the place of a write. */
  readonly isSignIn?: boolean
  /** Its answers contain secrets: they are never stored for repeated requests (`Idempotency-Key`). */
  readonly isSecret?: boolean
  /** Whether its query may have this name in addition to those of `query`: a filter by what the caller sees. */
  takesParameter?(ctx: Context, name: string): boolean
  /** The types of the document that its body sets fields of; several where the body does not say which. */
  documents?(body: RouteRequest['body']): readonly Type[]
  /** Throws what the caller's role can never do here. Asked before a body is read, and so knows nothing of it. */
  permit?(ctx: Context, params: RouteRequest['params']): void
  handle(ctx: Context, request: RouteRequest): Promise<unknown>
}

/** True for routes that can change what is stored. */
export function writes({ method, isRead }: Pick<Route, 'method' | 'isRead'>): boolean {
  return method !== 'GET' && isRead !== true
}

/**
 * A route of a site: it takes any query where it declares none, and its reads may take a minute: one that never ended
 * would keep its place among those running.
 */
export function ofSite(declared: Route): Route {
  const route = { ...declared, takesAnyQuery: declared.takesAnyQuery ?? declared.query === undefined }
  if (writes(route)) return route
  const name = `${route.method} ${route.path}`
  return { ...route, handle: (ctx, request) => inTime(name, route.handle(ctx, request)) }
}

/** A query parameter, for the OpenAPI document. */
export interface QueryParameter {
  readonly name: string
  readonly description: string
  readonly schema: JsonSchema
  /** Its schema for a caller, where it names what not all may know of; `schema` when left out. */
  readonly schemaFor?: (actor: Actor) => JsonSchema
  /** Without it the request is refused. */
  readonly isRequired?: true
  /** Lists the names in its value that nothing reads, of a parameter that names fields. */
  unknownNames?(ctx: Context, value: QueryValues[string]): readonly UnknownName[]
  /** The callers to whom the OpenAPI document shows it; all when left out. */
  readonly isFor?: (actor: Actor) => boolean
}

/** A request as read: names from outside in null-prototype objects, query parsed with `a[b]=` and `a[]=`. */
export interface RouteRequest {
  /** As it was sent, without keys: `/prefix/fr/articles?page=2`. */
  readonly url: string
  readonly params: { readonly [name: string]: string }
  readonly query: QueryValues
  /** Parsed JSON or form; an empty object when there was no body. */
  readonly body: { readonly [name: string]: unknown }
  readonly ifMatch: string | null
  readonly headers: IncomingHttpHeaders
  /** The caller wants only the headers: what the body would be need not be opened. */
  readonly isHead: boolean
  /** The file that is sent to a route that declares `upload`; others have none. */
  readonly upload: Upload
  readonly sender: Sender
}

/** A request for a page that failed; its parameters may be what is wrong with it. */
export type FailedRequest = Pick<RouteRequest, 'url' | 'headers'> & { readonly isFrontend: boolean }

/** The body of a request to a route that declares `upload`. */
export interface Upload {
  /**
   * Begins to read the body, `multipart/form-data`, and returns its part named `file`. Ask once, after everything that
   * can be refused without it. No such part, or no such body: `invalid`; longer than `mostBytes`, or than the site takes:
   * `toolarge`.
   */
  file(mostBytes?: number): Promise<UploadedFile>
}

/** A file as it comes from outside. */
export interface UploadedFile {
  /** As the sender calls it, without folders; any text, perhaps empty. */
  readonly name: string
  /** The type that the sender claims. */
  readonly type: string
  /**
   * The bytes. It ends only when the whole body was in order, and is else destroyed with a `CmsError`: what comes out
   * of a stream that ended is the whole file.
   */
  readonly stream: Readable
}

/** The sender of a request, for routes that sign callers in and out. */
export interface Sender {
  /** The connection's own address, or the forwarded one where the site trusts its proxy (§5.4). */
  readonly address: string
  /** The credential that identified the caller; null for anonymous callers. */
  readonly credential: Credential | null
  /** The answer travels encrypted: cookies can be `Secure`. */
  readonly isSecure: boolean
  /** The browser reports that a page of another site sent it. */
  readonly isForeign: boolean
  /** The external front end sent it, with its key; the actor may be the visitor, all the same. */
  readonly isFrontend: boolean
}

/** A value of a parsed query: a text, or what brackets in names made of several. */
export type QueryValue = string | readonly QueryValue[] | QueryValues
export interface QueryValues {
  readonly [name: string]: QueryValue
}

/**
 * An answer with a status or headers. A stream (a `Readable`, or an async iterable of bytes or texts) is sent as fast
 * as the caller takes it, and cuts the connection when it fails. Bytes and text with a `Content-Type` header leave as
 * they are, any other body as JSON. Headers win, except over the ETag of answers to anonymous callers.
 */
export class Reply {
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly status: number
  readonly cookies: readonly Cookie[]

  constructor(
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
    status = 200,
    cookies: readonly Cookie[] = [],
  ) {
    this.body = body
    this.cookies = cookies
    this.headers = headers
    this.status = status
  }

  /** A body with its entity tag; null for none. */
  static tagged(body: JoinedBytes, tag: string | null): Reply {
    return new Reply(body, tag === null ? {} : { ETag: tag })
  }
}

/** States a route's type; gives it back unchanged. */
export function route(data: Route): Route {
  return data
}
