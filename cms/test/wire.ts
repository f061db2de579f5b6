import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { STATUS_OF } from '../src/http/requests/failure-status.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 20 })

/** A request exactly as it goes out: nothing is made tidy, as `fetch` would. */
export interface WireRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export interface WireAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
  readonly bytes: Buffer
}

/** Sends one request and reads its answer. */
export async function send(address: string, { method, path, headers = {}, body }: WireRequest): Promise<WireAnswer> {
  const { hostname, port } = new URL(address)
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const call = request({ hostname, port, agent, method, path, headers: { ...length, ...headers } })
  // A server that refuses a body closes before it is all sent: that is no failure once the answer is there.
  call.on('error', () => {})
  call.end(body)
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  const bytes = await buffer(response)
  return { status: response.statusCode ?? 0, headers: response.headers, text: bytes.toString(), bytes }
}

/** What is wrong with an answer under `/api/`, whatever was asked (§0.2); null when nothing is. */
export function wrongWith({ status, text, headers }: WireAnswer, method: string): string | null {
  if (status >= 500) return `status ${status}: ${text}`
  if (method === 'HEAD' || status === 304) return text === '' ? null : `a body where there is none: ${text}`
  if (!/^application\/json/.test(headers['content-type'] ?? '')) return `no JSON: ${headers['content-type']}`
  const body: unknown = JSON.parse(text)
  if (status === 200) return null
  return isError(body, status) ? null : `no error of ours, ${status}: ${text.slice(0, 300)}`
}

function isError(body: unknown, status: number): boolean {
  if (typeof body !== 'object' || body === null || Object.keys(body).toSorted().join() !== 'data,message,name') {
    return false
  }
  const { name, message, data } = body as { name: unknown; message: unknown; data: unknown }
  const isNamed = Object.entries(STATUS_OF).some(([known, of]) => known === name && of === status)
  const isPlain =
    typeof message === 'string' && message !== '' && !/\.ts:\d|node_modules|SQLITE|syntax error/.test(message)
  return isNamed && isPlain && typeof data === 'object' && data !== null && !Array.isArray(data)
}

/** The names that every object and list has: a request that changes them has reached a prototype. */
export function prototypeNames(): string {
  const all = [Object.prototype, Array.prototype, String.prototype, Function.prototype, Map.prototype]
  return all.map((prototype) => Reflect.ownKeys(prototype).map(String).join(' ')).join('\n')
}
