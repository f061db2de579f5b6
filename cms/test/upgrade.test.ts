import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createApp } from '../src/app.ts'
import { compileSite } from '../src/model/compile/site.ts'
import { TABLES_VERSION } from '../src/store/migrations/index.ts'
import { inspect } from '../src/store/open-store.ts'
import { quire } from './command.ts'
import { inconsistencies } from './consistency.ts'
import { sampledDatabases, type TestDatabase, type TestDatabases } from './databases.ts'
import { site } from './released/site.ts'

// released/ has a database of the tables that were released first (version 10), as the program of then has left it, and
// what that program answered. A backup of it makes one of any kind.

const RELEASED = fileURLToPath(new URL('./released/', import.meta.url))
const FIRST_RELEASED = 10
const KEYS = ['editor', 'admin'] as const

/** An answer of the program that has made the database. */
interface Answered {
  /** Anonymous, or the role of the key. */
  readonly who: string
  readonly path: string
  readonly status: number
  readonly location: string | null
  /** Null where it was not JSON. */
  readonly body: unknown
}

// `as`: what was written down then.
const answers = JSON.parse(await readFile(join(RELEASED, '0010.json'), 'utf8')) as readonly Answered[]

/** A database to be, and an empty folder for its uploads. */
async function place(databases: TestDatabases): Promise<{ readonly database: TestDatabase; readonly folder: string }> {
  const database = await databases.create()
  const folder = await mkdtemp(join(tmpdir(), 'quire-upgrade-'))
  onTestFinished(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })
  return { database, folder }
}

/** The database of the program of then, as a file: its address. */
async function releasedFile(folder: string): Promise<string> {
  const path = join(folder, 'released.db')
  await writeFile(path, gunzipSync(await readFile(join(RELEASED, '0010.db.gz'))))
  return `sqlite:${path}`
}

/** Runs a command; fails with what it printed. */
async function run(args: readonly string[], database: string, folder: string): Promise<void> {
  const variables = { QUIRE_DATABASE: database, QUIRE_UPLOADS: join(folder, 'uploads') }
  const { code, out, err } = await quire(folder, args, variables)
  expect(code === 0 ? '' : out + err).toBe('')
}

/** What the present program answers to the same requests. */
async function answersNow(database: string, folder: string): Promise<Answered[]> {
  const keys = KEYS.map((role) => ({ role, key: `key-${role}`, name: role }))
  const app = await createApp(site, { database, uploads: join(folder, 'uploads'), keys })
  try {
    const address = await app.listen(0, '127.0.0.1')
    const all: Answered[] = []
    for (const { who, path } of answers) {
      const headers = who === '' ? {} : { authorization: `ApiKey key-${who}` }
      const response = await fetch(address + path, { headers, redirect: 'manual' })
      const isJson = response.headers.get('content-type')?.includes('json') === true
      const body: unknown = isJson ? JSON.parse((await response.text()).replaceAll(address, '')) : null
      all.push({ who, path, status: response.status, location: response.headers.get('location'), body })
    }
    return all
  } finally {
    await app.close()
  }
}

/** All that was answered then is answered now; answers may hold more. */
async function expectSameAnswers(database: string, folder: string): Promise<void> {
  const now = await answersNow(database, folder)
  for (const [index, answer] of answers.entries()) expect(now[index], answer.path).toMatchObject(answer)
  expect(await inconsistencies(database, compileSite(site))).toEqual([])
  expect((await inspect(database)).tables.version).toBe(TABLES_VERSION)
}

describe.each(sampledDatabases('upgrading'))(
  'upgrading from the first release on $name',
  { timeout: 60_000 },
  (databases) => {
    test('a database of then answers as it did; its backup brings it back, and it can be upgraded again', async () => {
      const { database, folder } = await place(databases)
      const released = join(folder, 'released.backup')
      await run(['backup', released], await releasedFile(folder), folder)
      await run(['restore', released], database.url, folder)
      expect((await inspect(database.url)).tables.version).toBe(FIRST_RELEASED)
      const before = join(folder, 'before.backup')
      await run(['backup', before], database.url, folder)
      await expectSameAnswers(database.url, folder)
      await run(['restore', before, '--force'], database.url, folder)
      expect((await inspect(database.url)).tables.version).toBe(FIRST_RELEASED)
      await run(['migrate'], database.url, folder)
      await expectSameAnswers(database.url, folder)
    })
  },
)

test('the very file of an SQLite database of then answers as it did; a copy from before brings it back', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quire-upgrade-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const database = await releasedFile(folder)
  await expectSameAnswers(database, folder)
  await releasedFile(folder)
  expect((await inspect(database)).tables.version).toBe(FIRST_RELEASED)
  await expectSameAnswers(database, folder)
})
