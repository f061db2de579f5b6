import { expect, onTestFinished, test } from 'vitest'
import { testDatabases } from '../../../test/databases.ts'
import { quietLog } from '../../cli/command/json-log.ts'
import { sql } from '../database/sql.ts'
import { openDatabase } from '../open-store.ts'

const ONE = sql`select 1 as one`

test.each(testDatabases.filter(({ name }) => name === 'SQLite'))(
  '§0.11 a closed $name is stopping; a snapshot that has ended is not',
  async ({ createReady }) => {
    const made = await createReady()
    onTestFinished(() => made.drop())
    const database = await openDatabase(made.url, { log: quietLog })
    const ended = await database.snapshot(async (connection) => ({ connection }))
    await expect(ended.connection.all(ONE)).rejects.toThrow(/not open|finalized/)
    expect(await database.reader.all(ONE)).toEqual([{ one: 1 }])
    const closed = await database.snapshot(async (connection) => {
      await database.close()
      return { connection }
    })
    for (const late of [() => closed.connection.all(ONE), () => database.reader.all(ONE), () => database.check()]) {
      await expect(late()).rejects.toThrow('The service is stopping.')
    }
  },
)
