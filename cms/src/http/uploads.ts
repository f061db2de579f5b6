import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { notFound } from '../base/errors.ts'
import { alternativeName } from '../engine/media/attachment-files.ts'
import type { ByteRange, FileFacts, Files, StoredFile } from '../files/files.ts'
import { servedAs } from '../files/served-as.ts'
import type { Site } from '../model/types.ts'
import { isKnown } from './answer.ts'
import { byteRange } from './byte-range.ts'
import type { Outgoing } from './outgoing.ts'
import { UPLOADS_OVERRULE } from './safety-headers.ts'

const FOR_EVER = ['Cache-Control', 'public, max-age=31536000, immutable']
const FOR_NOW = ['Cache-Control', 'public, no-cache']
const NEVER = ['Cache-Control', 'no-store']

/** Whose uploads are sent, and where they are. */
export interface UploadsOptions {
  readonly site: Pick<Site, 'prefix'>
  readonly files: Files
}

/**
 * Sends uploads: `GET|HEAD /uploads/attachments/<file>`, below the site's prefix or not. Everybody may have them, so
 * nobody is asked who they are; their names never change content, so they may be kept for ever. Whatever the file holds,
 * it cannot run anything where it is shown: types are ours, scripts are off, and what is no picture or PDF is saved.
 */
export class Uploads {
  readonly #files: Files
  readonly #places: readonly string[]
  readonly #outgoing: Outgoing
  readonly #headers: readonly string[]

  constructor({ site, files }: UploadsOptions, outgoing: Outgoing) {
    this.#files = files
    this.#places = [...new Set([`${site.prefix}/uploads/`, '/uploads/'])]
    this.#outgoing = outgoing
    this.#headers = [
      ...outgoing.rawHeadersFor(UPLOADS_OVERRULE),
      ...Object.entries({
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Accept-Ranges': 'bytes',
      }).flat(),
    ]
  }

  /** Answers what asks for an upload, and then is true; false leaves a request to others. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '' } = request
    if (method !== 'GET' && method !== 'HEAD') return false
    const place = this.#places.find((place) => url.startsWith(place))
    if (place === undefined) return false
    void this.#answer(nameOf(url.slice(place.length)), request, response)
    return true
  }

  async #answer(name: string | null, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now()
    const requestId = this.#outgoing.nextRequestId()
    const { method = '', url = '', socket } = request
    const facts = { requestId, method, url, address: socket.remoteAddress ?? '' }
    try {
      const stream = await this.#begin(name, request, response, requestId)
      this.#outgoing.noteSlow(facts, response.statusCode, performance.now() - started)
      if (stream === null) return
      // Piped to a caller who has gone meanwhile, it would stay open.
      if (response.destroyed) {
        stream.destroy()
        return
      }
      stream.once('error', (error) => {
        // Once the caller has gone, that is why.
        if (!response.destroyed) this.#outgoing.noteBroken(error, facts)
      })
      await pipeline(stream, response)
    } catch (error) {
      if (response.headersSent) {
        response.destroy()
      } else {
        const { status, headers, body } = this.#outgoing.failure(error, facts)
        response.writeHead(status, { ...headers, 'Content-Length': body.length })
        response.end(method === 'HEAD' ? undefined : body)
      }
    }
  }

  /** Sends the head, and what is at hand; answers the stream of what is still to be sent. */
  async #begin(
    name: string | null,
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
  ): Promise<Readable | null> {
    const { method, headers } = request
    const headOf = (found: FileFacts) => [
      ...this.#headers,
      ...headersOf(name ?? '', found),
      ...['X-Request-Id', id],
      ...(this.#outgoing.isClosing ? ['Connection', 'close'] : []),
    ]
    if (method === 'GET' && headers.range === undefined && headers['if-none-match'] === undefined) {
      const { stored: file, keeping } = await this.#find(name, (one) => this.#files.open(one))
      return begin(response, 200, [...headOf(file), ...keeping, 'Content-Length', String(file.length)], file)
    }
    const { stored: facts, keeping } = await this.#find(name, (one) => this.#files.facts(one))
    const { status, range, extra } = partOf(request, facts)
    const head = [...headOf(facts), ...(status === 416 ? NEVER : keeping), ...extra]
    if (method === 'HEAD' || status === 304 || status === 416) {
      response.writeHead(status, head).end()
      return null
    }
    const { stored: file } = await this.#find(name, (one) => this.#files.open(one, range))
    return begin(response, status, head, file)
  }

  /**
   * What is stored under a name or, when there is nothing, under the name's other form, which another crop may still take
   * for its own; else `notfound`.
   */
  async #find<T>(name: string | null, look: (name: string) => Promise<T | null>): Promise<Found<T>> {
    const found = name === null ? null : await look(name)
    const other = name === null ? null : alternativeName(name)
    // Where crops lie under both of their names, this may be the other one of a crop's, too.
    const mayChange = other !== null && this.#files.isServedElsewhere
    if (found !== null) return { stored: found, keeping: mayChange ? FOR_NOW : FOR_EVER }
    const stored = other === null ? null : await look(other)
    if (stored === null) throw notFound('There is no such upload.')
    return { stored, keeping: FOR_NOW }
  }
}

/** What is stored, and the header that says how long it may be kept. */
interface Found<T> {
  readonly stored: T
  readonly keeping: readonly string[]
}

/** What is to be sent of a file: its status, the range (all when left out), and the headers that go with them. */
function partOf(
  { headers }: IncomingMessage,
  { length, tag }: FileFacts,
): { status: number; range?: ByteRange; extra: readonly string[] } {
  const known = headers['if-none-match']
  if (known !== undefined && isKnown(`"${tag}"`, known)) return { status: 304, extra: [] }
  const isStale = headers['if-range'] !== undefined && headers['if-range'] !== `"${tag}"`
  const range = isStale ? null : byteRange(headers.range, length)
  if (range === null) return { status: 200, extra: ['Content-Length', String(length)] }
  if (range === 'beyond') return { status: 416, extra: ['Content-Length', '0', 'Content-Range', `bytes */${length}`] }
  const contentRange = `bytes ${range.start}-${range.end}/${length}`
  const partLength = String(range.end - range.start + 1)
  return { status: 206, range, extra: ['Content-Length', partLength, 'Content-Range', contentRange] }
}

/** The stored file that the rest of an address names; null for what can be no name. */
function nameOf(rest: string): string | null {
  const [path = ''] = rest.split(/[?#]/, 1)
  if (path.length > 1000 || /%(?:2[ef5]|5c|[01][0-9a-f]|7f)/i.test(path)) return null
  const [, file = ''] = /^attachments\/([^/]+)$/.exec(path) ?? []
  try {
    return file === '' ? null : `attachments/${decodeURIComponent(file)}`
  } catch {
    return null
  }
}

/** What the file is, and what browsers may do with it. */
function headersOf(name: string, { tag }: FileFacts): string[] {
  const { type, disposition, policy } = servedAs(name)
  return [
    ...['Content-Type', type, 'Content-Security-Policy', policy],
    ...['Content-Disposition', `${disposition}; ${fileNameOf(name)}`, 'ETag', `"${tag}"`],
  ]
}

/** The name that a file is saved under (RFC 6266): without its folder and id, and for old browsers without letters beyond ASCII. */
function fileNameOf(name: string): string {
  const [, own = 'file'] = /^attachments\/(?:[0-9a-z]+-)?(.+)$/.exec(name) ?? []
  const plain = own.replaceAll(/[^\w.-]/g, '_')
  if (plain === own) return `filename="${plain}"`
  const encoded = encodeURIComponent(own).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return `filename="${plain}"; filename*=UTF-8''${encoded}`
}

function begin(response: ServerResponse, status: number, head: string[], file: StoredFile): Readable | null {
  response.writeHead(status, head)
  if (file.bytes === null) return file.stream
  response.end(file.bytes)
  return null
}
