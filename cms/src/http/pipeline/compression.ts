import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Answer } from './answer.ts'

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
