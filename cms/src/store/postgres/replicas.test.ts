import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { referenceSite } from '../../../../conformance/site.ts'
import { quire } from '../../../test/command.ts'
import { addressOf, type Cluster, promote, startCluster } from '../../../test/postgres-cluster.ts'
import { databaseUrl, runOn } from '../../../test/postgres-server.ts'
import { RandomRequests } from '../../../test/random-requests.ts'
import { isWhole, seed } from '../../../test/sample.ts'
import { type Caller, callerOf } from '../../../test/service.ts'
import { startProxy, type TcpProxy } from '../../../test/tcp-proxy.ts'
import { startProcesses } from '../../../test/two-processes.ts'
import { type AppOptions, createApp } from '../../app.ts'
import type { Log } from '../../base/log.ts'
import { Metrics } from '../../base/metrics.ts'
import { migrate } from '../migrate-store.ts'
import { TABLES_VERSION } from '../migrations/index.ts'
import { stateAt } from '../migrations/usable-tables.ts'
import { inspectReplica } from '../open-store.ts'
import { refusalOf } from './postgres-replica.ts'

const KEYS = [{ key: 'key-editor', role: 'editor', name: 'editor' }] as const
const PATIENCE = { timeout: 15_000, interval: 20 }
const LONG = { ...PATIENCE, timeout: 40_000 }
const NAME = 'shelf'
const SILENT: Log = { info: () => {}, warn: () => {}, error: () => {} }

const LINEAGE = '71:00000001:abc'
const PAST = { lineage: LINEAGE, place: '5.2200' }
const SOUND = { isStandby: true, position: 1, tables: stateAt(TABLES_VERSION), ...PAST, system: '71' }

test('§0.7 a replica is left out where it is not one of this primary, and the log says why', () => {
  const primary = { past: PAST, lastPosition: null }
  expect(refusalOf(SOUND, primary)).toBeNull()
  expect(refusalOf({ ...SOUND, isStandby: false }, primary)).toMatch('takes changes itself')
  expect(refusalOf({ ...SOUND, system: '72', lineage: '72:00000001:abc' }, primary)).toMatch('of another cluster')
  expect(refusalOf({ ...SOUND, system: '72' }, primary)).toMatch('of another cluster')
  expect(refusalOf({ ...SOUND, place: '6.2200' }, primary)).toMatch('another database, or schema')
  expect(refusalOf({ ...SOUND, tables: stateAt(7) }, primary)).toMatch(`at version 7, not ${TABLES_VERSION}`)
  expect(refusalOf({ ...SOUND, tables: null }, primary)).toMatch('has no tables')
  expect(refusalOf({ ...SOUND, lineage: '71:00000002:def' }, primary)).toMatch('does not follow this primary')
  expect(refusalOf({ ...SOUND, lineage: null }, primary)).toMatch('does not follow this primary')
  expect(refusalOf(SOUND, { past: null, lastPosition: null })).toMatch('primary is not known')
})

describe('§0.7 a primary and two replicas', { timeout: 600_000 }, () => {
  let cluster: Cluster
  let proxies: readonly TcpProxy[] = []

  beforeAll(async () => {
    cluster = await startCluster(2)
    await runOn(cluster.primary.url, `create database ${NAME}`)
    proxies = await Promise.all(
      cluster.replicas.map(({ url }) => startProxy({ host: '127.0.0.1', port: Number(new URL(url).port) })),
    )
  }, 120_000)
  afterAll(async () => {
    await Promise.all(proxies.map((proxy) => proxy.close()))
    await cluster?.stop()
  })

  /** A service that reads the replicas, each through a proxy. */
  async function started(options: Partial<AppOptions> = {}) {
    const said: string[] = []
    const note = (data: object, message: string) => void said.push(`${message} ${JSON.stringify(data)}`)
    const log: Log = { info: note, warn: note, error: note }
    const metrics = new Metrics()
    const app = await createApp(referenceSite({ QUIRE_ARTICLE_PUBLIC: '1' }), {
      database: databaseUrl(cluster.primary.url, NAME),
      replicas: proxies.map(({ port }) => `postgres://quire@127.0.0.1:${port}/${NAME}`),
      keys: KEYS,
      // Each read is one of the database.
      cacheBytes: 0,
      ...{ log, metrics, ...options },
    })
    onTestFinished(() => app.close())
    const address = await app.listen(0, '127.0.0.1')
    const [editor, anonymous] = [callerOf(address, 'key-editor', null), callerOf(address, null, null)]
    return { app, editor, anonymous, said, figures: () => figuresOf(metrics) }
  }

  type Service = Awaited<ReturnType<typeof started>>

  /** The figures of the replicas, by name, in the order of the replicas. */
  async function figuresOf(metrics: Metrics): Promise<Readonly<Record<string, readonly number[]>>> {
    const all = (await metrics.collect()).filter(({ name }) => name.startsWith('quire_replica_'))
    return Object.fromEntries(all.map(({ name, samples }) => [name, samples.map(({ value }) => value)]))
  }

  const inUse = async ({ figures }: Service) => (await figures()).quire_replica_in_use
  const readsOf = async ({ figures }: Service) =>
    (await figures()).quire_replica_reads_total?.reduce((sum, one) => sum + one) ?? 0
  const are = (service: Service, expected: readonly number[]) =>
    expect.poll(() => inUse(service), PATIENCE).toEqual(expected)
  const made = async (editor: Caller, title: string) => {
    const { status, body } = await editor.post('article', { title, count: 0 })
    expect(status).toBe(200)
    return `article/${body.aposDocId}`
  }
  const titleAt = async (caller: Caller, path: string) => (await caller.get(path)).body.title

  test('§0.7 a reader finds each write at once, of this process and of another one', async () => {
    const [one, other] = [await started(), await started()]
    await are(one, [1, 1])
    await are(other, [1, 1])
    const path = await made(one.editor, 'Title 0')
    for (let round = 1; round <= 25; round += 1) {
      const written = await one.editor.patch(path, { title: `Title ${round}` })
      expect(written.status).toBe(200)
      expect(await titleAt(one.anonymous, path)).toBe(`Title ${round}`)
      const revision = { 'quire-revision': written.headers.get('quire-revision') ?? '' }
      expect((await other.anonymous.get(path, undefined, revision)).body.title).toBe(`Title ${round}`)
    }
    await readsReplicas(one, path)
    expect(Object.keys(await one.figures()).toSorted()).toEqual([
      'quire_replica_in_use',
      'quire_replica_lag_bytes',
      'quire_replica_lag_seconds',
      'quire_replica_reads_total',
    ])
  })

  test('§0.7 no reader sees time go back while another process writes', async () => {
    const [writing, reading] = [await started(), await started()]
    await are(reading, [1, 1])
    const path = await made(writing.editor, 'Counter')
    let isOver = false
    const reads = async (wanted: string, countIn: (body: { count: number }) => number) => {
      const counts: number[] = []
      for (let n = 0; !isOver; n += 1) {
        const { status, body } = await reading.anonymous.get(wanted, `n=${n}`)
        expect(status).toBe(200)
        counts.push(countIn(body))
      }
      return counts
    }
    const readers = [reads(path, ({ count }) => count), reads(path, ({ count }) => count)]
    for (let count = 1; count <= 60; count += 1) {
      expect((await writing.editor.patch(path, { count })).status).toBe(200)
      if (count % 10 === 0) await pause(30)
    }
    isOver = true
    for (const counts of await Promise.all(readers)) expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect(await readsOf(reading)).toBeGreaterThan(0)
  })

  test('§0.7 replicas that lag are passed by, and read again once they have caught up', async () => {
    const service = await started()
    await are(service, [1, 1])
    const path = await made(service.editor, 'Before')
    await readsReplicas(service, path)
    await onReplicas('select pg_wal_replay_pause()')
    await service.editor.patch(path, { title: 'After' })
    for (let n = 0; n < 5; n += 1) expect(await titleAt(service.anonymous, path)).toBe('After')
    expect(await inUse(service)).toContain(0)
    await onReplicas('select pg_wal_replay_resume()')
    await are(service, [1, 1])
    await readsReplicas(service, path)
    expect(await titleAt(service.anonymous, path)).toBe('After')
  })

  test('§0.7 a replica that hangs, breaks or restarts is left out, and taken back by itself', async () => {
    const service = await started()
    await are(service, [1, 1])
    const path = await made(service.editor, 'Sound')
    await readsReplicas(service, path)
    const [first] = proxies
    for (const fault of ['freeze', 'cut'] as const) {
      for (const proxy of proxies) proxy[fault]()
      expect(await titleAt(service.anonymous, path)).toBe('Sound')
      await are(service, [0, 0])
      first?.mend()
      await are(service, [1, 0])
      await readsReplicas(service, path)
      for (const proxy of proxies) proxy.mend()
      await are(service, [1, 1])
    }
    await cluster.replicas[0]?.kill()
    await are(service, [0, 1])
    expect(await titleAt(service.anonymous, path)).toBe('Sound')
    await cluster.replicas[0]?.restart()
    await are(service, [1, 1])
  })

  test('§0.7 a server that is no replica of the primary is not read', async () => {
    const other = process.env.QUIRE_TEST_POSTGRES ?? ''
    const service = await started({
      replicas: [databaseUrl(cluster.primary.url, NAME), other, `postgres://quire@127.0.0.1:1/${NAME}`],
    })
    await expect.poll(() => service.said.filter((line) => line.includes('left out')).length, PATIENCE).toBe(3)
    expect(service.said.join('\n')).toMatch(/it is no standby, but takes changes itself/)
    expect(service.said.join('\n')).toMatch(/it does not answer/)
    const primary = databaseUrl(cluster.primary.url, NAME)
    expect(await inspectReplica(primary, primary)).toMatch('takes changes itself')
    expect(await inspectReplica(primary, databaseUrl(cluster.replicas[0]?.url ?? '', NAME))).toBeNull()
    const path = await made(service.editor, 'Alone')
    expect(await titleAt(service.anonymous, path)).toBe('Alone')
    expect(await readsOf(service)).toBe(0)
  })

  test('§0.7 replicas of another cluster, and of older tables, are not read, and doctor says why', async () => {
    const foreign = await startCluster(1)
    onTestFinished(() => foreign.stop())
    const [replica] = foreign.replicas
    if (replica === undefined) throw new Error('There is a replica.')
    const database = databaseUrl(cluster.primary.url, NAME)
    const [other, old] = [NAME, 'old'].map((name) => databaseUrl(replica.url, name))
    for (const [server, name] of [
      [foreign.primary, NAME],
      [cluster.primary, 'old'],
    ] as const) {
      await runOn(server.url, `create database ${name}`)
      await migrate(databaseUrl(server.url, name), { log: SILENT })
    }
    const older = databaseUrl(cluster.replicas[0]?.url ?? '', 'old')
    await runOn(databaseUrl(cluster.primary.url, 'old'), `update meta set value = '7' where name = 'version'`)
    const answers = async (url: string) => (await runOn(url, 'select value from meta').catch(() => [])).length > 0
    for (const url of [other, older]) await expect.poll(() => answers(url ?? ''), PATIENCE).toBe(true)
    // By another name, since each replica is another server.
    const refused = [other ?? '', older, (old ?? '').replace('127.0.0.1', 'localhost')]
    const service = await started({ replicas: refused })
    const reasons = () => service.said.filter((line) => line.includes('left out')).join('\n')
    await expect.poll(reasons, PATIENCE).toMatch(/it is of another cluster than the primary/)
    await expect.poll(reasons, PATIENCE).toMatch(/its tables are at version 7, not \d+/)
    const path = await made(service.editor, 'Read where it was written')
    expect(await titleAt(service.anonymous, path)).toBe('Read where it was written')
    expect([await inUse(service), await readsOf(service)]).toEqual([[0, 0, 0], 0])
    const environment = { QUIRE_DATABASE: database, QUIRE_DATABASE_REPLICAS: refused.join() }
    const { out } = await quire(tmpdir(), ['doctor', '--json'], environment)
    expect(out).toMatch(/is left out: it is of another cluster than the primary/)
    expect(out).toMatch(/is left out: its tables are at version 7, not \d+/)
    expect(out).toMatch(/is left out: it does not answer \(database \\?"old\\?" does not exist/)
  })

  test('§0.7 a copy of the database, or of its schema, is not read in its place', async () => {
    const [replica] = cluster.replicas
    if (replica === undefined) throw new Error('There is a replica.')
    const [first, copy] = ['first', 'copy'].map((name) => databaseUrl(cluster.primary.url, name))
    await runOn(cluster.primary.url, 'create database first')
    const named = await started({ database: first ?? '', replicas: [databaseUrl(replica.url, 'first')] })
    await are(named, [1])
    await named.app.close()
    await runOn(cluster.primary.url, 'create database copy template first')
    await runOn(copy ?? '', 'create schema other')
    await runOn(copy ?? '', 'create table other.secrets as table secrets')
    await runOn(copy ?? '', 'create table other.meta as table meta')
    const replicas = ['first', 'copy'].map((name) => databaseUrl(replica.url, name))
    replicas[1] += '?schema=other'
    const service = await started({ database: copy ?? '', replicas })
    const reasons = () => service.said.filter((line) => line.includes('another database, or schema'))
    await expect.poll(() => reasons().length, PATIENCE).toBe(2)
    const path = await made(service.editor, 'Only in the copy')
    expect(await titleAt(service.anonymous, path)).toBe('Only in the copy')
    expect([await inUse(service), await readsOf(service)]).toEqual([[0, 0], 0])
    for (const address of replicas)
      expect(await inspectReplica(copy ?? '', address)).toMatch('another database, or schema')
    expect(await inspectReplica(copy ?? '', databaseUrl(replica.url, 'copy'))).toBeNull()
  })

  test('§0.7 a process that reaches replicas, but not the primary, answers visitors, stores nothing, and heals', async () => {
    const way = await startProxy({ host: '127.0.0.1', port: Number(new URL(cluster.primary.url).port) })
    onTestFinished(() => way.close())
    const database = `postgres://quire@127.0.0.1:${way.port}/${NAME}`
    const [apart, other] = [await started({ database, replicaMaxAge: 12_000 }), await started()]
    await are(apart, [1, 1])
    const path = await made(apart.editor, 'Before')
    await readsReplicas(apart, path)
    for (const fault of ['freeze', 'cut'] as const) {
      const patched = apart.editor.patch(path, { title: `Sent before ${fault}` })
      way[fault]()
      await expect.poll(async () => (await apart.anonymous.get(path)).status, PATIENCE).toBe(200)
      const { status, body } = await patched
      expect([200, 503]).toContain(status)
      // What had been sent may be stored: whoever reads it back sees either.
      if (status === 503 && body.data?.mayBeStored !== true) {
        await pause(200)
        expect(await titleAt(other.anonymous, path)).not.toBe(`Sent before ${fault}`)
      }
      expect((await apart.editor.patch(path, { title: 'Never' })).status).toBe(503)
      await other.editor.patch(path, { title: `Meanwhile ${fault}` })
      // What is older than the bound is not shown.
      await expect.poll(async () => (await apart.anonymous.get(path)).status, LONG).toBe(503)
      way.mend()
      await expect.poll(async () => (await apart.editor.patch(path, { count: 1 })).status, PATIENCE).toBe(200)
      expect(await titleAt(apart.anonymous, path)).toBe(`Meanwhile ${fault}`)
      await are(apart, [1, 1])
    }
  })

  test.runIf(isWhole)('§0.7 what is read from replicas, and cached, never contradicts the primary', async () => {
    const name = 'random'
    const createReady = async () => {
      await runOn(cluster.primary.url, `create database ${name}`)
      return { url: databaseUrl(cluster.primary.url, name), drop: async () => {} }
    }
    const replicas = cluster.replicas.map(({ url }) => databaseUrl(url, name))
    const processes = await startProcesses({ createReady }, true, { replicasOf: () => replicas })
    onTestFinished(() => processes.stop(), 60_000)
    const requests = new RandomRequests(processes, seed)
    await requests.prepare()
    expect(await requests.run(40)).toEqual([])
  })

  // The last one: afterwards the cluster is another one.
  test('§0.11 the primary is lost and a replica takes its place: nothing shows what this never had', async () => {
    const [heir, ahead] = cluster.replicas
    if (heir === undefined || ahead === undefined) throw new Error('There are two replicas.')
    const database = addressOf([cluster.primary, heir], NAME)
    const service = await started({ database, cacheBytes: 1_000_000 })
    const patient = await started({ database, replicaMaxAge: 60_000 })
    await are(service, [1, 1])
    await are(patient, [1, 1])
    const kept = await made(service.editor, 'Kept')
    await expect.poll(async () => (await runOn(heir.url, await hasAll()))[0]?.[0], PATIENCE).toBe(true)
    // What it does not get any more is lost with the primary.
    await runOn(heir.url, `alter system set primary_conninfo = ''`)
    await runOn(heir.url, 'select pg_reload_conf()')
    await expect.poll(() => runOn(heir.url, 'select count(*)::int from pg_stat_wal_receiver'), PATIENCE).toEqual([[0]])
    const lost = await made(service.editor, 'Lost')
    for (const caller of [service.anonymous, service.editor]) expect(await titleAt(caller, lost)).toBe('Lost')
    await cluster.primary.kill()
    await expect.poll(async () => (await service.editor.patch(kept, { count: 2 })).status, PATIENCE).toBe(503)
    expect(await service.editor.patch(kept, { count: 2 })).toMatchObject({ body: { name: 'unavailable' } })
    expect((await service.anonymous.get(kept)).status).toBe(503)
    // It may notice a little later.
    await expect.poll(() => titleAt(patient.anonymous, kept), PATIENCE).toBe('Kept')
    await promote(heir)
    for (const { editor } of [service, patient]) {
      await expect.poll(async () => (await editor.patch(kept, { count: 3 })).status, PATIENCE).toBe(200)
    }
    for (const caller of [service.anonymous, service.editor, patient.anonymous]) {
      expect((await caller.get(lost)).status).toBe(404)
      expect((await caller.get(kept)).body).toMatchObject({ title: 'Kept', count: 3 })
      expect((await caller.get('article', 'title=Lost')).body.results).toEqual([])
    }
    await are(service, [0, 0])
    await expect.poll(() => service.said.join('\n'), PATIENCE).toMatch(/it does not follow this primary/)
    // The former primary comes back and takes changes, which belong to the past.
    await cluster.primary.restart()
    await runOn(heir.url, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${NAME}'`)
    await expect.poll(async () => (await service.editor.patch(kept, { count: 4 })).status, PATIENCE).toBe(200)
    expect((await service.anonymous.get(lost)).status).toBe(404)
    expect((await service.anonymous.get(kept)).body).toMatchObject({ count: 4 })
  })

  /** Reads until replicas have answered. */
  async function readsReplicas(service: Service, path: string): Promise<void> {
    const before = await readsOf(service)
    const after = async () => {
      expect((await service.anonymous.get(path)).status).toBe(200)
      return readsOf(service)
    }
    await expect.poll(after, PATIENCE).toBeGreaterThan(before)
  }

  async function onReplicas(sql: string): Promise<void> {
    for (const { url } of cluster.replicas) await runOn(url, sql)
  }

  /** Asks a replica whether it has repeated all that the primary has done so far. */
  async function hasAll(): Promise<string> {
    const [[position] = []] = await runOn(cluster.primary.url, 'select pg_current_wal_insert_lsn()')
    return `select pg_last_wal_replay_lsn() >= '${position}'`
  }
})
