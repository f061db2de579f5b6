import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { isWhole, some } from './sample.ts'

/** A fresh, empty database. `url` is what the service is started with. */
export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

export interface TestDatabases {
  readonly name: 'SQLite' | 'PostgreSQL'
  create(): Promise<TestDatabase>
}

/** Every kind of database that tests run on: `describe.each(testDatabases)('… on $name', …)`. */
export const testDatabases: readonly TestDatabases[] = [
  { name: 'SQLite', create: createFile },
  { name: 'PostgreSQL', create: createDatabase },
]

/** One kind of database for long tests, another choice in each run and for each title; both in `npm run test:all`. */
export function sampledDatabases(title: string): readonly TestDatabases[] {
  return isWhole ? testDatabases : some(testDatabases, 1, title.length)
}

async function createFile(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-test-'))
  return {
    url: `sqlite:${join(folder, 'test.db')}`,
    drop: () => rm(folder, { recursive: true, force: true }),
  }
}

async function createDatabase(): Promise<TestDatabase> {
  const name = `quire_test_${randomBytes(8).toString('hex')}`
  await runOnServer(`create database ${name}`)
  const url = new URL(serverUrl())
  url.pathname = `/${name}`
  return { url: url.href, drop: () => runOnServer(`drop database if exists ${name} with (force)`) }
}

async function runOnServer(sql: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl() })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

function serverUrl(): string {
  const url = process.env.QUIRE_TEST_POSTGRES
  if (url === undefined) throw new Error('QUIRE_TEST_POSTGRES names no server: run the tests with vitest.')
  return url
}
