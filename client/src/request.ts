import { errorOf, QuireError } from './errors.ts'
import { type QueryValues, queryText } from './query.ts'

/** Options of every call. */
export interface CallOptions<Locale extends string = string> {
  readonly locale?: Locale
  readonly mode?: 'draft' | 'published'
  /** Ends the call with the platform's `AbortError`. */
  readonly signal?: AbortSignal
  /** Milliseconds for the call as a whole, however often it tries; default: that of the client. */
  readonly timeout?: number
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Options of writes. */
export interface WriteOptions<Locale extends string = string> extends CallOptions<Locale> {
  /** The `etag` that the document must still have, else `conflict`. */
  readonly ifMatch?: string | null
  /** Makes a write safe to be sent again (§0.9), so that it is tried again as reads are. */
  readonly idempotencyKey?: string
  /** The browser sends it even when the page is left; at most 60 KB. */
  readonly keepalive?: boolean
}

/** Options of `request`. */
export interface RequestOptions extends WriteOptions {
  readonly query?: QueryValues | undefined
  /** Sent as JSON, but a form as it is. */
  readonly body?: unknown
}

/** An answer that is no failure. */
export interface Answer<Body = unknown> {
  readonly body: Body
  readonly etag: string | null
  readonly status: number
  readonly headers: Headers
}

/** A request that is about to be sent; its headers may still be changed. */
export interface OutgoingRequest {
  readonly method: string
  readonly url: string
  readonly headers: Headers
}

/**
 * Keeps answers of GETs, by their URL, for as long as their `ETag` is valid. Not shared between callers. Where it fails,
 * calls do without it.
 */
export interface AnswerCache {
  get(key: string): KeptAnswer | undefined | Promise<KeptAnswer | undefined>
  set(key: string, answer: KeptAnswer): unknown
}

export interface KeptAnswer {
  readonly etag: string
  readonly body: unknown
}

/** How requests of a client are sent. */
export interface Transport {
  /** Where the interface begins: `https://example.org/api/v1/`. */
  readonly base: string
  readonly namespace: string
  readonly fetch: typeof globalThis.fetch
  /** Milliseconds. */
  readonly timeout: number
  /** The headers of every request, with the credential. */
  headers(): Readonly<Record<string, string>>
  readonly credentials: 'same-origin' | 'omit'
  readonly defaults: { readonly locale?: string; readonly mode?: string }
  readonly cache?: AnswerCache | undefined
  readonly onRequest?: ((request: OutgoingRequest) => unknown) | undefined
  readonly onAnswer?: ((answer: Response, request: OutgoingRequest) => unknown) | undefined
}

/** How often a request that may be repeated is sent again. */
const RETRIES = 3
/** Milliseconds before the second try, unless the answer says how long; doubled each time. */
const FIRST_WAIT = 500
const PASSING = ['unavailable', 'offline', 'toomany']

/** The URL of a path below `/api/v1/`, without a query. */
export function addressOf({ base, namespace }: Transport, path: string): string {
  return base + path.replace(/^@cms(?=\/)/, namespace)
}

/** Sends a request, again where that helps and does no harm. Throws a `QuireError` for everything but success. */
export async function send(
  transport: Transport,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Answer> {
  const { signal, timeout = transport.timeout } = options
  const deadline = Date.now() + timeout
  const ending = AbortSignal.any([AbortSignal.timeout(timeout), ...(signal ? [signal] : [])])
  const prepared = prepare(transport, method, path, options)
  for (let tries = 0, wait: number | null = 0; ; tries += 1) {
    try {
      if (tries > 0) await pause(wait, ending)
      return await exchange(transport, prepared, ending)
    } catch (error) {
      signal?.throwIfAborted()
      if (ending.aborted) throw new QuireError('timeout', `No answer within ${timeout} ms.`, { cause: error })
      wait = waitAfter(error, tries)
      if (wait === null || !prepared.mayRepeat || Date.now() + wait >= deadline) throw error
    }
  }
}

interface Prepared extends OutgoingRequest {
  readonly init: RequestInit
  readonly mayRepeat: boolean
  /** Whether the cache may have its answer. */
  readonly isKept: boolean
}

function prepare(transport: Transport, method: string, path: string, options: RequestOptions): Prepared {
  const { locale, mode } = { ...transport.defaults, ...options }
  const query = { aposLocale: locale, aposMode: mode, ...options.query }
  const { ifMatch, idempotencyKey, keepalive = false } = options
  const headers = new Headers({ ...transport.headers(), ...options.headers })
  if (ifMatch) headers.set('if-match', ifMatch)
  if (idempotencyKey) headers.set('idempotency-key', idempotencyKey)
  const isRead = method === 'GET'
  const { text, fits } = queryText(query)
  const inBody = isRead && !fits
  const body = inBody ? { __aposGetWithQuery: query } : options.body
  const isForm = body instanceof FormData
  if (body !== undefined && !isForm) headers.set('content-type', 'application/json')
  const init: RequestInit = {
    method: inBody ? 'POST' : method,
    headers,
    credentials: transport.credentials,
    keepalive,
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  }
  const url = addressOf(transport, path) + (text === '' || inBody ? '' : `?${text}`)
  const mayRepeat = isRead || idempotencyKey !== undefined
  return { method, url, headers, init, mayRepeat, isKept: isRead && !inBody }
}

async function exchange(transport: Transport, request: Prepared, signal: AbortSignal): Promise<Answer> {
  const { url, headers: sent, init } = request
  const { fetch, cache } = transport
  const kept = request.isKept ? await orNothing(() => cache?.get(url)) : undefined
  if (kept) sent.set('if-none-match', kept.etag)
  await transport.onRequest?.(request)
  const response = await reached(fetch(url, { ...init, signal }))
  await transport.onAnswer?.(response, request)
  const { status, headers } = response
  const etag = headers.get('etag')
  if (kept && status === 304) return { body: kept.body, etag, status, headers }
  const text = await reached(response.text())
  const body = await orNothing((): unknown => JSON.parse(text))
  if (!response.ok) throw errorOf({ status, body, headers })
  if (body === undefined) throw new QuireError('error', 'The answer is not JSON.', { status })
  const mayKeep = request.isKept && !headers.get('cache-control')?.includes('no-store')
  if (mayKeep && etag) await orNothing(() => cache?.set(url, { etag, body }))
  return { body, etag, status, headers }
}

/** Undefined where it fails: calls do without a cache that is broken, and what is not JSON counts as no body. */
async function orNothing<Value>(get: () => Value): Promise<Awaited<Value> | undefined> {
  try {
    return await get()
  } catch {
    return undefined
  }
}

function reached<Value>(connection: Promise<Value>): Promise<Value> {
  return connection.catch((cause: unknown) => {
    throw new QuireError('offline', 'The service is not reached.', { cause })
  })
}

/** Milliseconds until the next try; null where another one would not help. */
function waitAfter(error: unknown, tries: number): number | null {
  if (tries >= RETRIES || !(error instanceof QuireError && PASSING.includes(error.name))) return null
  const least = error.retryAfter === null ? FIRST_WAIT * 2 ** tries : error.retryAfter * 1000
  // Not all clients at the same moment.
  return least + Math.random() * FIRST_WAIT
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      // `send` says why it ended.
      reject()
    })
  })
}
