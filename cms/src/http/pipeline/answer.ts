import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { JoinedBytes } from '../../engine/shared-bytes.ts'
import type { Cookie } from '../requests/cookies.ts'
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
 * All that answers to anonymous callers depend on: the front end names itself by headers, and sees private locales;
 * in static builds URLs have another beginning (§4.6).
 */
export const PUBLIC_VARY = `${VARY}, X-Requested-With, Apos-External-Front-Key, X-Apos-Static-Base-Url`

/** Who may cache an answer: reads of anonymous callers may be cached and revalidated, nothing else is stored. */
export type Caching = { readonly kind: 'public'; readonly maxAge: number | null } | { readonly kind: 'none' }

/**
 * What a route returned → the answer. A `Reply`'s headers win over ours, but reads of anonymous callers always have an
 * ETag made from the bytes. Bytes, joined or not, and text with its own Content-Type are sent as they are; anything
 * else as JSON.
 */
export function answerOf(result: unknown, caching: Caching): Answer {
  const reply = result instanceof Reply ? result : new Reply(result)
  const body = reply.body instanceof JoinedBytes ? reply.body : (streamOf(reply.body) ?? bytesOf(reply))
  const headers: Record<string, string> = {
    'Content-Type': JSON_TYPE,
    'Cache-Control': cacheControl(caching, reply.status),
    Vary: caching.kind === 'public' ? PUBLIC_VARY : VARY,
  }
  for (const [name, value] of Object.entries(reply.headers)) {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    headers[nameIn(headers, name)] = value
  }
  if (caching.kind === 'public' && !(body instanceof Readable)) headers.ETag = `"${digestOf(body)}"`
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
  return caching.maxAge === null ? 'public, no-cache' : `public, max-age=${caching.maxAge}`
}

/** The answer itself, or 304 without a body when the caller has it already (`If-None-Match`: lists, `W/`, `*`). */
export function orNotModified<Of extends Answer>(answer: Of, ifNoneMatch: string | undefined): Of | Answer<Buffer> {
  const tag = answer.headers.ETag
  if (ifNoneMatch === undefined || tag === undefined || answer.status !== 200) return answer
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

/** An encoding that callers may accept. */
export type Encoding = 'br' | 'gzip'

const LEAST_BYTES = 1024
const COMPRESSIBLE = /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:json|xml)\b)/
/** Higher levels save a few percent more, but take several times as long. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

const compressors: { readonly [encoding in Encoding]: (bytes: Buffer) => Promise<Buffer> } = {
  br: (bytes) => promisify(brotliCompress)(bytes, BROTLI),
  gzip: (bytes) => promisify(gzip)(bytes),
}

/** The preferred encoding of an `Accept-Encoding`; null for none. */
export function acceptedEncoding(header: string | string[] | undefined): Encoding | null {
  if (typeof header !== 'string') return null
  const [br, compressed] = [weightOf(header, 'br'), weightOf(header, 'gzip')]
  if (br > 0 && br >= compressed) return 'br'
  return compressed > 0 ? 'gzip' : null
}

function weightOf(header: string, encoding: Encoding): number {
  for (const part of header.split(',', 20)) {
    const [name = '', weight = ''] = part.split(';', 2)
    if (name.trim().toLowerCase() === encoding) return weight === '' ? 1 : Number(weight.replace(/^\s*q=/i, '')) || 0
  }
  return 0
}

/**
 * An answer in the encoding that its caller accepts, with an ETag of its own; short ones, streams and what is
 * compressed already stay as they are. All that could be compressed varies by `Accept-Encoding`.
 */
export async function compressed(answer: Answer, encoding: Encoding | null): Promise<Answer> {
  const { body, headers } = answer
  if (body instanceof Readable || body.length <= LEAST_BYTES || headers['Content-Encoding'] !== undefined) return answer
  if (!COMPRESSIBLE.test(headers['Content-Type'] ?? '')) return answer
  const Vary = headers.Vary === undefined ? 'Accept-Encoding' : `${headers.Vary}, Accept-Encoding`
  if (encoding === null) return { ...answer, headers: { ...headers, Vary } }
  const ETag = headers.ETag === undefined ? {} : { ETag: headers.ETag.replace(/"$/, `-${encoding}"`) }
  const own = { ...headers, ...ETag, Vary, 'Content-Encoding': encoding }
  return { ...answer, headers: own, body: await compressors[encoding](Buffer.isBuffer(body) ? body : body.bytes()) }
}

/** An `If-Match` with the ETags of the uncompressed answers, which identify the document. */
export function uncompressedTags(ifMatch: string): string {
  return ifMatch.replaceAll(/-(?:br|gzip)"/g, '"')
}
