import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Answer } from './answer.ts'

/** An encoding that callers may accept. */
export type Encoding = 'br' | 'gzip'

/** How an answer may be compressed. */
export interface Compression {
  readonly encoding: Encoding
  /** The caller is a page that has signed in with a cookie: only long JSON is. */
  readonly isForSession: boolean
}

const SESSION_HEADER = 'Sec-Fetch-Site'
const LEAST_BYTES = 1024
const LEAST_BYTES_FOR_SESSIONS = 4096
const COMPRESSIBLE = /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:json|xml)\b)/
const JSON_ONLY = /^application\/json\b/
/** Higher levels save a few percent more, but take several times as long. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

const compressors: { readonly [encoding in Encoding]: (bytes: Buffer) => Promise<Buffer> } = {
  br: (bytes) => promisify(brotliCompress)(bytes, BROTLI),
  gzip: (bytes) => promisify(gzip)(bytes),
}

/**
 * How the answer to a request may be compressed; null for not at all. Cookies come with requests that a page of another
 * site makes browsers send: it could choose a part of the answer, and learn the rest from its length (BREACH). So
 * sessions get compressed answers only where the browser says that a page of this very site asks, which no other can
 * make it say. Nor can other sites forge the header of a key or token.
 */
export function compressionFor(isSession: boolean, headers: IncomingHttpHeaders): Compression | null {
  if (isSession && headers['sec-fetch-site'] !== 'same-origin') return null
  const encoding = acceptedEncoding(headers['accept-encoding'])
  return encoding && { encoding, isForSession: isSession }
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
export async function compressed(answer: Answer, compression: Compression | null): Promise<Answer> {
  const { body, headers } = answer
  if (body instanceof Readable || body.length <= LEAST_BYTES || headers['Content-Encoding'] !== undefined) return answer
  const type = headers['Content-Type'] ?? ''
  if (!COMPRESSIBLE.test(type)) return answer
  const Vary = withVary(headers.Vary, 'Accept-Encoding')
  if (
    compression === null ||
    (compression.isForSession && (body.length <= LEAST_BYTES_FOR_SESSIONS || !JSON_ONLY.test(type)))
  )
    return { ...answer, headers: { ...headers, Vary } }
  const { encoding } = compression
  const ETag = headers.ETag === undefined ? {} : { ETag: headers.ETag.replace(/"$/, `-${encoding}"`) }
  const own = { ...headers, ...ETag, Vary, 'Content-Encoding': encoding }
  return { ...answer, headers: own, body: await compressors[encoding](Buffer.isBuffer(body) ? body : body.bytes()) }
}

/** An answer to a session, where it could be compressed: it also depends on who made the browser ask. */
export function forSession(answer: Answer): Answer {
  const { Vary } = answer.headers
  if (!Vary?.includes('Accept-Encoding')) return answer
  return { ...answer, headers: { ...answer.headers, Vary: withVary(Vary, SESSION_HEADER) } }
}

/** A `Vary` that names one more header of requests. */
function withVary(vary: string | undefined, name: string): string {
  if (vary === undefined) return name
  return vary.includes(name) && vary.split(', ').includes(name) ? vary : `${vary}, ${name}`
}

/** An `If-Match` with the ETags of the uncompressed answers, which identify the document. */
export function uncompressedTags(ifMatch: string): string {
  return ifMatch.replaceAll(/-(?:br|gzip)"/g, '"')
}
