import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { referenceSite } from '../../conformance/site.ts'
import { type App, createApp } from '../src/app.ts'
import { explain } from '../src/cli/command/failure.ts'
import { quietLog } from '../src/cli/command/json-log.ts'
import { openService } from '../src/cli/serve/open-service.ts'
import { compileSite } from '../src/model/compile/site.ts'
import { quire } from './command.ts'
import { inconsistencies, rowsOf } from './consistency.ts'
import { sampledDatabases, type TestDatabase, testDatabases } from './databases.ts'
import { isWhole } from './sample.ts'
import { type Caller, callerOf } from './service.ts'
import { SERVING_KEYS, serve } from './serving.ts'
import { site } from './serving-site.ts'
import { startProxy } from './tcp-proxy.ts'
import { temporaryFolder } from './temporary-folder.ts'

const SITE = fileURLToPath(new URL('./serving-site.ts', import.meta.url))
const SEEDED_SITE = fileURLToPath(new URL('./seeded-site.ts', import.meta.url))
const KEYS = [{ key: 'key-editor', role: 'editor', name: 'editor' }] as const

async function freshDatabase(databases: (typeof testDatabases)[number]): Promise<TestDatabase> {
  const database = await databases.create()
  onTestFinished(() => database.drop())
  return database
}

describe.each(sampledDatabases('processes'))('§0.11 processes on $name', (databases) => {
  test('processes that start at once on an empty database all come up, and make everything once', async () => {
    const database = await freshDatabase(databases)
    const all = await Promise.all(Array.from({ length: 3 }, () => serve(database.url)))
    onTestFinished(async () => void (await Promise.all(all.map((one) => one.end('SIGKILL')))))
    for (const { address } of all) {
      const list = await callerOf(address, SERVING_KEYS.editor, null).get('@cms/global')
      expect(list).toMatchObject({ status: 200, body: { total: 1 } })
    }
    const [rows = []] = await rowsOf(database.url, [
      "select doc_id, locale, mode, count(*) as count from documents where type = '@cms/global' group by 1, 2, 3",
    ])
    expect(new Set(rows.map(({ doc_id }) => doc_id)).size).toBe(1)
    expect(rows).toHaveLength(2 * 5)
    expect(rows.every(({ count }) => Number(count) === 1)).toBe(true)
    const [roots = []] = await rowsOf(database.url, ["select locale, rank from places where parent = ''"])
    expect(roots).toHaveLength(5)
    expect(roots.every(({ rank }) => Number(rank) === 0)).toBe(true)
    expect(await inconsistencies(database.url, compileSite(site))).toEqual([])
  })

  test('an empty database is seeded once by processes that start at once', async () => {
    const database = await freshDatabase(databases)
    const all = await Promise.all(Array.from({ length: 3 }, () => serve(database.url, {}, SEEDED_SITE)))
    onTestFinished(async () => void (await Promise.all(all.map((one) => one.end('SIGKILL')))))
    for (const { address } of all) {
      const list = await callerOf(address, SERVING_KEYS.editor, null).get('note')
      expect(list).toMatchObject({ status: 200, body: { total: 5 } })
    }
  })
})

describe.each(testDatabases)('§0.11 first content on $name', (databases) => {
  test('is written whole or not at all; what fails names its document, and is tried again by the next start', async () => {
    const database = await freshDatabase(databases)
    const folder = await temporaryFolder('quire-seeded')
    const env = {
      QUIRE_DATABASE: database.url,
      QUIRE_UPLOADS: folder,
      QUIRE_API_KEYS: `admin:${SERVING_KEYS.admin}`,
    }
    const start = async () => {
      let app: App | null = null
      const onOpen = (opened: App) => {
        app = opened
      }
      try {
        await openService(env, { site: SEEDED_SITE, isNew: true, log: quietLog, onOpen })
        return null
      } catch (error) {
        return explain(error) ?? String(error)
      } finally {
        await (app as App | null)?.close()
      }
    }
    const stored = async () => {
      const [notes = [], files = []] = await rowsOf(database.url, [
        "select doc_id from documents where type = 'note'",
        'select id from attachments',
      ])
      const names = await readdir(folder, { recursive: true, withFileTypes: true })
      return [notes.length, files.length, names.filter((entry) => entry.isFile()).length]
    }
    onTestFinished(() => void vi.unstubAllEnvs())
    vi.stubEnv('SEED_FAILS_AT', 'three')
    expect([await start(), await stored()]).toEqual([expect.stringContaining('The seed fails.'), [0, 0, 0]])
    vi.stubEnv('SEED_FAILS_AT', '')
    vi.stubEnv('SEED_IS_REFUSED_AT', 'four')
    const refused =
      /^The seed wrote nothing\. note “four”: Some fields need your attention: visibility\.\n {2}visibility: /
    expect([await start(), await stored()]).toEqual([expect.stringMatching(refused), [0, 0, 0]])
    vi.stubEnv('SEED_IS_REFUSED_AT', '')
    expect([await start(), await stored()]).toEqual([null, [10, 1, 1]])
    await change(database.url, "delete from documents where type = 'note'")
    expect([await start(), await stored()]).toEqual([null, [0, 1, 1]])
  })
})

describe.each(testDatabases)('§0.11 starting on $name', (databases) => {
  test('apps that start at once in one process, again and again', async () => {
    for (let round = 0; round < (isWhole ? 5 : 1); round += 1) {
      const database = await databases.create()
      const options = { database: database.url, keys: KEYS, poolSize: 3 }
      const apps = await Promise.all(Array.from({ length: 4 }, () => createApp(referenceSite({}), options)))
      for (const app of apps) await app.close()
      const [roots = []] = await rowsOf(database.url, ["select rank from places where parent = ''"])
      expect(roots.map(({ rank }) => Number(rank))).toEqual([0, 0, 0, 0, 0])
      expect(await inconsistencies(database.url, compileSite(site))).toEqual([])
      await database.drop()
    }
  })
})

describe.each(testDatabases)('§0.11 a start on $name', (databases) => {
  test('that fails when the database is open says why and ends', async () => {
    const database = await freshDatabase(databases)
    const failure = failureOf(serve(database.url, { QUIRE_ADMIN_USERNAME: 'ada', QUIRE_ADMIN_PASSWORD: 'short' }))
    expect(await failure).toMatch(/ended with 1: .*password/s)
  })
})

describe.each(sampledDatabases('starting'))('§0.11 starting on $name', (databases) => {
  test('a database that a newer program has used is refused with a clear message, and left as it is', async () => {
    const database = await freshDatabase(databases)
    const app = await createApp(referenceSite({}), { database: database.url, keys: KEYS })
    await app.close()
    const tables = [
      'select * from meta',
      'select * from documents order by n',
      'select * from entries order by 1, 5, 6',
    ]
    await change(database.url, "update meta set value = '999' where name = 'version'")
    const before = await rowsOf(database.url, tables)
    await expect(createApp(referenceSite({}), { database: database.url })).rejects.toThrow(/999.*newer program/is)
    const printed = await failureOf(serve(database.url))
    expect(printed).toMatch(/ended with 1/)
    expect(printed).toMatch(/version 999.*newer program/is)
    expect(printed).not.toMatch(/\n\s+at /)
    expect(await rowsOf(database.url, tables)).toEqual(before)
  })
})

async function change(databaseUrl: string, statement: string): Promise<void> {
  if (databaseUrl.startsWith('sqlite:')) {
    await rowsOf(databaseUrl, [statement])
    return
  }
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(statement)
  await client.end()
}

async function failureOf(starting: Promise<unknown>): Promise<string> {
  const failure: unknown = await starting.then(
    () => null,
    (error: unknown) => error,
  )
  return failure instanceof Error ? failure.message : 'It started.'
}

describe('what cannot be opened is reported in plain words', () => {
  /** What `quire serve` prints before it ends by itself. */
  async function refusalOf(databaseUrl: string): Promise<string> {
    const { code, err } = await quire(tmpdir(), ['serve', '--site', SITE, '--port', '0'], {
      QUIRE_DATABASE: databaseUrl,
    })
    expect(code).toBe(1)
    return err
  }

  test('PostgreSQL that does not answer', async () => {
    const printed = await refusalOf('postgres://quire:very-secret@127.0.0.1:1/quire')
    expect(printed).toMatch(/127\.0\.0\.1/)
    expect(printed).toMatch(/cannot be reached/)
    expect(printed).not.toMatch(/\n\s+at |very-secret/)
  })

  test('a database that is not there', async () => {
    const url = new URL(process.env.QUIRE_TEST_POSTGRES ?? '')
    url.pathname = '/no_such_database'
    const printed = await refusalOf(url.href)
    expect(printed).toMatch(/no_such_database.*Create the database, or correct its name in the address\./)
    expect(printed).not.toMatch(/\n\s+at /)
  })

  test('a file beside which SQLite can create no others', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-start-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await mkdir(join(folder, 'quire.db-journal'))
    const printed = await refusalOf(`sqlite:${join(folder, 'quire.db')}`)
    expect(printed).toMatch(/quire\.db cannot be opened: .*check that this account may create them there/)
    expect(printed).not.toMatch(/\n\s+at /)
  })

  /** A folder with a file that is no database, and the permissions and contents of both. */
  async function noDatabases() {
    const folder = await temporaryFolder('quire-start')
    const file = join(folder, 'site.ts')
    await writeFile(file, 'export const site = 1\n')
    await chmod(file, 0o644)
    await chmod(folder, 0o755)
    const state = async () => [(await stat(folder)).mode, (await stat(file)).mode, await readFile(file, 'utf8')]
    return { folder, file, state, before: await state() }
  }

  test('a file that is no database, which keeps its permissions', async () => {
    const { file, state, before } = await noDatabases()
    expect(await refusalOf(`sqlite:${file}`)).toMatch(
      /^quire: .*site\.ts cannot be opened: file is not a database\. Name the right file, .* in QUIRE_DATABASE\.\n$/,
    )
    expect(await state()).toEqual(before)
  })

  test('a folder, which keeps its permissions', async () => {
    const { folder, state, before } = await noDatabases()
    for (const url of [`sqlite:${folder}`, `sqlite:${folder}/`, `sqlite:${folder}/not-there/`]) {
      expect(await refusalOf(url)).toMatch(/^quire: The database must be a file, but .* is a folder\. .*\/quire\.db\n$/)
    }
    expect(await state()).toEqual(before)
  })
})

describe('§0.11 PostgreSQL goes away while the service runs', () => {
  async function started(): Promise<
    { app: App; caller: Caller; anonymous: Caller; statements: string[]; name: string } & Cuttable
  > {
    const [, postgres] = testDatabases
    if (postgres === undefined) throw new Error('There is no PostgreSQL to test on.')
    const database = await freshDatabase(postgres)
    const direct = new URL(database.url)
    const proxy = await startProxy({ host: direct.hostname, port: Number(direct.port) })
    const through = new URL(database.url)
    through.port = String(proxy.port)
    const statements: string[] = []
    const app = await createApp(referenceSite({ QUIRE_ARTICLE_PUBLIC: '1' }), {
      database: through.href,
      keys: KEYS,
      poolSize: 3,
      onStatement: (sql) => statements.push(sql),
    })
    onTestFinished(async () => {
      await app.close()
      await proxy.close()
    })
    const address = await app.listen(0, '127.0.0.1')
    const caller = callerOf(address, 'key-editor', null)
    const anonymous = callerOf(address, null, null)
    return { app, caller, anonymous, statements, databaseUrl: database.url, name: direct.pathname.slice(1), ...proxy }
  }

  interface Cuttable {
    readonly databaseUrl: string
    cut(): void
    freeze(): void
    mend(): void
  }

  const untilRevised = (app: App) => expect.poll(() => app.store.revision(), { interval: 20 }).not.toBeNull()

  test('backends that are ended fail what runs with 503, and nothing else', async () => {
    const { app, caller, name, databaseUrl } = await started()
    const ids = new Set<string>()
    const seen = new Map<number, number>()
    const work = async (number: number) => {
      for (let round = 0; round < 12; round += 1) {
        const answer = await caller.post('article', { title: `Ended ${number} ${round}` })
        seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
        if (answer.status === 200) ids.add(answer.body.aposDocId)
        else expect(answer.body).toMatchObject({ name: 'unavailable', data: { requestId: expect.any(String) } })
        const list = await caller.get('article', 'search=ended&perPage=1')
        expect([200, 503]).toContain(list.status)
      }
    }
    const working = Promise.all(Array.from({ length: 8 }, (_, number) => work(number)))
    const [killer] = [new Client({ connectionString: process.env.QUIRE_TEST_POSTGRES })]
    await killer.connect()
    for (let kill = 0; kill < 6; kill += 1) {
      await pause(40)
      await killer.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    }
    await killer.end()
    await working
    expect([...seen.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([])
    await untilRevised(app)
    expect((await caller.post('article', { title: 'Recovered' })).status).toBe(200)
    for (const id of ids) expect((await caller.get(`article/${id}`)).status).toBe(200)
    expect(await inconsistencies(databaseUrl, app.site)).toEqual([])
  })

  test('a server that is away answers 503, and the service is back by itself', async () => {
    const { app, caller, anonymous, cut, mend } = await started()
    const id = (await caller.post('article', { title: 'Before' })).body.aposDocId
    expect((await anonymous.get(`article/${id}`)).status).toBe(200)
    cut()
    const answers = await Promise.all([
      caller.get('article'),
      caller.get(`article/${id}`),
      caller.post('article', { title: 'Away' }),
      caller.patch(`article/${id}`, { code: 'x' }),
      caller.delete(`article/${id}`),
      caller.get('article', 'search=before'),
      anonymous.get('article'),
    ])
    for (const { status, body } of answers) expect([status, body.name]).toEqual([503, 'unavailable'])
    await expect.poll(() => app.store.revision()).toBeNull()
    // What is kept in memory cannot be known to be true any more.
    expect((await anonymous.get(`article/${id}`)).status).toBe(503)
    expect((await anonymous.get('openapi.json')).status).toBe(200)
    mend()
    expect((await caller.get(`article/${id}`)).status).toBe(200)
    expect((await caller.patch(`article/${id}`, { code: 'back' })).status).toBe(200)
    await untilRevised(app)
    expect((await anonymous.get(`article/${id}`)).status).toBe(200)
  })

  test('while it reconnects, nothing is answered from memory', async () => {
    const { app, caller, anonymous, cut, freeze, mend } = await started()
    const id = (await caller.post('article', { title: 'Before' })).body.aposDocId
    expect((await anonymous.get(`article/${id}`)).status).toBe(200)
    cut()
    await expect.poll(() => app.store.revision()).toBeNull()
    // A new connection is taken, but does not hear of anything yet.
    freeze()
    const seen = new Set<string | null>()
    for (let times = 0; times < 40; times += 1) {
      seen.add(app.store.revision())
      await pause(10)
    }
    expect([...seen]).toEqual([null])
    mend()
    await untilRevised(app)
    expect((await anonymous.get(`article/${id}`)).status).toBe(200)
  })

  test('while nobody listens to other processes, nothing is answered from memory', async () => {
    const { app, caller, anonymous, statements, databaseUrl, name } = await started()
    const other = await createApp(referenceSite({ QUIRE_ARTICLE_PUBLIC: '1' }), { database: databaseUrl, keys: KEYS })
    onTestFinished(() => other.close())
    const otherCaller = callerOf(await other.listen(0, '127.0.0.1'), 'key-editor', null)
    const id = (await caller.post('article', { title: 'One' })).body.aposDocId
    const asked = async () => {
      const before = statements.length
      const { body } = await anonymous.get(`article/${id}`)
      return { title: body.title, wasRead: statements.length > before }
    }
    // Background work after a save may still change what is known.
    await expect.poll(asked).toEqual({ title: 'One', wasRead: false })
    const killer = new Client({ connectionString: process.env.QUIRE_TEST_POSTGRES })
    await killer.connect()
    onTestFinished(() => killer.end())
    for (let round = 0; round < 3; round += 1) {
      await killer.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and query like 'listen %'",
        [name],
      )
      const title = `Two ${round}`
      const changed = otherCaller.patch(`article/${id}`, { title })
      await changed
      for (let times = 0; app.store.revision() === null && times < 500; times += 1) {
        expect((await asked()).title).toBe(title)
      }
      await untilRevised(app)
      await pause(50)
      expect((await asked()).title).toBe(title)
    }
  })
})
