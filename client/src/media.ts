import type { ShownAttachment, SiteModel } from 'quire-cms/types'
import { type CallOptions, send, type Transport } from './request.ts'
import type { Client } from './types/client.ts'

/** Bytes of the file that were sent so far, and all. */
export interface UploadProgress {
  readonly sent: number
  readonly total: number
}

export interface UploadOptions extends CallOptions {
  /** Default: that of a `File`, else `file`. The bytes decide the type, not the name. */
  readonly name?: string
  readonly onProgress?: (progress: UploadProgress) => unknown
}

/** A rectangle inside of an image, in pixels. */
export interface Crop {
  readonly top: number
  readonly left: number
  readonly width: number
  readonly height: number
}

/** Milliseconds for an upload, unless it says otherwise. */
const AN_HOUR = 3_600_000

/**
 * Uploads a file (§4.3), and returns the attachment for fields of documents. Its `signal` cancels it, and nothing is kept
 * then. In Node.js, `openAsBlob` makes a blob of a file without reading it.
 */
export async function upload<M extends SiteModel>(
  quire: Client<M>,
  file: Blob,
  { name = 'name' in file ? String(file.name) : 'file', onProgress, ...options }: UploadOptions = {},
): Promise<ShownAttachment> {
  const body = new FormData()
  body.append('file', file, name)
  const tell = (sent: number) => onProgress?.({ sent: Math.min(sent, file.size), total: file.size })
  const { transport } = quire
  const telling: Transport = onProgress ? { ...transport, fetch: fetchTelling(transport, tell) } : transport
  const answer = await send(telling, 'POST', '@cms/attachment/upload', { timeout: AN_HOUR, ...options, body })
  tell(file.size)
  // `as`: what the route answers (§4.3).
  return answer.body as ShownAttachment
}

/** Makes a crop of an image, whose files are then there (§4.3). */
export async function crop<M extends SiteModel>(
  quire: Client<M>,
  attachment: string,
  rectangle: Crop,
  options: CallOptions = {},
): Promise<void> {
  const body = { _id: attachment, crop: rectangle }
  await quire.request('POST', '@cms/attachment/crop', { ...options, body })
}

type Tell = (sent: number) => unknown

/** Browsers report the progress of an upload only in `XMLHttpRequest`, which other platforms do not have. */
function fetchTelling({ fetch }: Transport, tell: Tell): typeof globalThis.fetch {
  const isBrowser = typeof XMLHttpRequest === 'function'
  return (url, init = {}) => (isBrowser ? requestInBrowser(String(url), init, tell) : fetch(url, counted(init, tell)))
}

function requestInBrowser(url: string, init: RequestInit, tell: Tell): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { signal } = init
    const request = new XMLHttpRequest()
    request.open(init.method ?? 'POST', url)
    for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded }) => tell(loaded)
    request.onload = () => resolve(responseOf(request))
    request.onerror = () => reject(new TypeError('The file could not be sent.'))
    request.onabort = () => reject(signal?.reason)
    signal?.addEventListener('abort', () => request.abort())
    if (signal?.aborted) reject(signal.reason)
    // `as`: `upload` sends nothing else.
    else request.send(init.body as FormData)
  })
}

function responseOf(request: XMLHttpRequest): Response {
  const lines = request.getAllResponseHeaders().trim().split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  return new Response(request.responseText, { status: request.status, headers })
}

/** A copy of a request whose body is a stream that counts its bytes. */
function counted(init: RequestInit, tell: Tell): RequestInit {
  const encoded = new Response(init.body ?? null)
  const headers = new Headers(init.headers)
  headers.set('content-type', encoded.headers.get('content-type') ?? '')
  let sent = 0
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      sent += chunk.length
      tell(sent)
      controller.enqueue(chunk)
    },
  })
  const body = encoded.body?.pipeThrough(counting) ?? null
  return { ...init, headers, body, ...{ duplex: 'half' } }
}
