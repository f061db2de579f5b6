import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { quietLog } from '../src/cli/log.ts'
import { migrate } from '../src/store/open.ts'
import { databaseUrl, runOn } from './postgres-server.ts'
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
}

/** Every kind of database that tests run on: `describe.each(testDatabases)('… on $name', …)`. */
export const testDatabases: readonly TestDatabases[] = [
  { name: 'SQLite', create: () => createFile(), createReady: async () => createFile(await emptyTables()) },
  {
    name: 'PostgreSQL',
    create: () => createDatabase(),
    createReady: () => createDatabase(environment('QUIRE_TEST_TEMPLATE')),
  },
]

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
  tables ??= createFile().then(async ({ url, drop }) => {
    await migrate(url, { log: quietLog })
    const content = await readFile(url.slice('sqlite:'.length))
    await drop()
    return content
  })
  return tables
}

/** Made as a copy of the files of another: cheaper than by the log, from which nothing here is ever recovered. */
async function createDatabase(template = 'template1'): Promise<TestDatabase> {
  const server = environment('QUIRE_TEST_POSTGRES')
  const name = `quire_test_${randomBytes(8).toString('hex')}`
  await runOn(server, `create database ${name} template ${template} strategy file_copy`)
  return {
    url: databaseUrl(server, name),
    drop: () => runOn(server, `drop database if exists ${name} with (force)`),
  }
}

function environment(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set: run the tests with vitest.`)
  return value
}
