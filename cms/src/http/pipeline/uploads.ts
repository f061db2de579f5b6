import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invalid, notAllowed, notFound } from '../../base/errors.ts'
import { alternativeName } from '../../engine/media/file-names.ts'
import { ANONYMOUS } from '../../engine/permissions.ts'
import type { ByteRange, FileFacts, Files, StoredFile } from '../../files/files.ts'
import { servedAs } from '../../files/served-as.ts'
import type { Site } from '../../model/declared/types.ts'
import { failureOf } from '../requests/failure-status.ts'
import { fileHeaders, keptForAYear, PREFLIGHT } from '../requests/headers.ts'
import { requestedOf } from '../requests/locale-prefixes.ts'
import { parseQuery, queryText } from '../requests/query-string.ts'
import { type Answer, jsonAnswer, matchesTag } from './answer.ts'
import type { Responder } from './respond.ts'

const METHODS = ['OPTIONS', 'HEAD', 'GET']

/** The site whose uploads are sent, and their storage. */
interface UploadedFilesOptions {
  readonly site: Pick<Site, 'prefix' | 'cors' | 'baseUrl' | 'locales' | 'defaultLocale'>
  readonly files: Files
}

/**
 * Sends uploads: `GET|HEAD|OPTIONS /uploads/attachments/<file>`, below the site's prefix or not. They are public, so
 * callers are not identified; the content under a name never changes, so they may be cached forever. Whatever the file
 * holds, it cannot run anything where it is shown: types are ours, scripts are off, and anything but images and PDFs is
 * downloaded.
 */
export class UploadedFiles {
  readonly #files: Files
  readonly #site: UploadedFilesOptions['site']
  readonly #headers: Readonly<Record<string, string>>
  readonly #optionsHeaders: Readonly<Record<string, string>>
  readonly #responder: Responder

  constructor({ site, files }: UploadedFilesOptions, responder: Responder) {
    this.#files = files
    this.#site = site
    this.#headers = fileHeaders(site)
    this.#optionsHeaders = { Allow: METHODS.join(', '), ...(site.cors ? PREFLIGHT : {}) }
    this.#responder = responder
  }

  /** Adds the routes; also those of files that are requested without the site's prefix. */
  register(fastify: FastifyInstance): void {
    for (const path of new Set([`${this.#site.prefix}/uploads/`, '/uploads/'])) {
      const handler = async (request: FastifyRequest, reply: FastifyReply) => {
        request.startedAt = performance.now()
        checkParameters(this.#site, request.originalUrl)
        const answer = await this.#answer(nameOf(request.originalUrl.slice(path.length)), request)
        return this.#responder.send(reply, answer, this.#headers)
      }
      fastify.route({ method: ['GET', 'HEAD'], exposeHeadRoute: false, url: `${path}*`, handler })
      const answerMethods = (_request: FastifyRequest, reply: FastifyReply) => {
        this.#responder.send(reply, jsonAnswer(200, {}, this.#optionsHeaders), this.#headers)
      }
      fastify.route({ method: 'OPTIONS', url: `${path}*`, onRequest: answerMethods, handler: answerMethods })
      const refuse = (_request: FastifyRequest, reply: FastifyReply) => {
        this.#responder.fail(reply, notAllowed(METHODS))
      }
      const method = fastify.supportedMethods.filter((method) => !METHODS.includes(method))
      fastify.route({ method, url: `${path}*`, onRequest: refuse, handler: refuse })
    }
  }

  async #answer(name: string | null, { method, headers, id }: FastifyRequest): Promise<Answer> {
    if (method === 'GET' && headers.range === undefined && headers['if-none-match'] === undefined) {
      const { stored: file, caching } = await this.#find(name, (one) => this.#files.open(one))
      const own = { ...headersOf(name ?? '', file), ...caching, 'Content-Length': String(file.length) }
      return { status: 200, headers: own, body: contentOf(file) }
    }
    const { stored: facts, caching } = await this.#find(name, (one) => this.#files.facts(one))
    const part = partOf(headers, facts)
    if (part.status === 416) return nothingThere(part, id)
    const { status, range, extra } = part
    const own = { ...headersOf(name ?? '', facts), ...caching, ...extra }
    if (method === 'HEAD' || status === 304) return { status, headers: own, body: Buffer.alloc(0) }
    const { stored: file } = await this.#find(name, (one) => this.#files.open(one, range))
    return { status, headers: own, body: contentOf(file) }
  }

  /**
   * Finds a file by its name, else by the alternative name, which another crop may still take over. Throws `notfound`.
   */
  async #find<T>(name: string | null, look: (name: string) => Promise<T | null>): Promise<NamedFile<T>> {
    const found = name === null ? null : await look(name)
    const other = name === null ? null : alternativeName(name)
    // Where crops lie under both of their names, this may be the other one of a crop's, too.
    const mayChange = other !== null && this.#files.isServedElsewhere
    if (found !== null) return { stored: found, caching: keptForAYear(!mayChange) }
    const stored = other === null ? null : await look(other)
    if (stored === null) throw notFound('There is no such upload.')
    return { stored, caching: keptForAYear(false) }
  }
}

/** A stored file, and the header that says how long it may be cached. */
interface NamedFile<T> {
  readonly stored: T
  readonly caching: Readonly<Record<string, string>>
}

/** The part of a file to send. */
interface FilePart {
  readonly status: number
  readonly range?: ByteRange
  readonly extra: Readonly<Record<string, string>>
}

/** Decides which part of a file is sent: the status, the range (all when left out), and their headers. */
function partOf(headers: FastifyRequest['headers'], { length, tag }: FileFacts): FilePart {
  const known = headers['if-none-match']
  if (known !== undefined && matchesTag(`"${tag}"`, known)) return { status: 304, extra: {} }
  const isStale = headers['if-range'] !== undefined && headers['if-range'] !== `"${tag}"`
  const range = isStale ? null : byteRange(headers.range, length)
  if (range === null) return { status: 200, extra: { 'Content-Length': String(length) } }
  if (range === 'beyond') return { status: 416, extra: { 'Content-Range': `bytes */${length}` } }
  const { start, end } = range
  const contentRange = `bytes ${start}-${end}/${length}`
  return { status: 206, range, extra: { 'Content-Length': String(end - start + 1), 'Content-Range': contentRange } }
}

/** The refusal of a range that begins behind the end of the file (§0.2): 416, with the body of every failure. */
function nothingThere({ status, extra }: FilePart, requestId: string): Answer {
  const message = 'The file has no bytes in this range. Its length is in Content-Range.'
  return jsonAnswer(status, failureOf(invalid(message), requestId).body, extra)
}

/** Throws `invalid` for locales and modes that there are not (§0.4), as every route does: files depend on neither. */
function checkParameters(site: UploadedFilesOptions['site'], url: string): void {
  const query = queryText(url)
  if (query !== '') requestedOf(site, parseQuery(query), null, ANONYMOUS)
}

/**
 * Parses a `Range` header: null for the whole file (no header, not understood, or several parts at once), `beyond` for
 * a range outside the file.
 */
function byteRange(header: string | undefined, length: number): ByteRange | 'beyond' | null {
  const [, first = '', last = ''] = /^bytes=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return null
  if (first === '') {
    const count = Math.min(Number(last), length)
    return count === 0 ? 'beyond' : { start: length - count, end: length - 1 }
  }
  const start = Number(first)
  const end = last === '' ? length - 1 : Math.min(Number(last), length - 1)
  if (last !== '' && Number(last) < start) return null
  return start >= length ? 'beyond' : { start, end }
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

/** Returns the headers for a file: its type, and what browsers may do with it. */
function headersOf(name: string, { tag }: FileFacts): Readonly<Record<string, string>> {
  const { type, disposition, policy } = servedAs(name)
  return {
    'Content-Type': type,
    'Content-Security-Policy': policy,
    'Content-Disposition': `${disposition}; ${fileNameOf(name)}`,
    ETag: `"${tag}"`,
  }
}

/**
 * The name that a file is saved under (RFC 6266): without its folder and id, and for old browsers without letters
 * beyond ASCII.
 */
function fileNameOf(name: string): string {
  const [, own = 'file'] = /^attachments\/(?:[0-9a-z]+-)?(.+)$/.exec(name) ?? []
  const plain = own.replaceAll(/[^\w.-]/g, '_')
  if (plain === own) return `filename="${plain}"`
  const encoded = encodeURIComponent(own).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return `filename="${plain}"; filename*=UTF-8''${encoded}`
}

function contentOf(file: StoredFile): Buffer | Readable {
  return file.bytes ?? file.stream
}
