import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApp } from '../src/app.ts'
import type { JsonObject } from '../src/base/json.ts'
import type { SiteDeclaration } from '../src/model/compile/site-options.ts'
import type { App, AppOptions } from '../src/service.ts'
import { site } from './answers-site.ts'
import type { TestDatabase, TestDatabases } from './databases.ts'
import { jpeg } from './media.ts'
import { makeUser, tokenOf } from './people.ts'
import type { Asking, Question } from './random-questions.ts'
import type { Write } from './random-writes.ts'
import { serve } from './serving.ts'
import { FRONT_KEY } from './visits.ts'

const ROLES = ['guest', 'contributor', 'editor', 'admin'] as const
const keyOf = (role: (typeof ROLES)[number]) => `key-${role}`.padEnd(32, '-')
const KEYS = ROLES.map((role) => ({ role, key: keyOf(role), name: role }))
const SITE = fileURLToPath(new URL('./answers-site.ts', import.meta.url))
const FRONT = FRONT_KEY.padEnd(32, '-')
/** What differs between two answers that say the same. */
const NOT_COMPARED = ['date', 'connection', 'keep-alive', 'quire-revision', 'x-request-id']
const AT_A_TIME = 8

/** What a write was answered. */
export interface Written {
  readonly status: number
  readonly body: JsonObject
  readonly revision: string | null
}

/** Two or more processes on one database that cache answers, and one that makes each anew. */
export interface Processes {
  readonly databaseUrl: string
  /** Those that cache. */
  readonly addresses: readonly [string, string, ...string[]]
  /** Those of them in the process of the test. */
  readonly caching: readonly App[]
  /** The one that forgets what it has cached: it also does what the command line does. */
  readonly plain: App
  readonly userId: string
  write(address: string, write: Write): Promise<Written>
  /** Uploads an image; the attachment. */
  upload(address: string): Promise<JsonObject>
  /** All answers as texts; everything that is sent but what differs each time. */
  ask(address: string, questions: readonly Question[], headers?: Record<string, string>): Promise<string[]>
  /** The same of the process that caches nothing. */
  askPlain(questions: readonly Question[]): Promise<string[]>
  stop(): Promise<void>
}

/**
 * Starts them on a fresh database. `isSeparate`: the second one runs as a process of its own, as `quire serve`. Those that
 * cache read from the replicas of the database.
 */
export async function startProcesses(
  databases: Pick<TestDatabases, 'createReady'>,
  isSeparate: boolean,
  { replicasOf = () => [], ...variant }: Variant & { replicasOf?: (databaseUrl: string) => readonly string[] } = {},
): Promise<Processes> {
  const database = await databases.createReady()
  const folder = await mkdtemp(join(tmpdir(), 'quire-processes-'))
  const ends: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const end of ends.toReversed()) await end()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    return {
      ...(await startAll({ database, folder, isSeparate, ends, replicas: replicasOf(database.url), ...variant })),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** What differs from the usual. */
interface Variant {
  readonly declaration?: SiteDeclaration
  /** When work in the background begins, in milliseconds. */
  readonly background?: number
  /** How many of them cache answers in the process of the test: 2 when left out. */
  readonly caching?: number
}

interface Start extends Variant {
  readonly database: TestDatabase
  readonly folder: string
  readonly isSeparate: boolean
  readonly ends: (() => Promise<unknown>)[]
  readonly replicas: readonly string[]
}

async function startAll({
  declaration = site,
  database,
  folder,
  isSeparate,
  ends,
  replicas,
  background = 5_000,
  caching: count = 2,
}: Start): Promise<Omit<Processes, 'stop'>> {
  const options = {
    database: database.url,
    uploads: folder,
    keys: KEYS,
    frontKey: FRONT,
    timeouts: { drain: 0, background },
  }
  const start = async (more: Pick<AppOptions, 'cacheBytes' | 'replicas'> = { replicas }) => {
    const app = await createApp(declaration, { ...options, ...more })
    ends.push(() => app.close())
    return app
  }
  const serveApart = async () => {
    const environment = {
      QUIRE_UPLOADS: folder,
      QUIRE_DATABASE_REPLICAS: replicas.join(),
      QUIRE_EXTERNAL_FRONT_KEY: FRONT,
      QUIRE_API_KEYS: KEYS.map(({ role, key }) => `${role}:${key}:${role}`).join(),
    }
    const serving = await serve(database.url, environment, SITE)
    ends.push(() => serving.end('SIGTERM'))
    return serving.address
  }
  const caching: App[] = []
  while (caching.length < (isSeparate ? 1 : count)) caching.push(await start())
  const [first = '', second = await serveApart(), ...more] = await Promise.all(
    caching.map((app) => app.listen(0, '127.0.0.1')),
  )
  const plain = await start({ cacheBytes: 0 })
  const plainAddress = await plain.listen(0, '127.0.0.1')
  const userId = await makeUser(plain, 'erin')
  const token = await tokenOf(first, 'erin')
  const ask = (address: string, questions: readonly Question[], headers = {}) =>
    inTurns(questions, ({ caller, path }) => answerTo(address + path, { ...headersOf(caller, token), ...headers }))
  return {
    databaseUrl: database.url,
    addresses: [first, second, ...more],
    ...{ caching, plain, userId, write, upload, ask },
    askPlain: (questions) => {
      // Anything may have changed: no part of an answer, no count is taken from memory.
      plain.store.changes()?.note(null)
      return ask(plainAddress, questions)
    },
  }
}

async function write(address: string, { caller, method, path, body }: Write): Promise<Written> {
  const response = await fetch(`${address}/api/v1/${path}`, {
    method,
    headers: { authorization: `ApiKey ${keyOf(caller)}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answered: unknown = await response.json()
  const revision = response.headers.get('quire-revision')
  // `as`: some answer `true`, which has no members.
  return { status: response.status, body: (answered ?? {}) as JsonObject, revision }
}

async function upload(address: string): Promise<JsonObject> {
  const form = new FormData()
  form.append('file', new Blob([Uint8Array.from(await jpeg(60, 40))]), 'picture.jpg')
  const headers = { authorization: `ApiKey ${keyOf('editor')}` }
  const response = await fetch(`${address}/api/v1/@cms/attachment/upload`, { method: 'POST', body: form, headers })
  if (response.status !== 200) throw new Error(`The upload was refused: ${await response.text()}`)
  return (await response.json()) as JsonObject
}

function headersOf(caller: Asking, token: string): Record<string, string> {
  const front = { 'x-requested-with': 'AposExternalFront', 'apos-external-front-key': FRONT }
  switch (caller) {
    case 'anonymous':
      return {}
    case 'frontend':
      return front
    case 'static':
      return { ...front, 'x-apos-static-base-url': '1' }
    case 'user':
      return { authorization: `Bearer ${token}` }
    default:
      return { authorization: `ApiKey ${keyOf(caller)}` }
  }
}

async function answerTo(url: string, headers: Record<string, string>): Promise<string> {
  const response = await fetch(url, { headers, redirect: 'manual' })
  const sent = [...response.headers].filter(([name]) => !NOT_COMPARED.includes(name))
  const lines = sent.map(([name, value]) => `${name}: ${value}`)
  return [response.status, ...lines, '', await response.text()].join('\n')
}

/** A few at a time. */
async function inTurns<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (let start = 0; start < items.length; start += AT_A_TIME) {
    results.push(...(await Promise.all(items.slice(start, start + AT_A_TIME).map(work))))
  }
  return results
}
