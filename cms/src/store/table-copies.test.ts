import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { afterEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabases } from '../../test/databases.ts'
import { quietLog } from '../cli/command/json-log.ts'
import type { TableShape } from './database/tables.ts'
import { TABLES_VERSION } from './migrations/index.ts'
import { stateAt } from './migrations/usable-tables.ts'
import { tableNames } from './postgres/postgres-tables.ts'
import { sqliteDialect } from './sqlite/sqlite-dialect.ts'
import { tablesAt } from './sqlite/sqlite-tables.ts'
import { type CopiedRow, readTables, restoreTables } from './table-copies.ts'

const options = { log: quietLog }
const created: TestDatabase[] = []
const [sqlite, postgres] = testDatabases

afterEach(async () => {
  for (const database of created.splice(0)) await database.drop()
})

async function make(kind = sqlite): Promise<string> {
  if (kind === undefined) throw new Error('There is no such database.')
  const database = await kind.createReady()
  created.push(database)
  return database.url
}

/** Names of all tables, as the database tells them. */
async function namesIn(url: string): Promise<string[]> {
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(url.slice('sqlite:'.length))
    const rows = database.prepare("select name from pragma_table_list where schema = 'main' and type <> 'shadow'").all()
    database.close()
    return rows.map(({ name }) => String(name)).filter((name) => !name.startsWith('sqlite_'))
  }
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('select tablename as name from pg_tables where schemaname = current_schema()')
  await client.end()
  return rows.map(({ name }) => name)
}

test('§10.1 each table of a database is copied, or is one that is made of the others again', async () => {
  const copied = (await tablesAt(TABLES_VERSION)).map(({ name }) => name)
  const inFile = await namesIn(await make(sqlite))
  expect(inFile.toSorted()).toEqual([...copied, ...sqliteDialect.copying.ownTables].toSorted())
  const onServer = await namesIn(await make(postgres))
  expect(onServer.toSorted()).toEqual([...tableNames(stateAt(TABLES_VERSION), copied)].toSorted())
})

test('§10.1 rows of all tables are the same after three copies between kinds of databases', async () => {
  const tables = await tablesAt(TABLES_VERSION)
  const written = new Map(tables.map((table) => [table.name, rowsFor(table)]))
  const first = await make(sqlite)
  await fill(first, tables, written)
  const urls = [first, await make(postgres), await make(sqlite), await make(postgres)]
  for (const [index, url] of urls.entries()) {
    const next = urls[index + 1]
    const { rows, lasts } = await contentOf(url)
    for (const { name } of tables) expect([name, rows.get(name)]).toEqual([name, written.get(name)])
    const counted = tables.filter(({ rowNumber }) => rowNumber !== null)
    expect(counted.map(({ name }) => name)).toContain('documents')
    expect(lasts).toEqual(Object.fromEntries(counted.map(({ name }) => [name, 1234])))
    if (next !== undefined) await fill(next, tables, rows)
  }
})

/** Two rows for each table, which refer to each other: texts that need quoting, bytes, fractions and nothing. */
function rowsFor(table: TableShape): CopiedRow[] {
  return [7, 8].map((number) =>
    Object.fromEntries(
      table.columns.map(({ name, kind }) => {
        const text = `${table.name}.${name} “ü\n'"\\ {} ${number}`
        const values = {
          text,
          integer: name === 'search_stale' ? 1 : number,
          number: number + 0.1,
          bytes: `00ff0${number}`,
        }
        if (table.name === 'meta' && name === 'name') return [name, number === 7 ? 'version' : 'mark:other']
        if (table.name === 'meta') return [name, number === 7 ? String(TABLES_VERSION) : text]
        return [name, values[kind]]
      }),
    ),
  )
}

function fill(url: string, tables: readonly TableShape[], rows: ReadonlyMap<string, readonly CopiedRow[]>) {
  const copied = tables.map((table) => ({ ...table, rows: 2, last: table.rowNumber === null ? null : 1234 }))
  return restoreTables(url, { ...options, version: TABLES_VERSION, tables: copied }, async (writer) => {
    for (const table of tables) await writer.insert(table, rows.get(table.name) ?? [])
  })
}

async function contentOf(url: string) {
  return readTables(url, options, async (snapshot) => {
    const rows = new Map<string, CopiedRow[]>()
    for (const table of snapshot.tables) {
      const all: CopiedRow[] = []
      for await (const some of snapshot.rows(table)) all.push(...some)
      rows.set(table.name, all)
    }
    const counted = snapshot.tables.filter(({ last }) => last !== null)
    return { rows, lasts: Object.fromEntries(counted.map(({ name, last }) => [name, last])) }
  })
}
