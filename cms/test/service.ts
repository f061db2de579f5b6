import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { referenceSite } from '../../conformance/site.ts'
import { createApp } from '../src/app.ts'
import { newId } from '../src/base/ids.ts'
import type { Log } from '../src/base/log.ts'
import { quietLog } from '../src/cli/command/json-log.ts'
import type { SiteDeclaration } from '../src/model/compile/site.ts'
import type { App, AppOptions } from '../src/service.ts'
import { type Caller, callerOf, documented, type KnownChecks } from './caller.ts'
import { inconsistencies } from './consistency.ts'
import { sampledDatabases, type TestDatabase, type TestDatabases, testDatabases } from './databases.ts'

export type { Answer, Caller } from './caller.ts'
export { callerOf } from './caller.ts'

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
  /** From now on everything is read again, as if anything had changed: what was cached is not. */
  forget(): void
  stop(): Promise<void>
}

const ROLES = ['guest', 'contributor', 'editor', 'admin'] as const
type RoleName = (typeof ROLES)[number]

/** What a test may set of its service; the reference site where it names none. */
export interface ServiceOptions
  extends Pick<
    AppOptions,
    | 'development'
    | 'embedNetworks'
    | 'poolSize'
    | 'cacheBytes'
    | 'frontKey'
    | 'purgeToken'
    | 'staticBaseUrl'
    | 'uploads'
    | 'uploadsUrl'
    | 'uploadsEndpoint'
    | 'timeouts'
  > {
  readonly site?: SiteDeclaration
  /** A free one when left out. */
  readonly port?: number
}

export interface GroupOptions {
  /** All kinds of databases when left out. */
  readonly on?: readonly TestDatabases[]
  /** Takes long: runs on one kind of database, another one in each run; on all in `npm run test:all`. */
  readonly isLong?: boolean
  /** Milliseconds of each test. */
  readonly timeout?: number
}

/**
 * Tests of a service, on each kind of database: it is started on a fresh database before them and stopped after them,
 * and its database must agree with itself then. The service is there from `beforeAll` on.
 */
export function describeService(
  title: string,
  {
    isLong = false,
    on = isLong ? sampledDatabases(title) : testDatabases,
    timeout = 60_000,
    ...options
  }: ServiceOptions & GroupOptions,
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

const reference = referenceSite({})
const checksOfSites = new WeakMap<SiteDeclaration, KnownChecks>()

/** The service on a fresh database, on a free port, with a key for each role: `key-editor` and so on. */
export async function startService(databases: TestDatabases, options: ServiceOptions = {}): Promise<Service> {
  const database = await freshDatabase(databases, options)
  const statements: string[] = []
  const logged: Service['logged'] = []
  const { site = reference, ...rest } = options
  const uploads = join(tmpdir(), `quire-uploads-${newId()}`)
  const app = await createApp(site, {
    uploads,
    ...rest,
    // Background work begins before the first test, not in the middle of one that counts statements.
    timeouts: { background: 0, ...rest.timeouts },
    database: database.url,
    keys: [
      ...ROLES.map((role) => ({ key: `key-${role}`, role, name: `${role} key` })),
      { key: 'key-ai', role: 'editor', name: 'AI key', ai: true },
    ],
    log: collector(logged),
    onStatement: (sql) => statements.push(sql),
  })
  const address = await app.listen(options.port ?? 0, '127.0.0.1')
  const checks = checksOfSites.get(site) ?? new Map()
  checksOfSites.set(site, checks)
  const caller = (key: string | null) => callerOf(address, key, documented(address, key, checks))
  return {
    app,
    address,
    databaseUrl: database.url,
    uploads,
    statements,
    logged,
    anonymous: caller(null),
    wrong: callerOf(address, 'no-such-key', documented(address, null, checks)),
    guest: caller('key-guest'),
    contributor: caller('key-contributor'),
    editor: caller('key-editor'),
    admin: caller('key-admin'),
    ai: caller('key-ai'),
    quiet: async () => {
      for (let before = -1; before !== statements.length; await setTimeout(600)) before = statements.length
    },
    forget: () => app.store.changes()?.note(null),
    stop: async () => {
      await app.close()
      await database.drop()
      await rm(uploads, { recursive: true, force: true })
    },
  }
}

/** By kind of database: a copy of one on which the reference site was started before, with its parked pages. */
const started = new Map<string, Promise<() => Promise<TestDatabase>>>()

async function freshDatabase(databases: TestDatabases, { site = reference }: ServiceOptions): Promise<TestDatabase> {
  if (site !== reference) return databases.createReady()
  const copy =
    started.get(databases.name) ??
    databases.prepare(async (url) => (await createApp(reference, { database: url, log: quietLog })).close())
  started.set(databases.name, copy)
  return (await copy)()
}

function collector(logged: Service['logged']): Log {
  const at = (level: string) => (data: object, message: string) => void logged.push({ level, data, message })
  return { info: at('info'), warn: at('warn'), error: at('error') }
}
