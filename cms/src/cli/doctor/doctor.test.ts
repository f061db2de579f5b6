import { chmod, mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { quire } from '../../../test/command.ts'
import { sampledDatabases, testDatabases } from '../../../test/databases.ts'
import { makeUser } from '../../../test/people.ts'
import { runOn } from '../../../test/postgres-server.ts'
import { site } from '../../../test/serving-site.ts'
import { createApp } from '../../app.ts'
import { defineSite } from '../../model/compile/site.ts'
import { notWritable } from './check-database.ts'
import type { Finding } from './finding.ts'

const SITE = fileURLToPath(new URL('../../../test/serving-site.ts', import.meta.url))
const KEY = 'a-key-that-nobody-may-see-anywhere-0123456789'

interface Examined {
  readonly code: number
  readonly printed: string
  /** The findings that are not ok, as `database: fail: …`. */
  readonly troubles: readonly string[]
  readonly findings: readonly Finding[]
}

async function examine(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
  options: readonly string[] = [],
): Promise<Examined> {
  const { code, out, err } = await quire(folder, ['doctor', '--json', ...options], environment)
  expect(err).toBe('')
  // `as`: what the command prints.
  const { findings } = JSON.parse(out) as { readonly findings: readonly Finding[] }
  const troubles = findings
    .filter(({ level, message }) => level !== 'ok' && message !== 'This runs as root.')
    .map(({ level, about, message }) => `${about}: ${level}: ${message}`)
  return { code, printed: out, troubles, findings }
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-doctor-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** A database and uploads, as a service has left them. */
async function filled(folder: string): Promise<string> {
  const database = `sqlite:${join(folder, 'quire.db')}`
  await (await createApp(defineSite({}), { database })).close()
  await mkdir(join(folder, 'uploads', 'attachments'), { recursive: true })
  return database
}

/** Runs a statement past the service. */
async function runPast(url: string, statement: string): Promise<void> {
  if (!url.startsWith('sqlite:')) return void (await runOn(url, statement))
  const database = new DatabaseSync(url.slice('sqlite:'.length))
  database.exec(statement)
  database.close()
}

/** As if another program had used it. */
function setVersion(url: string, version: number): Promise<void> {
  return runPast(url, `update meta set value = '${version}' where name = 'version'`)
}

describe('quire doctor', () => {
  test('a database URL that names no database fails, without its password', async () => {
    const database = 'mysql://quire:s3cret@db.test/quire'
    const { code, troubles, printed } = await examine(await newFolder(), { QUIRE_DATABASE: database })
    expect([code, troubles]).toEqual([
      1,
      [expect.stringMatching(/^environment: fail: No database is named by "mysql:\/\/quire@db\.test\/quire"/)],
    ])
    expect(printed).not.toContain('s3cret')
  })

  test('says what it finds also where the declaration of the site is wrong', async () => {
    const folder = await newFolder()
    const database = await filled(folder)
    await writeFile(join(folder, 'site.mjs'), "export const site = { kind: 'site', options: { types: 7 } }")
    const environment = { QUIRE_DATABASE: database, QUIRE_SITE: 'site.mjs' }
    const { troubles } = await examine(folder, environment)
    expect(troubles).toContain('database: warn: There is no admin: neither a user nor a key.')
  })

  test('finds nothing to do where all is well, and leaves nothing behind', async () => {
    const folder = await newFolder()
    const database = await filled(folder)
    const { code, troubles, findings } = await examine(folder, {
      QUIRE_DATABASE: database,
      QUIRE_API_KEYS: `admin:${KEY}`,
    })
    expect(troubles).toEqual([])
    expect(code).toBe(0)
    expect(new Set(findings.map(({ about }) => about))).toEqual(
      new Set(['environment', 'machine', 'database', 'storage']),
    )
    expect(await readdir(join(folder, 'uploads', 'attachments'))).toEqual([])
  })

  test('makes nothing before the first start', async () => {
    const folder = await newFolder()
    const { code, troubles } = await examine(folder)
    expect(troubles).toEqual([
      'database: warn: There is no file data/quire.db.',
      'storage: warn: There is no folder data/uploads.',
    ])
    expect(code).toBe(0)
    expect(await readdir(folder)).toEqual([])
  })

  test('finds that no folder for uploads can be made where a file is', async () => {
    const folder = await newFolder()
    await writeFile(join(folder, 'notes'), '')
    const { code, troubles } = await examine(folder, { QUIRE_UPLOADS: 'notes/uploads' })
    expect(troubles).toContain(
      `storage: fail: There is no folder notes/uploads, and none can be made in ${join(folder, 'notes')}.`,
    )
    expect(code).toBe(1)
  })

  test('finds what an account may not do on PostgreSQL', async () => {
    const folder = await newFolder()
    const database = await testDatabases.find(({ name }) => name === 'PostgreSQL')?.create()
    if (database === undefined) throw new Error('There is no PostgreSQL to test on.')
    const role = `quire_test_doctor_${process.pid}`
    await runOn(process.env.QUIRE_TEST_POSTGRES ?? '', `create role ${role} login`)
    onTestFinished(async () => {
      await database.drop()
      await runOn(process.env.QUIRE_TEST_POSTGRES ?? '', `drop role ${role}`)
    })
    const url = new URL(database.url)
    url.username = role
    const troubles = async (address: string) => {
      const examined = await examine(folder, { QUIRE_DATABASE: address, QUIRE_API_KEYS: `admin:${KEY}` })
      return examined.troubles.filter((line) => line.startsWith('database: fail: '))
    }
    expect(await troubles(url.href)).toEqual(['database: fail: This account may not create tables.'])
    await (await createApp(defineSite({}), { database: database.url })).close()
    expect(await troubles(url.href)).toEqual([expect.stringMatching(/permission denied for table meta/)])
    const rights = 'select, insert, update, delete'
    await runOn(database.url, `grant ${rights} on all tables in schema public to ${role}`)
    await runOn(database.url, `revoke insert on search, jobs from ${role}`)
    expect(await troubles(url.href)).toEqual(['database: fail: This account may not read and change: jobs, search.'])
    await runOn(database.url, `grant insert on search, jobs to ${role}`)
    expect(await troubles(url.href)).toEqual([])
    url.search = '?options=-c%20default_transaction_read_only%3Don'
    expect(await troubles(url.href)).toEqual(['database: fail: It takes no changes.'])
  })

  test('tells unknown variables with those that were meant, wrong values, and no secrets', async () => {
    const folder = await newFolder()
    const unknown = await examine(folder, {
      QUIRE_CACHE_MBS: '5',
      QUIRE_FROBNICATION: '1',
      QUIRE_API_KEYS: `admin:${KEY}`,
    })
    const [first, second] = unknown.findings
    expect(first).toMatchObject({
      message: 'QUIRE_CACHE_MBS is not a variable of Quire.',
      advice: 'Did you mean QUIRE_CACHE_MB?',
    })
    expect(second).toMatchObject({ advice: 'Remove it.' })
    expect(unknown.printed).not.toContain(KEY)
    const wrong = await examine(folder, {
      QUIRE_API_KEYS: 'admin:secret',
      PORT: 'eighty',
      QUIRE_WORKERS: '0',
      QUIRE_MIGRATE: 'no',
      QUIRE_ACCESS_LOG: 'yes',
    })
    expect(wrong.code).toBe(1)
    expect(wrong.troubles).toHaveLength(5)
    expect(wrong.printed).not.toContain('secret')
  })

  test('tells a file system that is read-only from an account that may not write', () => {
    expect(notWritable('/data', 'EROFS')).toEqual([
      expect.stringMatching(/read-only/),
      expect.stringMatching(/^Mount it/),
    ])
    expect(notWritable('/data', 'EACCES')).toEqual([
      expect.stringMatching(/by this user/),
      expect.stringMatching(/chown/),
    ])
  })

  test('finds a damaged file, and one that others may open', async () => {
    const folder = await newFolder()
    const database = await filled(folder)
    const path = join(folder, 'quire.db')
    await chmod(path, 0o644)
    const open = await examine(folder, { QUIRE_DATABASE: database, QUIRE_API_KEYS: `admin:${KEY}` })
    expect(open.troubles).toEqual([`database: warn: Others on this machine may open ${path}.`])
    await truncate(path, 8192 * 4)
    const damaged = await examine(folder, { QUIRE_DATABASE: database })
    expect(damaged.code).toBe(1)
    expect(damaged.troubles.join('\n')).toMatch(/database: fail: .*(malformed|disk image|Page|Tree)/)
    await writeFile(path, 'This is no database, but a text that is long enough to look like a file of one.'.repeat(20))
    expect((await examine(folder, { QUIRE_DATABASE: database })).code).toBe(1)
  })

  test('finds a storage that cannot be written', async () => {
    const folder = await newFolder()
    const database = await filled(folder)
    await writeFile(join(folder, 'file'), '')
    const { code, troubles } = await examine(folder, {
      QUIRE_DATABASE: database,
      QUIRE_UPLOADS: join(folder, 'file'),
      QUIRE_API_KEYS: `admin:${KEY}`,
    })
    expect(code).toBe(1)
    expect(troubles).toEqual([expect.stringMatching(/^storage: fail: Uploads cannot be stored in .*file/)])
    const away = await examine(folder, {
      QUIRE_DATABASE: database,
      QUIRE_UPLOADS: 's3://media',
      QUIRE_UPLOADS_ENDPOINT: 'http://127.0.0.1:1',
      QUIRE_API_KEYS: `admin:${KEY}`,
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
    })
    const reason = 'The bucket media fails: Error: connect ECONNREFUSED 127.0.0.1:1'
    expect(away.findings.filter(({ level }) => level === 'fail')).toMatchObject([
      {
        message: `Uploads cannot be stored in s3://media: ${reason}`,
        advice: expect.stringMatching(/^Check QUIRE_UPLOADS, QUIRE_UPLOADS_ENDPOINT, /),
      },
    ])
  })
})

describe.each(sampledDatabases('quire doctor'))('quire doctor on $name', (databases) => {
  test('tells who has no admin, and tables that are too old or too new', async () => {
    const folder = await newFolder()
    const database = await databases.createReady()
    onTestFinished(() => database.drop())
    await mkdir(join(folder, 'uploads'))
    const environment = { QUIRE_DATABASE: database.url, QUIRE_UPLOADS: join(folder, 'uploads') }
    const path = database.url.replace('sqlite:', '')
    if (path !== database.url) await chmod(path, 0o600)
    const ready = await examine(folder, environment)
    expect(ready.troubles).toEqual(['database: warn: There is no admin: neither a user nor a key.'])
    const app = await createApp(defineSite({}), { database: database.url })
    await makeUser(app, 'ann', { role: 'admin' })
    await makeUser(app, 'ben', { role: 'editor' })
    await makeUser(app, 'eve', { role: 'admin', disabled: true })
    await app.close()
    const administered = await examine(folder, environment)
    expect([administered.troubles, administered.printed]).toEqual([[], expect.stringContaining('"Admins: 1 user."')])
    expect(ready.findings.map(({ message }) => message).join('\n')).toMatch(/(SQLite|PostgreSQL) \d+\.\d+/)
    await setVersion(database.url, 3)
    expect((await examine(folder, environment)).troubles).toEqual([
      expect.stringMatching(/^database: warn: Its tables are at version 3, this program needs \d+\.$/),
    ])
    await setVersion(database.url, 999)
    const newer = await examine(folder, environment)
    expect(newer.code).toBe(1)
    expect(newer.troubles).toEqual([expect.stringMatching(/^database: fail: Its tables are at version 999/)])
  })

  test('says why a database cannot be reached, without its password', async () => {
    const folder = await newFolder()
    const { code, printed, troubles } = await examine(folder, {
      QUIRE_DATABASE: 'postgres://quire:very-secret@127.0.0.1:1/x',
    })
    expect(code).toBe(1)
    expect(troubles[0]).toMatch(/^database: fail: postgres:\/\/quire@127\.0\.0\.1:1\/x: /)
    expect(printed).not.toContain('very-secret')
  })
})

describe.each(testDatabases)('quire doctor on $name', ({ createReady }) => {
  test('compares the index with documents, some or all, and says what mends it', async () => {
    const folder = await newFolder()
    const { url, drop } = await createReady()
    onTestFinished(drop)
    const environment = {
      QUIRE_DATABASE: url,
      QUIRE_SITE: SITE,
      QUIRE_UPLOADS: join(folder, 'uploads'),
      QUIRE_API_KEYS: `admin:${KEY}`,
    }
    const app = await createApp(site, { database: url, uploads: environment.QUIRE_UPLOADS })
    const content = app.as({ role: 'editor', name: 'Test' })
    const topic = await content.insert('topic', { title: 'Sea' })
    const article = await content.insert('article', { title: 'Tides', code: 'a1', _topics: [topic] })
    await app.close()
    const about = async (options: readonly string[]) => {
      const { code, findings } = await examine(folder, environment, options)
      return [code, findings.filter(({ message }) => /^The index/.test(message))]
    }
    const sound = [
      0,
      [{ level: 'ok', about: 'database', advice: null, message: expect.stringMatching(/agrees with \d+ copies/) }],
    ]
    expect(await about([])).toEqual(sound)
    expect(await about(['--all'])).toEqual(sound)
    for (const damage of [
      `delete from entries where name = 'code'`,
      `update entries set state = state + 1 where name = '_topics'`,
      `insert into entries (document, scope, state, kind, name, place, text) select document, scope, state, kind, name, place + 9, 'zz' from entries where name = 'code'`,
    ]) {
      await runPast(url, damage)
      const wrong = {
        level: 'fail',
        about: 'database',
        advice: 'Run: quire reindex',
        message: expect.stringMatching(
          new RegExp(`does not agree with 2 of \\d+ copies of documents: article ${article.aposDocId}:en`),
        ),
      }
      for (const options of [[], ['--all']]) expect(await about(options)).toEqual([1, [wrong]])
      expect((await quire(folder, ['reindex'], environment)).code).toBe(0)
      expect(await about(['--all'])).toEqual(sound)
    }
  })
})
