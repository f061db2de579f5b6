import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'pg'
import { quietLog } from '../src/cli/command/json-log.ts'
import { migrate } from '../src/store/migrate-store.ts'
import { databaseUrl } from './postgres-server.ts'
import { isWhole, some } from './sample.ts'

/** A fresh database. `url` is what the service is started with. */
export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

export interface TestDatabases {
  readonly name: 'SQLite' | 'PostgreSQL'
  /** An empty one. */
  create(): Promise<TestDatabase>
  /** One that has its tables already, where making them is not what is tested. */
  createReady(): Promise<TestDatabase>
  /** Fills an empty one that has its tables; afterwards each call creates a copy of it. */
  prepare(fill: (url: string) => Promise<void>): Promise<() => Promise<TestDatabase>>
}

const kinds: readonly TestDatabases[] = [
  {
    name: 'SQLite',
    create: () => createFile(),
    createReady: async () => createFile(await emptyTables()),
    prepare: async (fill) => {
      const content = await contentOf(await createFile(await emptyTables()), fill)
      return () => createFile(content)
    },
  },
  {
    name: 'PostgreSQL',
    create: () => createDatabase(),
    createReady: () => createDatabase(environment('QUIRE_TEST_TEMPLATE')),
    prepare: async (fill) => {
      const template = environment('QUIRE_TEST_TEMPLATE')
      // By this name it is dropped when all tests are done.
      const name = `${template}_${randomBytes(8).toString('hex')}`
      const { url } = await createDatabase(template, name)
      await fill(url)
      return () => createDatabase(name)
    },
  },
]

const only = process.env.QUIRE_TEST_ONLY
/**
 * Every kind of database that tests run on: `describe.each(testDatabases)('… on $name', …)`. With
 * `QUIRE_TEST_ONLY=SQLite` it is this one.
 */
export const testDatabases = only === undefined ? kinds : kinds.filter(({ name }) => name === only)

/** One kind of database for long tests, another choice in each run and for each title; both in `npm run test:all`. */
export function sampledDatabases(title: string): readonly TestDatabases[] {
  return isWhole ? testDatabases : some(testDatabases, 1, title.length)
}

async function createFile(content?: Buffer): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-test-'))
  const path = join(folder, 'test.db')
  if (content !== undefined) await writeFile(path, content)
  return {
    url: `sqlite:${path}`,
    drop: () => rm(folder, { recursive: true, force: true }),
  }
}

let tables: Promise<Buffer> | undefined

/** The file of a database that has its tables and nothing in them; made once. */
function emptyTables(): Promise<Buffer> {
  tables ??= createFile().then((file) => contentOf(file, async (url) => void (await migrate(url, { log: quietLog }))))
  return tables
}

/** What is in a file once it was filled; the file itself is dropped. */
async function contentOf({ url, drop }: TestDatabase, fill: (url: string) => Promise<void>): Promise<Buffer> {
  await fill(url)
  const content = await readFile(url.slice('sqlite:'.length))
  await drop()
  return content
}

/** Made as a copy of the files of another: cheaper than by the log, from which nothing here is ever recovered. */
async function createDatabase(
  template = 'template1',
  name = `quire_test_${randomBytes(8).toString('hex')}`,
): Promise<TestDatabase> {
  const server = environment('QUIRE_TEST_POSTGRES')
  await maintain(`create database ${name} template ${template} strategy file_copy`)
  return {
    url: databaseUrl(server, name),
    drop: () => maintain(`drop database if exists ${name} with (force)`),
  }
}

let maintenance: Pool | undefined

/** Runs a statement on the server, on a connection that stays open: opening one costs as much as what it is for. */
async function maintain(sql: string): Promise<void> {
  maintenance ??= newMaintenance()
  await maintenance.query(sql)
}

function newMaintenance(): Pool {
  const connectionString = environment('QUIRE_TEST_POSTGRES')
  const pool = new Pool({ connectionString, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true })
  // A connection that is lost between statements is opened again by the next.
  pool.on('error', () => {})
  return pool
}

function environment(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set: run the tests with vitest.`)
  return value
}
