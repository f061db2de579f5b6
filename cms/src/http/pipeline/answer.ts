import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { JoinedBytes } from '../../engine/shared-bytes.ts'
import { type Cookie, PUBLIC_REVALIDATED } from '../requests/headers.ts'
import { Reply } from '../requests/route.ts'

// Not imported, as in sockets.ts.
const { validateHeaderName, validateHeaderValue } = process.getBuiltinModule('node:http')

/** An answer as it leaves: everything but the connection's own headers. */
export interface Answer<Body extends AnswerBody = AnswerBody> {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The sender of the answer reads a stream to its end, or destroys it. */
  readonly body: Body
  readonly cookies?: readonly Cookie[]
  /** It depends on more than the content and the caller's role: it must not be sent to anybody else. */
  readonly isPersonal?: boolean
}

/** Bytes, in one piece or not yet, or a stream of them. */
export type AnswerBody = Buffer | JoinedBytes | Readable

const JSON_TYPE = 'application/json; charset=utf-8'
const VARY = 'Authorization, Cookie'
/**
 * The request headers that answers to anonymous callers depend on: the front end identifies itself by headers, and sees
 * private locales; in static builds URLs begin differently (§4.6).
 */
export const PUBLIC_VARY = `${VARY}, X-Requested-With, Apos-External-Front-Key, X-Apos-Static-Base-Url`

/**
 * Whether an answer may be stored and revalidated: by all caches, or by its caller alone. ETags are made from its bytes.
 */
export type Caching =
  | { readonly kind: 'public'; readonly maxAge: number | null }
  | { readonly kind: 'private' }
  | { readonly kind: 'none' }

/**
 * Makes the answer from the result of a route. A `Reply`'s headers win over ours, but reads of anonymous callers always
 * have an ETag made from the bytes. Bytes, joined or not, and text with its own Content-Type are sent as they are;
 * anything else as JSON, which `type` may call by another name.
 */
export function answerOf(result: unknown, caching: Caching, type = JSON_TYPE): Answer {
  const reply = result instanceof Reply ? result : new Reply(result)
  const body = reply.body instanceof JoinedBytes ? reply.body : (streamOf(reply.body) ?? bytesOf(reply))
  const headers: Record<string, string> = {
    'Content-Type': type,
    'Cache-Control': cacheControl(caching, reply.status),
    Vary: caching.kind === 'public' ? PUBLIC_VARY : VARY,
  }
  for (const [name, value] of Object.entries(reply.headers)) {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    headers[nameIn(headers, name)] = value
  }
  if (caching.kind !== 'none' && !(body instanceof Readable)) headers.ETag = `"${digestOf(body)}"`
  return { status: reply.status, headers, body, ...(reply.cookies.length > 0 ? { cookies: reply.cookies } : {}) }
}

/** Header names are case-insensitive. */
function nameIn(headers: Readonly<Record<string, string>>, name: string): string {
  return Object.keys(headers).find((known) => known.toLowerCase() === name.toLowerCase()) ?? name
}

/** A JSON answer that must not be cached: errors, OPTIONS. */
export function jsonAnswer(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answer<Buffer> {
  const body = Buffer.from(JSON.stringify(value))
  return { ...answerOf(new Reply(body, headers, status), { kind: 'none' }), body }
}

/** A plain text answer that must not be cached. */
export function textAnswer(status: number, text: string): Answer<Buffer> {
  return { ...jsonAnswer(status, {}, { 'Content-Type': 'text/plain; charset=utf-8' }), body: Buffer.from(text) }
}

/** Identifies the bytes. */
function digestOf(body: Buffer | JoinedBytes): string {
  return Buffer.isBuffer(body) ? hash('sha1', body, 'base64url') : body.digest
}

function streamOf(body: unknown): Readable | null {
  if (body instanceof Readable) return body
  return isAsyncIterable(body) ? Readable.from(body, { objectMode: false }) : null
}

function isAsyncIterable(body: unknown): body is AsyncIterable<Uint8Array | string> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}

function bytesOf(reply: Reply): Buffer {
  if (reply.body instanceof Uint8Array) return Buffer.from(reply.body.buffer, reply.body.byteOffset, reply.body.length)
  const { body, headers } = reply
  if (typeof body === 'string' && Object.hasOwn(headers, nameIn(headers, 'Content-Type'))) return Buffer.from(body)
  return Buffer.from(JSON.stringify(body ?? {}))
}

function cacheControl(caching: Caching, status: number): string {
  if (caching.kind === 'none' || status !== 200) return 'no-store'
  if (caching.kind === 'private') return 'private, no-cache'
  return caching.maxAge === null ? PUBLIC_REVALIDATED : `public, max-age=${caching.maxAge}`
}

/**
 * The answer itself, or 304 without a body when the caller has it already (`If-None-Match`: lists, `W/`, `*`). What must
 * not be stored is always sent: the ETag of a document says nothing of those that it relates to.
 */
export function orNotModified<Of extends Answer>(answer: Of, ifNoneMatch: string | undefined): Of | Answer<Buffer> {
  const tag = answer.headers.ETag
  if (ifNoneMatch === undefined || tag === undefined || answer.status !== 200) return answer
  if (answer.headers['Cache-Control'] === 'no-store') return answer
  if (!matchesTag(tag, ifNoneMatch)) return answer
  const { 'Content-Type': _, 'Content-Length': __, ...headers } = answer.headers
  if (answer.body instanceof Readable) answer.body.destroy()
  return { status: 304, headers, body: Buffer.alloc(0) }
}

/** True when an `If-None-Match` names this ETag. */
export function matchesTag(tag: string, ifNoneMatch: string): boolean {
  if (ifNoneMatch === tag) return true
  return ifNoneMatch.split(',').some((text) => {
    const known = text.trim()
    return known === '*' || known === tag || known === `W/${tag}`
  })
}

/** Whether an answer may be cached at all. A stream can be read only once. */
export function isForAll({ status, body, isPersonal }: Answer): boolean {
  return status === 200 && !(body instanceof Readable) && isPersonal !== true
}

/** A cache in front that takes these headers from visitors must not give one's answer to another. */
export function withVary(answer: Answer, headers: readonly string[]): Answer {
  if (headers.length === 0 || !answer.headers['Cache-Control']?.startsWith('public')) return answer
  return { ...answer, headers: { ...answer.headers, Vary: [answer.headers.Vary, ...headers].join(', ') } }
}
