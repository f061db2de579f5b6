import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { quire } from '../../../test/command.ts'
import { testDatabases } from '../../../test/databases.ts'
import { databaseUrl, runOn, startPostgres } from '../../../test/postgres-server.ts'
import { startProxy } from '../../../test/tcp-proxy.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { quietLog } from '../../cli/command/json-log.ts'
import { migrate } from '../migrate-store.ts'
import { inspectListening, open, openDatabase } from '../open-store.ts'
import { driverAddress, givenOptions, timeoutOf } from './postgres-address.ts'
import { settingsOf } from './postgres-pool.ts'

const PATIENCE = { timeout: 20_000, interval: 50 }
const AT = 'postgres://quire@db.test/shelf'
const KEY = 'admin:0123456789abcdef0123456789abcdef'

async function freshDatabase(): Promise<string> {
  const database = await testDatabases.find(({ name }) => name === 'PostgreSQL')?.createReady()
  if (database === undefined) throw new Error('There is no PostgreSQL to test on.')
  onTestFinished(() => database.drop())
  return database.url
}

describe('§3 an address of a database', () => {
  test.each([
    'sslmode=verify-full&sslmode=disable',
    'schema=blog&schema=shop',
    'statement_timeout=60000&schema=blog&statement_timeout=0',
    'target_session_attrs=read-write&target_session_attrs=primary',
  ])('names nothing twice, of which one would count here and the other in the driver: %s', async (query) => {
    await expect(openDatabase(`${AT}?${query}`, { log: quietLog })).rejects.toThrow(/has \w+ twice\. Leave one\./)
  })

  test.each(['60s', '1min', '', '-1', '1e3', '2147483648', '99999999999'])(
    'limits statements by milliseconds, not by %s',
    async (value) => {
      for (const name of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) {
        const opened = openDatabase(`${AT}?schema=blog&${name}=${value}`, { log: quietLog })
        await expect(opened).rejects.toThrow(`has ${name}=${value}. Write milliseconds`)
      }
    },
  )

  test('may set the longest limit that there is, with which statements are still answered', async () => {
    expect(timeoutOf(`${AT}?statement_timeout=2147483647`)).toBe(2 ** 31 - 1)
    const store = await open(`${await freshDatabase()}?statement_timeout=2147483647`, { log: quietLog })
    onTestFinished(() => store.close())
    expect(await store.keys.list()).toEqual([])
  })

  test.each([
    ['statment_timeout', 'statement_timeout'],
    ['ssl_mode', 'sslmode'],
    ['shema', 'schema'],
    ['option', 'options'],
  ])('does not start with %s, which nothing reads: %s was meant', async (name, meant) => {
    const opened = openDatabase(`${AT}?${name}=blog`, { log: quietLog })
    await expect(opened).rejects.toThrow(`has ${name}, which nothing reads: did you mean ${meant}?`)
  })

  test('gives options beside those of the service, and no name of connections', () => {
    const named = `${AT}?options=-c%20work_mem%3D64MB&application_name=site&sslmode=disable&pool_timeout=1`
    expect(driverAddress(named)).toBe(`${AT}?sslmode=disable&pool_timeout=1`)
    expect(givenOptions(named)).toBe(' -c work_mem=64MB')
    expect(driverAddress(`${AT}?application_name=site`)).toBe(AT)
  })

  test.each([
    ['', '16MB'],
    ['?options=-c%20work_mem%3D64MB', '64MB'],
  ])('“%s” gives connections the memory for wide searches: %s', async (query, expected) => {
    const client = new Client(settingsOf((await freshDatabase()) + query))
    await client.connect()
    onTestFinished(() => client.end())
    expect((await client.query('show work_mem')).rows).toEqual([{ work_mem: expected }])
  })
})

describe('§10.2 a restore notices a service that runs, however either names the database', () => {
  test.each([
    ['?application_name=site', ''],
    ['?schema=public', ''],
    ['', '?schema=public'],
    ['?options=-c%20work_mem%3D8MB', '?application_name=restoring'],
  ])('served with “%s”, restored with “%s”', async (served, restored) => {
    const database = await freshDatabase()
    const [folder, file] = [tmpdir(), join(await temporaryFolder('quire-restore'), 'before.backup')]
    const environment = { QUIRE_DATABASE: database + restored, QUIRE_UPLOADS: join(file, '..', 'uploads') }
    expect(await quire(folder, ['backup', file], environment)).toMatchObject({ code: 0 })
    const store = await open(database + served, { log: quietLog })
    const whileItRuns = await quire(folder, ['restore', file, '--force'], environment)
    await store.close()
    expect(whileItRuns).toMatchObject({ code: 1, err: expect.stringContaining('in use') })
    expect(await quire(folder, ['restore', file, '--force'], environment)).toMatchObject({ code: 0 })
  })
})

test('§10.2 an account that may only use the tables may use those that a restore has made', async () => {
  const database = await freshDatabase()
  const role = `Service of "${process.pid}"`
  const quoted = `"${role.replaceAll('"', '""')}"`
  await runOn(database, `create role ${quoted} login`)
  onTestFinished(() => runOn(database, `drop owned by ${quoted}; drop role ${quoted}`).then(() => {}))
  await runOn(database, `grant select, insert, update, delete on all tables in schema public to ${quoted}`)
  const file = join(await temporaryFolder('quire-rights'), 'before.backup')
  const environment = { QUIRE_DATABASE: database, QUIRE_UPLOADS: join(file, '..', 'uploads') }
  expect(await quire(tmpdir(), ['backup', file], environment)).toMatchObject({ code: 0 })
  expect(await quire(tmpdir(), ['restore', file, '--force'], environment)).toMatchObject({ code: 0 })
  const url = new URL(database)
  url.username = encodeURIComponent(role)
  const store = await open(url.href, { log: quietLog })
  onTestFinished(() => store.close())
  expect(await store.transaction(async ({ purges }) => purges.clear())).toBeUndefined()
})

test('§0.11 several servers are of one cluster: none of another takes its place, however its servers fail', async () => {
  const other = await startPostgres({ fsync: 'off' })
  onTestFinished(() => other.stop(), 60_000)
  const database = new URL(await freshDatabase())
  await runOn(other.url, `create database ${database.pathname.slice(1)}`)
  await migrate(databaseUrl(other.url, database.pathname.slice(1)), { log: quietLog })
  const way = await startProxy({ host: database.hostname, port: Number(database.port) })
  onTestFinished(() => way.close())
  const url = `postgres://quire@127.0.0.1:${way.port},${new URL(other.url).host}${database.pathname}`
  await expect(openDatabase(url, { log: quietLog })).rejects.toThrow(/names servers of different clusters/)
  await other.kill()
  const said: string[] = []
  const note = (_data: object, message: string) => void said.push(message)
  const store = await open(url, { log: { info: note, warn: note, error: note } })
  onTestFinished(() => store.close())
  await other.restart()
  way.cut()
  // It has looked for another server at least once by then.
  await expect
    .poll(() => said.filter((message) => message.includes('trying again')).length, PATIENCE)
    .toBeGreaterThan(0)
  await expect(store.keys.list()).rejects.toMatchObject({ name: 'unavailable' })
  way.mend()
  await expect
    .poll(
      () =>
        store.check().then(
          () => true,
          () => false,
        ),
      PATIENCE,
    )
    .toBe(true)
  expect(await store.keys.list()).toEqual([])
  expect(said).not.toContain('The database is at this host now.')
})

describe('§0.7 changes that are heard of at another address', () => {
  test('are those of this database, or nothing is answered from memory, and the log and doctor say why', async () => {
    const [database, other] = [await freshDatabase(), await freshDatabase()]
    expect(await inspectListening(database, database)).toBeNull()
    for (const [listenAt, reason] of [
      [other, 'is not heard at QUIRE_DATABASE_LISTEN'],
      [databaseUrl(database, 'no_such_database'), 'no_such_database'],
    ] as const) {
      const said: object[] = []
      const warn = (data: object) => void said.push(data)
      const store = await open(database, { log: { ...quietLog, warn }, listenAt })
      onTestFinished(() => store.close())
      expect(said).toEqual([{ reason: expect.stringContaining(reason) }])
      expect([store.changes(), store.revision(), store.revocations()]).toEqual([null, null, null])
      await expect(store.check()).rejects.toMatchObject({ name: 'unavailable' })
      const environment = { QUIRE_DATABASE: database, QUIRE_DATABASE_LISTEN: listenAt, QUIRE_API_KEYS: KEY }
      const { code, out } = await quire(tmpdir(), ['doctor'], environment)
      expect([code, out]).toEqual([1, expect.stringMatching(new RegExp(`cannot be heard of at .*${reason}`))])
    }
    const store = await open(database, { log: quietLog, listenAt: database })
    onTestFinished(() => store.close())
    expect(store.changes()).not.toBeNull()
  })
})

test('§3 doctor reads a schema of any name, which the account names', async () => {
  const database = await freshDatabase()
  const role = `Odd "role" ${process.pid}`
  const quoted = `"${role.replaceAll('"', '""')}"`
  await runOn(database, `create role ${quoted} login`)
  await runOn(database, `create schema "Blog ""x" authorization ${quoted}`)
  await runOn(database, `alter role ${quoted} set search_path = "Blog ""x"`)
  onTestFinished(() =>
    runOn(database, `drop owned by ${quoted}`)
      .then(() => runOn(database, `drop role ${quoted}`))
      .then(() => {}),
  )
  const url = new URL(database)
  url.username = encodeURIComponent(role)
  await migrate(url.href, { log: quietLog })
  const { code, out } = await quire(tmpdir(), ['doctor'], { QUIRE_DATABASE: url.href, QUIRE_API_KEYS: KEY })
  expect([code, out]).toEqual([0, expect.stringContaining('It is sound')])
})
