import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { JsonObject } from '../src/base/json.ts'
import { type AnswerCheck, checkOf } from './answers.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // Tests look into answers freely; the schema check has seen to it that they are as documented.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any
}

export interface CallOptions {
  readonly query?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** What is compressed is tested by itself; here it would only take time. */
const NOT_COMPRESSED = { 'accept-encoding': 'identity' } as const

/** Calls the service as one caller, over a real socket. Paths are below `/api/v1`. */
export interface Caller {
  get(path: string, query?: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body?: unknown, query?: string, headers?: Record<string, string>): Promise<Answer>
  put(path: string, body: unknown, query?: string, headers?: Record<string, string>): Promise<Answer>
  patch(path: string, body: unknown, query?: string, headers?: Record<string, string>): Promise<Answer>
  delete(path: string, query?: string, headers?: Record<string, string>): Promise<Answer>
}

/** Calls with a key; null for anonymous callers. */
export function callerOf(
  address: string,
  key: string | null,
  check: (() => Promise<AnswerCheck>) | null,
  always: Readonly<Record<string, string>> = {},
): Caller {
  const call = async (method: string, path: string, { query, body, headers }: CallOptions): Promise<Answer> => {
    const url = `${address}/api/v1/${path}${query ? `?${query}` : ''}`
    const sending = {
      ...NOT_COMPRESSED,
      ...always,
      ...(key === null ? {} : { authorization: `ApiKey ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    }
    const response = await exchange(url, method, sending, body === undefined ? undefined : JSON.stringify(body))
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    const json: JsonObject | null = isJson && response.text !== '' ? JSON.parse(response.text) : null
    if (json !== null && check) {
      const sent = { method: isRead(body) ? 'GET' : method, path, isKnown: key !== null }
      assertDocumented(await check(), sent, response, json)
    }
    return { status: response.status, headers: response.headers, body: json }
  }
  return {
    get: (path, query, headers) => call('GET', path, { ...(query ? { query } : {}), ...(headers ? { headers } : {}) }),
    post: (path, body = {}, query, headers) =>
      call('POST', path, { body, ...(query ? { query } : {}), ...(headers ? { headers } : {}) }),
    put: (path, body, query, headers) =>
      call('PUT', path, { body, ...(query ? { query } : {}), ...(headers ? { headers } : {}) }),
    patch: (path, body, query, headers) =>
      call('PATCH', path, { body, ...(query ? { query } : {}), ...(headers ? { headers } : {}) }),
    delete: (path, query, headers) =>
      call('DELETE', path, { ...(query ? { query } : {}), ...(headers ? { headers } : {}) }),
  }
}

const agent = new Agent({ keepAlive: true })

interface Exchanged {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** There is no answer, or no whole one: whether the request was carried out is not known. */
export class BrokenConnection extends Error {}

/** Sends a request and reads all of its answer: a third of the processor time of `fetch`, for most of what tests do. */
function exchange(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => reject(new BrokenConnection(url, { cause }))
    const sent = request(url, { method, headers, agent }, (answer) => void readAnswer(answer).then(resolve, fail))
    sent.on('error', fail)
    sent.end(body)
  })
}

async function readAnswer(answer: IncomingMessage): Promise<Exchanged> {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
    for (const value of values) headers.append(name, value)
  }
  return { status: answer.statusCode ?? 0, headers, text: await text(answer) }
}

/** POST-as-GET answers what a GET does. */
function isRead(body: unknown): boolean {
  return typeof body === 'object' && body !== null && '__aposGetWithQuery' in body
}

/** Checks of descriptions, by key. */
export type KnownChecks = Map<string | null, Promise<AnswerCheck>>

/**
 * The check of how the service identifies this caller; looked up when it is needed first. `known` are those of
 * services of the same site, which describe themselves alike.
 */
export function documented(
  address: string,
  key: string | null,
  known: KnownChecks = new Map(),
): () => Promise<AnswerCheck> {
  const headers: Record<string, string> = key === null ? {} : { authorization: `ApiKey ${key}` }
  return () => {
    const check = known.get(key) ?? checkAt(address, headers)
    known.set(key, check)
    // The next caller asks again.
    check.catch(() => known.delete(key))
    return check
  }
}

async function checkAt(address: string, headers: Readonly<Record<string, string>>): Promise<AnswerCheck> {
  const answer = await fetch(`${address}/api/v1/openapi.json`, { headers: { ...NOT_COMPRESSED, ...headers } })
  return checkOf(await answer.text())
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly isKnown: boolean
}

function assertDocumented(check: AnswerCheck, sent: Sent, { status, headers }: Exchanged, json: object): void {
  const { method, isKnown } = sent
  const path = `/api/v1/${sent.path}`
  const mediaType = headers.get('content-type')?.replace('; charset=utf-8', '')
  const problems = check.problems(method, path, status, json, mediaType)
  if (status === 200 && isKnown) problems.push(...check.etagProblems(method, path, headers.has('etag')))
  if (problems.length === 0) return
  throw new Error(`${method} ${path} (${status}) is not as documented:\n${problems.slice(0, 5).join('\n')}`)
}
