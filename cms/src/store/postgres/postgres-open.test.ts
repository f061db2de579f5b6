import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { referenceSite } from '../../../../conformance/site.ts'
import { testDatabases } from '../../../test/databases.ts'
import { databaseUrl, runOn } from '../../../test/postgres-server.ts'
import { callerOf } from '../../../test/service.ts'
import { createApp } from '../../app.ts'
import { quietLog } from '../../cli/command/json-log.ts'
import { Fence } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { migrate } from '../migrate-store.ts'
import { inspect, open, openDatabase } from '../open-store.ts'
import { driverAddress } from './postgres-address.ts'
import { cannotOpen, rethrow, rethrowOfConnecting } from './postgres-errors.ts'
import { Listener } from './postgres-listener.ts'

test('§3 a database of another encoding than UTF8 is refused, and says how to make one', async () => {
  const server = process.env.QUIRE_TEST_POSTGRES ?? ''
  const name = `quire_test_ascii_${process.pid}`
  await runOn(server, `create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`)
  try {
    const opened = openDatabase(databaseUrl(server, name), { log: quietLog })
    await expect(opened).rejects.toThrow(/^The database has the encoding SQL_ASCII. Create one with: /)
  } finally {
    await runOn(server, `drop database ${name}`)
  }
})

/** A message of the server as it is sent. */
function message(kind: string, content: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(content.length + 4)
  return Buffer.concat([Buffer.from(kind), length, Buffer.from(content)])
}

/** The address of a pooler, or a server, that answers to what it is sent first, and second. */
async function pooler(
  answers: readonly (readonly Buffer[])[],
  onConnection: (socket: Socket) => void = () => {},
): Promise<string> {
  const server = createServer((socket) => {
    onConnection(socket)
    const left = answers.map((messages) => Buffer.concat(messages))
    socket.on('error', () => {})
    socket.on('data', () => {
      const answer = left.shift()
      if (answer !== undefined) socket.write(answer)
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  // `as`: the address of a server that listens at a port.
  return `postgres://quire@127.0.0.1:${(server.address() as AddressInfo).port}/shelf`
}

test('§3 a pooler that refuses the settings of a connection is quoted', async () => {
  const refusal = message('E', 'SFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0\0')
  const opened = openDatabase(await pooler([[refusal]]), { log: quietLog })
  await expect(opened).rejects.toThrow('refuses the connection: unsupported startup parameter: statement_timeout.')
})

test.each([
  ['42P05', 'prepared statement "quire_0" already exists'],
  ['26000', 'prepared statement "quire_0" does not exist'],
])('§3 a pooler of transactions is named as such when the server says %s', async (code, text) => {
  const ready = message('Z', 'I')
  const refusal = message('E', `SERROR\0C${code}\0M${text}\0\0`)
  const opened = openDatabase(
    await pooler([
      [message('R', '\0\0\0\0'), ready],
      [refusal, ready],
    ]),
    { log: quietLog },
  )
  await expect(opened).rejects.toThrow(/transaction pooling.*QUIRE_DATABASE_LISTEN/)
})

test('§0.2 a pooler is named in the log, but not to callers', () => {
  const refused = Object.assign(new Error('prepared statement "quire_0" does not exist'), { code: '26000' })
  const cause = expect.objectContaining({ message: expect.stringContaining('transaction pooling') })
  const message = 'The database cannot be used at present. Try again later.'
  expect(() => rethrow(refused)).toThrow(expect.objectContaining({ name: 'unavailable', message, cause }))
})

test('§3 a server that asks for a password that the address lacks is left at once', async () => {
  const [ask, goOn] = ['\0\0\0\x0aSCRAM-SHA-256\0\0', '\0\0\0\x0br=nonce,s=c2FsdA==,i=4096']
  const ended: Promise<unknown>[] = []
  const address = await pooler([[message('R', ask)], [message('R', goOn)]], (socket) =>
    ended.push(once(socket, 'close')),
  )
  await expect(openDatabase(address, { log: quietLog })).rejects.toThrow(/asks for a password. Write postgres:/)
  expect(ended).toHaveLength(1)
  await Promise.all(ended)
})

test('§3 a server that does not encrypt is reported where the address asks for it', async () => {
  const address = `${await pooler([[Buffer.from('N')]])}?sslmode=verify-full`
  await expect(openDatabase(address, { log: quietLog })).rejects.toThrow('does not encrypt connections')
})

test.each([
  ['ERR_TLS_CERT_ALTNAME_INVALID', /is for another host: said so\. Write a name/],
  ['CERT_HAS_EXPIRED', /is not valid at present: said so\. Renew it/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /is not trusted: said so\. Name that of its authority/],
  ['ECONNREFUSED', /cannot be reached: said so\. Check that it runs/],
])('§3 the operator reads what to do about %s', (code, message) => {
  const why = Object.assign(new Error('said so'), { code })
  const refused = () => rethrowOfConnecting(why)
  expect(refused).toThrow(
    expect.objectContaining({ name: 'unavailable', message: expect.not.stringContaining('said') }),
  )
  try {
    refused()
  } catch (error) {
    expect(cannotOpen('postgres://quire@db.test/shelf', error)).toMatchObject({
      message: expect.stringMatching(message),
    })
  }
})

test('§3 an address that encrypts checks the certificate and the host, without warnings of the driver', async () => {
  const at = 'postgres://quire@db.test/shelf'
  for (const mode of ['allow', 'prefer', 'require', 'verify-ca', 'verify-full'])
    expect(driverAddress(`${at}?sslmode=${mode}&sslrootcert=ca.crt`)).toBe(
      `${at}?sslmode=verify-full&sslrootcert=ca.crt`,
    )
  for (const kept of ['', '?sslmode=disable', '?sslmode=no-verify', '?uselibpqcompat=true&sslmode=require'])
    expect(driverAddress(at + kept)).toBe(at + kept)
  await expect(openDatabase(`${at}?sslmode=verify`, { log: quietLog })).rejects.toThrow(/sslmode “verify”\. It can be/)
})

test('§3 a file of the address that cannot be read is named, also while the service runs', async () => {
  const unreadable = 'postgres://quire@127.0.0.1:1/shelf?sslrootcert=/no/such.crt'
  await expect(openDatabase(unreadable, { log: quietLog })).rejects.toThrow(
    /cannot be reached: ENOENT.*\/no\/such\.crt/,
  )
  const config = { connectionString: unreadable }
  const fence = new Fence(() => {})
  const listener = new Listener({
    hosts: { config, find: async () => {} },
    name: 'test',
    log: quietLog,
    fence,
    isPolling: false,
    whenFrozen: () => {},
  })
  await listener.start()
  expect(listener.revision).toBeNull()
  await listener.stop()
})

test.each(['postgres://quire:a#b@127.0.0.1/shelf', 'postgres://quire@127.0.0.1:port/shelf'])(
  '§3 %s is refused as no address, without its password',
  async (url) => {
    const failure = await openDatabase(url, { log: quietLog }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ message: expect.stringMatching(/percent-encoded in it: # is %23/) })
    expect(String(failure)).not.toContain('a#b')
  },
)

describe('§3 an account without all permissions', () => {
  const role = `quire_test_role_${process.pid}`

  async function start() {
    const server = process.env.QUIRE_TEST_POSTGRES ?? ''
    const database = await testDatabases.find(({ name }) => name === 'PostgreSQL')?.create()
    if (database === undefined) throw new Error('There is no PostgreSQL to test on.')
    await runOn(server, `create role ${role} login`)
    onTestFinished(async () => {
      await database.drop()
      await runOn(server, `drop role ${role}`)
    })
    const url = new URL(database.url)
    url.username = role
    return { owner: database.url, url: url.href }
  }

  test('that may create no tables is refused with the reason', async () => {
    const { url } = await start()
    const opened = open(url, { log: quietLog })
    await expect(opened).rejects.toThrow(
      /does not let this account use the database: permission denied for schema public/,
    )
  })

  test('that may change rows alone serves a database that is up to date', async () => {
    const { owner, url } = await start()
    await migrate(owner, { log: quietLog })
    await runOn(owner, `grant select, insert, update, delete on all tables in schema public to ${role}`)
    const app = await createApp(referenceSite({}), { database: url })
    try {
      const content = app.as({ role: 'editor', name: 'Test' })
      await content.insert('article', { title: 'By rows alone' })
      expect(await content.count('article')).toBe(1)
    } finally {
      await app.close()
    }
  })

  test('that may not sign in any more gets 503 until it may again', async () => {
    const { owner, url } = await start()
    await migrate(owner, { log: quietLog })
    await runOn(owner, `grant select, insert, update, delete on all tables in schema public to ${role}`)
    const app = await createApp(referenceSite({}), {
      database: url,
      keys: [{ key: 'key', role: 'editor', name: 'Test' }],
    })
    try {
      const caller = callerOf(await app.listen(0, '127.0.0.1'), 'key', null)
      await runOn(owner, `alter role ${role} nologin`)
      await runOn(owner, `select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = '${role}'`)
      for (const answered of [await caller.get('article'), await caller.post('article', { title: 'Not now' })])
        expect(answered).toMatchObject({ status: 503, body: { name: 'unavailable' } })
      await runOn(owner, `alter role ${role} login`)
      await expect.poll(async () => (await caller.get('article')).status, { timeout: 20_000 }).toBe(200)
    } finally {
      await app.close()
    }
  })

  test('that may change no rows gets 503', async () => {
    const { owner, url } = await start()
    await (await createApp(referenceSite({}), { database: owner })).close()
    await runOn(owner, `grant select on all tables in schema public to ${role}`)
    const app = await createApp(referenceSite({}), { database: url })
    try {
      const inserted = app.as({ role: 'editor', name: 'Test' }).insert('article', { title: 'Not permitted' })
      await expect(inserted).rejects.toMatchObject({
        name: 'unavailable',
        message: expect.stringMatching(/does not allow its account to do this/),
      })
    } finally {
      await app.close()
    }
  })

  test('and so is a server that is read-only', async () => {
    const { owner } = await start()
    const readOnly = `${owner}?options=-c%20default_transaction_read_only%3Don`
    await expect(open(readOnly, { log: quietLog })).rejects.toThrow(/takes no changes: .* read-only/)
  })
})

test.each([
  ['tables', 7_850_113],
  ['content', 7_850_114],
])('§0.11 a start that waits for the %s of another process says so', async (_what, lock) => {
  const database = await testDatabases.find(({ name }) => name === 'PostgreSQL')?.create()
  if (database === undefined) throw new Error('There is no PostgreSQL to test on.')
  const other = new Client({ connectionString: database.url })
  await other.connect()
  onTestFinished(async () => {
    await other.end()
    await database.drop()
  })
  await other.query('select pg_advisory_lock($1)', [lock])
  const lines: string[] = []
  const log = { ...quietLog, info: (_facts: object, text: string) => void lines.push(text) }
  const starting = createApp(referenceSite({}), { database: database.url, log })
  const message = 'Another process is preparing the database. This one waits for it.'
  await expect.poll(() => lines, { timeout: 10_000 }).toContain(message)
  await other.query('select pg_advisory_unlock($1)', [lock])
  await (await starting).close()
  expect(lines.filter((text) => text === message)).toHaveLength(1)
})

test('§3 of several servers the one that takes changes is opened', async () => {
  const direct = process.env.QUIRE_TEST_POSTGRES ?? ''
  const several = direct.replace(/@[^/]*/, (host) => `@127.0.0.1:1,${host.slice(1)}`)
  for (const url of [several, `${several}?target_session_attrs=read-write`]) {
    const database = await openDatabase(url, { log: quietLog })
    expect(await database.primary.all(sql`select 1 as one`)).toEqual([{ one: 1 }])
    await database.close()
    expect(await inspect(url)).toMatchObject({ denied: [] })
  }
  await expect(
    openDatabase('postgres://quire:s3cret@127.0.0.1:1,127.0.0.1:2/shelf', { log: quietLog }),
  ).rejects.toThrow('PostgreSQL at 127.0.0.1:1, 127.0.0.1:2 cannot be reached')
  await expect(openDatabase(`${direct}?target_session_attrs=standby`, { log: quietLog })).rejects.toThrow(
    'The address of the database has target_session_attrs=standby. Write read-write',
  )
})

test('§3 a file has no replicas', async () => {
  const opened = openDatabase('sqlite:a.db', { log: quietLog, replicas: ['postgres://quire@127.0.0.1/shelf'] })
  await expect(opened).rejects.toThrow(/^Replicas are those of a PostgreSQL server, and the database is a file/)
})
