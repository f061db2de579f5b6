import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { referenceSite } from '../../conformance/site.ts'
import type { App, AppOptions } from '../src/app.ts'
import { createApp } from '../src/app.ts'
import { newId } from '../src/base/ids.ts'
import type { JsonObject } from '../src/base/json.ts'
import type { Log } from '../src/base/log.ts'
import type { SiteDeclaration } from '../src/model/site.ts'
import { type AnswerCheck, checkOf } from './answers.ts'
import { inconsistencies } from './consistency.ts'
import { type TestDatabases, testDatabases } from './databases.ts'

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

/** Calls the service as one caller, over a real socket. Paths are below `/api/v1`. */
export interface Caller {
  get(path: string, query?: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body?: unknown, query?: string): Promise<Answer>
  put(path: string, body: unknown, query?: string, headers?: Record<string, string>): Promise<Answer>
  patch(path: string, body: unknown, query?: string, headers?: Record<string, string>): Promise<Answer>
  delete(path: string, query?: string, headers?: Record<string, string>): Promise<Answer>
}

export interface Service extends Record<RoleName, Caller> {
  readonly app: App
  readonly address: string
  readonly databaseUrl: string
  /** Where its uploads are kept, when it is a folder. */
  readonly uploads: string
  /** Has the key of an AI, whose role is editor. */
  readonly ai: Caller
  readonly anonymous: Caller
  readonly wrong: Caller
  /** Statements sent to the database so far. */
  readonly statements: string[]
  readonly logged: { readonly level: string; readonly data: object; readonly message: string }[]
  /** Resolves when the work in the background (indexing for search) is done, so that statements can be counted. */
  quiet(): Promise<void>
  stop(): Promise<void>
}

const ROLES = ['guest', 'contributor', 'editor', 'admin'] as const
type RoleName = (typeof ROLES)[number]

/** What a test may set of its service; the reference site where it names none. */
export interface ServiceOptions
  extends Pick<
    AppOptions,
    'poolSize' | 'cacheBytes' | 'frontKey' | 'uploads' | 'uploadsUrl' | 'uploadsEndpoint' | 'timeouts'
  > {
  readonly site?: SiteDeclaration
}

export interface GroupOptions {
  /** All kinds of databases when left out. */
  readonly on?: readonly TestDatabases[]
  /** Milliseconds of each test. */
  readonly timeout?: number
}

/**
 * Tests of a service, on each kind of database: it is started on a fresh database before them and stopped after them,
 * and its database must agree with itself then. The service is there from `beforeAll` on.
 */
export function describeService(
  title: string,
  { on = testDatabases, timeout = 30_000, ...options }: ServiceOptions & GroupOptions,
  tests: (service: Service, databases: TestDatabases) => void,
): void {
  describe.each(on)(`${title} on $name`, { timeout }, (databases) => {
    // `as`: its members come before the first test.
    const service = {} as Service
    beforeAll(async () => {
      Object.assign(service, await startService(databases, options))
    })
    afterAll(async () => {
      if (service.app === undefined) return
      const problems = await inconsistencies(service.databaseUrl, service.app.site)
      await service.stop()
      expect(problems.slice(0, 3)).toEqual([])
    })
    tests(service, databases)
  })
}

/** The service on a fresh database, on a free port, with a key for each role: `key-editor` and so on. */
export async function startService(databases: TestDatabases, options: ServiceOptions = {}): Promise<Service> {
  const database = await databases.create()
  const statements: string[] = []
  const logged: Service['logged'] = []
  const { site = referenceSite({}), ...rest } = options
  const uploads = join(tmpdir(), `quire-uploads-${newId()}`)
  const app = await createApp(site, {
    uploads,
    ...rest,
    database: database.url,
    keys: [
      ...ROLES.map((role) => ({ key: `key-${role}`, role, name: `${role} key` })),
      { key: 'key-ai', role: 'editor', name: 'AI key', ai: true },
    ],
    log: collector(logged),
    onStatement: (sql) => statements.push(sql),
  })
  const address = await app.listen(0, '127.0.0.1')
  const caller = (key: string | null) => callerOf(address, key, documented(address, key))
  return {
    app,
    address,
    databaseUrl: database.url,
    uploads,
    statements,
    logged,
    anonymous: caller(null),
    wrong: callerOf(address, 'no-such-key', documented(address, null)),
    guest: caller('key-guest'),
    contributor: caller('key-contributor'),
    editor: caller('key-editor'),
    admin: caller('key-admin'),
    ai: caller('key-ai'),
    quiet: async () => {
      for (let before = -1; before !== statements.length; await setTimeout(600)) before = statements.length
    },
    stop: async () => {
      await app.close()
      await database.drop()
      await rm(uploads, { recursive: true, force: true })
    },
  }
}

/** Calls as the bearer of a key; null for strangers. */
export function callerOf(
  address: string,
  key: string | null,
  check: (() => Promise<AnswerCheck>) | null,
  always: Readonly<Record<string, string>> = {},
): Caller {
  const call = async (method: string, path: string, { query, body, headers }: CallOptions): Promise<Answer> => {
    const url = `${address}/api/v1/${path}${query ? `?${query}` : ''}`
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        ...always,
        ...(key === null ? {} : { authorization: `ApiKey ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const json: JsonObject | null = text === '' ? null : JSON.parse(text)
    if (json !== null && check) {
      const isNarrowed = /(^|&)project/.test(query ?? '') || isRead(body)
      const sent = { method: isRead(body) ? 'GET' : method, path, isNarrowed }
      assertDocumented(await check(), sent, response.status, json)
    }
    return { status: response.status, headers: response.headers, body: json }
  }
  return {
    get: (path, query, headers) => call('GET', path, { ...(query ? { query } : {}), ...(headers ? { headers } : {}) }),
    post: (path, body = {}, query) => call('POST', path, { body, ...(query ? { query } : {}) }),
    put: (path, body, query, headers) =>
      call('PUT', path, { body, ...(query ? { query } : {}), ...(headers ? { headers } : {}) }),
    patch: (path, body, query, headers) =>
      call('PATCH', path, { body, ...(query ? { query } : {}), ...(headers ? { headers } : {}) }),
    delete: (path, query, headers) =>
      call('DELETE', path, { ...(query ? { query } : {}), ...(headers ? { headers } : {}) }),
  }
}

/** POST-as-GET answers what a GET does. */
function isRead(body: unknown): boolean {
  return typeof body === 'object' && body !== null && '__aposGetWithQuery' in body
}

/** The check of what the service tells this caller of itself; looked up when it is needed first. */
export function documented(address: string, key: string | null): () => Promise<AnswerCheck> {
  let check: Promise<AnswerCheck> | undefined
  const headers: Record<string, string> = key === null ? {} : { authorization: `ApiKey ${key}` }
  return () => {
    check ??= fetch(`${address}/api/v1/openapi.json`, { headers }).then(async (answer) => checkOf(await answer.text()))
    return check
  }
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly isNarrowed: boolean
}

function assertDocumented(check: AnswerCheck, { method, path, isNarrowed }: Sent, status: number, json: object): void {
  const problems = check.problems(method, `/api/v1/${path}`, status, json, isNarrowed)
  if (problems.length === 0) return
  throw new Error(`${method} ${path} (${status}) is not as documented:\n${problems.slice(0, 5).join('\n')}`)
}

function collector(logged: Service['logged']): Log {
  const at = (level: string) => (data: object, message: string) => void logged.push({ level, data, message })
  return { info: at('info'), warn: at('warn'), error: at('error') }
}
