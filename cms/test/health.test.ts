import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { referenceSite } from '../../conformance/site.ts'
import { createApp } from '../src/app.ts'
import { silentLog } from '../src/cli/command/json-log.ts'
import type { App, AppOptions } from '../src/service.ts'
import { TABLES_VERSION } from '../src/store/migrations/index.ts'
import { startBucket } from './bucket.ts'
import { rowsOf } from './consistency.ts'
import { type TestDatabases, testDatabases } from './databases.ts'
import { startProxy, type TcpProxy } from './tcp-proxy.ts'

const ROUNDTRIP_MS = 1_100
const LISTS = 300

interface Watched {
  readonly app: App
  readonly address: string
  readonly url: string
  readonly uploads: string
  /** Between the service and its PostgreSQL; null on SQLite. */
  readonly proxy: TcpProxy | null
}

async function started({ createReady }: TestDatabases, options: Partial<AppOptions> = {}): Promise<Watched> {
  const database = await createReady()
  const uploads = await mkdtemp(join(tmpdir(), 'quire-health-'))
  const url = new URL(database.url)
  const isServer = url.protocol === 'postgres:'
  const proxy = isServer ? await startProxy({ host: url.hostname, port: Number(url.port) }) : null
  if (proxy !== null) url.port = String(proxy.port)
  const app = await createApp(referenceSite({ QUIRE_ARTICLE_PUBLIC: '1' }), {
    database: isServer ? url.href : database.url,
    uploads,
    log: silentLog,
    ...options,
  })
  onTestFinished(async () => {
    proxy?.mend()
    await app.close()
    await proxy?.close()
    await database.drop()
    await rm(uploads, { recursive: true, force: true })
  })
  const content = app.context({ kind: 'operator' }).as({ role: 'editor', name: 'Test' })
  await content.insert('article', { title: 'One' })
  return { app, address: await app.listen(0, '127.0.0.1'), url: database.url, uploads, proxy }
}

async function statusOf({ address }: Watched, path: string): Promise<number> {
  return (await fetch(`${address}/api/v1/${path}`)).status
}

/** A bucket that takes every connection, and answers nothing. */
async function silentBucket(): Promise<Partial<AppOptions>> {
  const server: Server = createServer(() => {}).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test')
  onTestFinished(() => void vi.unstubAllEnvs())
  return {
    uploads: 's3://silent',
    uploadsEndpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  }
}

/** A bucket that can be read, and takes nothing. */
async function readOnlyBucket(): Promise<Partial<AppOptions>> {
  const bucket = await startBucket('media')
  onTestFinished(async () => {
    await bucket.stop()
    vi.unstubAllEnvs()
  })
  bucket.refuseWrites(true)
  return { uploads: 's3://media', uploadsEndpoint: bucket.url }
}

/** A state of a service: how it gets there, and what both routes answer then. */
interface State {
  readonly name: string
  readonly on?: 'SQLite' | 'PostgreSQL'
  readonly options?: () => Promise<Partial<AppOptions>>
  /** What is done meanwhile may go on. */
  readonly reach: (watched: Watched) => Promise<unknown> | unknown
  readonly health: number
  readonly ready: number
  /** It is meant to be, and no failure. */
  readonly isStopping?: true
}

/** A log, and what it is told of readiness and uploads. */
function tellingLog() {
  const told: string[] = []
  const tell = (data: object, message: string) => {
    const isOfProbe = 'path' in data && data.path === '/api/v1/ready'
    if (isOfProbe || / ready|^The uploads /.test(message)) told.push(message)
  }
  return { told, log: { info: tell, warn: tell, error: tell } }
}

const STATES: readonly State[] = [
  { name: 'is at rest', reach: () => {}, health: 200, ready: 200 },
  {
    name: 'answers hundreds of large lists',
    reach: (watched) => {
      const lists = Array.from({ length: LISTS }, (_, n) => statusOf(watched, `article?perPage=100&title=${n}`))
      onTestFinished(async () => void (await Promise.allSettled(lists)))
    },
    health: 200,
    ready: 200,
  },
  {
    name: 'is far away from its database',
    on: 'PostgreSQL',
    reach: async (watched) => {
      watched.proxy?.slow(ROUNDTRIP_MS / 2)
      // Longer than all that was known before.
      await new Promise((resolve) => setTimeout(resolve, 5_000))
      expect(await statusOf(watched, 'article')).toBe(200)
    },
    health: 200,
    ready: 200,
  },
  {
    name: 'is cut off from its database',
    on: 'PostgreSQL',
    reach: ({ proxy }) => proxy?.cut(),
    health: 200,
    ready: 503,
  },
  {
    name: 'hears nothing of its database',
    on: 'PostgreSQL',
    reach: ({ proxy }) => proxy?.freeze(),
    health: 200,
    ready: 503,
  },
  {
    name: 'has lost its database file',
    on: 'SQLite',
    reach: ({ url }) => {
      const path = url.slice('sqlite:'.length)
      return rename(path, `${path}.elsewhere`)
    },
    health: 200,
    ready: 503,
  },
  { name: 'has closed its database', reach: ({ app }) => app.store.close(), health: 200, ready: 503 },
  {
    name: 'meets tables of a newer program',
    reach: async ({ url }) => {
      const version = TABLES_VERSION + 1
      const announcement = url.startsWith('sqlite:') ? [] : [`select pg_notify('quire_documents', 'tables ${version}')`]
      await rowsOf(url, [`update meta set value = '${version}' where name = 'version'`, ...announcement])
    },
    health: 200,
    ready: 503,
  },
  {
    name: 'has lost the folder of uploads',
    reach: async ({ uploads }) => {
      await rm(uploads, { recursive: true })
      await writeFile(uploads, 'in its place')
    },
    health: 200,
    ready: 503,
  },
  {
    name: 'has lost the folder of uploads behind a link',
    reach: async ({ uploads }) => {
      await rm(uploads, { recursive: true })
      await symlink(`${uploads}-gone`, uploads)
    },
    health: 200,
    ready: 503,
  },
  {
    name: 'has something else in the place of a folder in its uploads',
    reach: ({ uploads }) => writeFile(join(uploads, '.incoming'), 'in its place'),
    health: 200,
    ready: 503,
  },
  {
    name: 'is to make its folder of uploads',
    options: async () => ({ uploads: join(tmpdir(), 'quire-health-none', 'uploads') }),
    reach: () => {},
    health: 200,
    ready: 200,
  },
  { name: 'has a bucket that answers nothing', options: silentBucket, reach: () => {}, health: 200, ready: 503 },
  { name: 'has a bucket that takes no files', options: readOnlyBucket, reach: () => {}, health: 200, ready: 503 },
  {
    name: 'drains before it stops',
    options: async () => ({ timeouts: { drain: 5_000 } }),
    reach: ({ app }) => void app.close(),
    health: 200,
    ready: 503,
    isStopping: true,
  },
]

describe.each(testDatabases)('§0.11 on $name, a service that', { timeout: 60_000 }, (databases) => {
  test.each(STATES.filter(({ on = databases.name }) => on === databases.name))(
    '$name answers health with $health and ready with $ready',
    async ({ options, reach, health, ready, isStopping = false }) => {
      const { log, told } = tellingLog()
      const watched = await started(databases, { log, ...(await options?.()) })
      await reach(watched)
      await expect.poll(() => statusOf(watched, 'ready')).toBe(ready)
      for (let times = 0; times < 2; times += 1)
        expect([await statusOf(watched, 'health'), await statusOf(watched, 'ready')]).toEqual([health, ready])
      expect(told).toEqual(ready === 503 && !isStopping ? ['The service is not ready.'] : [])
    },
  )

  test('loses its uploads again and again tells its log each time, and when they are back', async () => {
    const { log, told } = tellingLog()
    const watched = await started(databases, { log })
    for (let times = 0; times < 2; times += 1) {
      await rename(watched.uploads, `${watched.uploads}-elsewhere`)
      await writeFile(watched.uploads, 'in its place')
      for (let asked = 0; asked < 3; asked += 1) expect(await statusOf(watched, 'ready')).toBe(503)
      await rm(watched.uploads)
      await rename(`${watched.uploads}-elsewhere`, watched.uploads)
      for (let asked = 0; asked < 3; asked += 1) expect(await statusOf(watched, 'ready')).toBe(200)
    }
    const both = ['The service is not ready.', 'The service is ready again.']
    expect(told).toEqual([...both, ...both])
  })

  test('tells nobody where its uploads are to be, and the log tells its operator', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-health-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const uploads = join(folder, 'uploads')
    await symlink(join(folder, 'gone'), uploads)
    const warned: object[] = []
    const log = { ...silentLog, warn: (data: object) => void warned.push(data) }
    const { address } = await started(databases, { uploads, log })
    const { name, message } = (await (await fetch(`${address}/api/v1/ready`)).json()) as Record<string, string>
    expect({ name, message }).toEqual({ name: 'unavailable', message: 'The storage of uploads takes no files.' })
    expect(warned).toEqual([{ folder: uploads, reason: expect.stringContaining('ENOENT') }])
  })

  test('answers everybody, and neither answer is kept', async () => {
    const { address, app } = await started(databases)
    for (const path of ['health', 'ready']) {
      const response = await fetch(`${address}/api/v1/${path}`)
      expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }])
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect((await fetch(`${address}/api/v1/${path}`, { method: 'HEAD' })).status).toBe(200)
    }
    await app.store.close()
    const { name, message } = (await (await fetch(`${address}/api/v1/ready`)).json()) as Record<string, string>
    expect(name).toBe('unavailable')
    expect(message).not.toMatch(/sqlite|postgres|select|pool/i)
  })
})
