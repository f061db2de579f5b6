import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { JsonSchema } from '../../base/json.ts'
import { inTime } from '../../base/patience.ts'
import type { Credential } from '../../engine/access/credential.ts'
import type { Context } from '../../engine/context.ts'
import type { Actor } from '../../engine/permissions.ts'
import type { JoinedBytes } from '../../engine/shared-bytes.ts'
import type { Cookie } from './cookies.ts'
import type { Failure } from './failure-status.ts'

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
  readonly query?: readonly QueryParameter[]
  readonly body?: JsonSchema
  /** Bytes that its body may have, where that is less than the site allows. */
  readonly maxBodyBytes?: number
  /** Accepts a file: `multipart/form-data`, which is not read before `handle` asks for it (`RouteRequest.upload`). */
  readonly upload?: boolean
  /** The schema of the JSON that a success is answered with. */
  readonly answer: JsonSchema
  /** The media type of a successful answer that is not JSON: `text/css`. */
  readonly mediaType?: string
  /** The callers to whom the OpenAPI document shows it; all when left out. */
  readonly isFor?: (actor: Actor) => boolean
  /** It answers the same in every locale, private ones too: anonymous callers can use it at any address. */
  readonly ignoresLocale?: boolean
  /**
   * Whoever may use it may know of all locales; it refuses others itself, in the same way whatever locale they name.
   */
  readonly knowsAllLocales?: boolean
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
   * What its writes lock, where that is more than the document `_id`: few of those that name the same run at a time.
   */
  readonly lock?: string
  /** Its answers contain secrets: they are never stored for repeated requests (`Idempotency-Key`). */
  readonly isSecret?: boolean
  /** Throws what the caller's role can never do here. Asked before a body is read, and so knows nothing of it. */
  permit?(ctx: Context, params: RouteRequest['params']): void
  handle(ctx: Context, request: RouteRequest): Promise<unknown>
}

/** True for routes that can change what is stored. */
export function writes({ method, isRead }: Pick<Route, 'method' | 'isRead'>): boolean {
  return method !== 'GET' && isRead !== true
}

/** A route of a site, whose reads may take a minute: one that never ended would keep its place among those running. */
export function endingInTime(route: Route): Route {
  if (writes(route)) return route
  const name = `${route.method} ${route.path}`
  return { ...route, handle: (ctx, request) => inTime(name, route.handle(ctx, request)) }
}

/** A query parameter, for the OpenAPI document. */
export interface QueryParameter {
  readonly name: string
  readonly description: string
  readonly schema: JsonSchema
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

/** What a route that declares `upload` gets instead of a body. */
export interface Upload {
  /**
   * Begins to read the body, `multipart/form-data`, and returns its part named `file`. Ask once, after everything that
   * can be refused without it. No such part, or no such body: `invalid`; announced too long: `toolarge`.
   */
  file(): Promise<UploadedFile>
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

/** Who sent a request, beyond the actor that the context names: for routes that sign callers in and out. */
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
 * What `handle` returns when it has more to say than a JSON value. A stream (a `Readable`, or an async iterable of
 * bytes or texts) is sent as fast as the caller takes it, destroyed when the caller goes away, and cuts the connection
 * when it fails half way. Any other body is sent as JSON; bytes (a `Uint8Array`) and a text with a `Content-Type`
 * header leave as they are. Headers win over the server's own, except the ETag of answers to anonymous callers.
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
