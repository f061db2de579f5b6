import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testDatabases } from '../../../test/databases.ts'
import { runOn } from '../../../test/postgres-server.ts'
import { type StoreDatabase, storeDatabases } from '../../../test/store-databases.ts'
import { quietLog } from '../../cli/command/json-log.ts'
import type { Transaction } from '../database/connection.ts'
import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { openDatabase } from '../open-store.ts'

const put = (tx: Transaction, name: string) => tx.send(sql`insert into meta (name, value) values (${name}, 'x')`)

async function stored(database: Database): Promise<string[]> {
  const rows = await database.reader.all<{ name: string }>(
    sql`select name from meta where name like 'test %' order by name`,
  )
  return rows.map(({ name }) => name)
}

describe.each(storeDatabases)('statements that nobody waits for on $title', ({ createReady }) => {
  let made: StoreDatabase
  let database: Database
  beforeEach(async () => {
    made = await createReady()
    database = await openDatabase(made.url, { log: quietLog, listenAt: made.listenAt })
  })
  afterEach(async () => {
    await database.close()
    await made.drop()
  })

  test('§3 all are stored with the commit, in their order', async () => {
    const seen = await database.transaction(async (tx) => {
      await put(tx, 'test one')
      await put(tx, 'test two')
      await tx.send(sql`delete from meta where name = 'test one'`)
      return tx.all<{ name: string }>(sql`select name from meta where name like 'test %'`)
    })
    expect(seen).toEqual([{ name: 'test two' }])
    expect(await stored(database)).toEqual(['test two'])
  })

  test('§3 one that fails leaves nothing behind, and its error is thrown, whatever was sent after it', async () => {
    const broken = (work: (tx: Transaction) => Promise<unknown>) =>
      database.transaction(async (tx) => {
        await put(tx, 'test one')
        await put(tx, 'test one')
        await put(tx, 'test two')
        await work(tx)
      })
    const message = /unique/i
    await expect(broken(async () => {})).rejects.toThrow(message)
    await expect(broken((tx) => tx.all(sql`select 1`))).rejects.toThrow(message)
    expect(await stored(database)).toEqual([])
    await database.transaction((tx) => put(tx, 'test three'))
    expect(await stored(database)).toEqual(['test three'])
  })

  test('§3 one with a value that cannot be sent leaves nothing behind', async () => {
    const cyclic: { self?: object } = {}
    cyclic.self = cyclic
    const broken = database.transaction(async (tx) => {
      await put(tx, 'test one')
      await tx.send(sql`insert into meta (name, value) values ('test two', ${cyclic})`)
    })
    await expect(broken).rejects.toThrow()
    expect(await stored(database)).toEqual([])
  })
})

const postgres = testDatabases.filter(({ name }) => name === 'PostgreSQL')

test.each(postgres)(
  '§3 an account that may not write to the log of $name waits for the disk all the same',
  async (kind) => {
    const made = await kind.createReady()
    const account = `quire_test_${randomBytes(8).toString('hex')}`
    const functions = await runOn(
      made.url,
      `select oid::regprocedure from pg_proc where proname = 'pg_logical_emit_message'`,
    )
    await runOn(
      made.url,
      `create role ${account} login; alter role ${account} set synchronous_commit = on;
    grant all on all tables in schema public to ${account};
    ${functions.map(([name]) => `revoke execute on function ${name} from public`).join(';')}`,
    )
    const url = new URL(made.url)
    url.username = account
    const database = await openDatabase(url.href, { log: quietLog })
    try {
      for (const name of ['test one', 'test two']) {
        const [written] = await database.transaction(async (tx) => {
          tx.changed(null)
          await put(tx, name)
          return tx.all<{ at: string }>(sql`select pg_current_wal_insert_lsn()::text as at`)
        })
        const onDisk = sql<{ is: boolean }>`select pg_current_wal_flush_lsn() >= ${written?.at}::pg_lsn as is`
        expect(await database.reader.all(onDisk)).toEqual([{ is: true }])
      }
      expect(await stored(database)).toEqual(['test one', 'test two'])
    } finally {
      await database.close()
      await runOn(made.url, `drop owned by ${account}; drop role ${account}`)
      await made.drop()
    }
  },
)

test.each(postgres)('§0.9 on $name whatever announces a write is on disk only with that write', async (kind) => {
  const made = await kind.createReady()
  const account = `quire_test_${randomBytes(8).toString('hex')}`
  await runOn(
    made.url,
    `create role ${account} login; alter role ${account} set synchronous_commit = on;
    grant all on all tables in schema public to ${account}`,
  )
  const url = new URL(made.url)
  url.username = account
  const database = await openDatabase(url.href, { log: quietLog })
  try {
    // As a delivery or an answer is recorded, whose own commit does not wait for the disk.
    await runOn(made.url, `insert into meta (name, value) values ('test one', 'x')`)
    const [before] = await database.reader.all<{ at: string }>(sql`select pg_current_wal_insert_lsn()::text as at`)
    // As a process takes the delivery, or records the answer: nothing is announced.
    await database.transaction((tx) => tx.all(sql`update meta set value = 'taken' where name = 'test one'`))
    const onDisk = sql<{ is: boolean }>`select pg_current_wal_flush_lsn() >= ${before?.at}::pg_lsn as is`
    expect(await database.reader.all(onDisk)).toEqual([{ is: true }])
  } finally {
    await database.close()
    await runOn(made.url, `drop owned by ${account}; drop role ${account}`)
    await made.drop()
  }
})
