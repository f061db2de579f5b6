import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { compileSite } from '../src/model/compile/site.ts'
import { TABLES_VERSION } from '../src/store/migrations/index.ts'
import { inspect } from '../src/store/open-store.ts'
import { quire } from './command.ts'
import { inconsistencies, rowsOf } from './consistency.ts'
import { sampledDatabases, type TestDatabases, testDatabases } from './databases.ts'
import { migrateBy, newerProgram, startMigrating } from './newer-program.ts'
import { newNotes, place, serving, statusOf } from './releases.ts'
import { callerOf } from './service.ts'
import { SERVING_KEYS, serveByProgram, serveTiny } from './serving.ts'
import { site } from './tiny-site.ts'

const PATIENCE = { timeout: 30_000 }
const PLAIN_LINE = 'Another program has brought the database to another version.'

/** Titles of the notes that a service lists. */
async function titlesOf(address: string): Promise<ReadonlySet<string>> {
  const editor = callerOf(address, SERVING_KEYS.editor, null)
  const titles: string[] = []
  for (let page = 1; ; page += 1) {
    const { status, body } = await editor.get('note', `perPage=100&page=${page}&aposMode=draft`)
    if (status === 404) break
    titles.push(...body.results.map(({ title }: { title: string }) => title))
    if (page >= body.pages) break
  }
  return new Set(titles)
}

describe.each(sampledDatabases('additive migrations'))(
  '§0.11 an additive migration on $name',
  { timeout: 180_000 },
  (databases) => {
    test('pauses nobody: older and newer processes write and read side by side, and older ones may start again', async () => {
      const url = await place(databases)
      const newer = await newerProgram(['additive'])
      const older = await serving(serveTiny(url))
      const writing = newNotes(older.address, 2, 'older')
      await vi.waitUntil(() => writing.written.length > 120, PATIENCE)

      const plan = await migrateBy(newer, url, '--plan')
      expect([plan.code, plan.printed]).toEqual([0, expect.stringMatching(/added +additive(.|\n)*pauses nobody/)])
      expect((await inspect(url)).tables).toEqual({ version: TABLES_VERSION, oldest: TABLES_VERSION })
      const { code, printed } = await migrateBy(newer, url)
      expect([code, printed]).toEqual([0, expect.stringContaining('added')])
      expect((await inspect(url)).tables).toEqual({ version: TABLES_VERSION + 1, oldest: TABLES_VERSION })

      const present = await serving(serveByProgram(newer, url))
      const also = newNotes(present.address, 2, 'newer')
      const before = writing.written.length
      await vi.waitUntil(() => also.written.length > 30 && writing.written.length > before + 30, PATIENCE)
      await Promise.all([writing.stop(), also.stop()])
      expect([...writing.others, ...also.others]).toEqual([])
      const again = await serving(serveTiny(url))
      for (const { address } of [older, present, again]) {
        const titles = await titlesOf(address)
        expect([...writing.written, ...also.written].filter((title) => !titles.has(title))).toEqual([])
      }
      const [filled] = await rowsOf(url, [`select count(*) as count from documents where added = 'filled'`])
      expect(Number(filled?.[0]?.count)).toBeGreaterThanOrEqual(240)
      expect(await inconsistencies(url, compileSite(site))).toEqual([])

      const exclusive = await newerProgram(['additive', 'exclusive'])
      const later = await migrateBy(exclusive, url, '--plan')
      expect([later.code, later.printed]).toEqual([0, expect.stringMatching(/later +exclusive(.|\n)*stop/)])
      const refused = await migrateBy(exclusive, url, '--additive')
      expect([refused.code, refused.printed]).toEqual([1, expect.stringContaining('later')])
      expect(await statusOf(callerOf(older.address, null, null).get('note'))).toBe(200)
      expect((await migrateBy(exclusive, url)).code).toBe(0)
      for (const one of [older, present, again]) {
        expect(await one.ended).toBe(1)
        expect(one.printed()).toContain(PLAIN_LINE)
      }
      expect((await inspect(url)).tables).toEqual({ version: TABLES_VERSION + 2, oldest: TABLES_VERSION + 2 })
    })

    test('is run once by two jobs at once, and not undone by what an older program does for operators', async () => {
      const url = await place(databases)
      const newer = await newerProgram(['additive'])
      const jobs = await Promise.all([migrateBy(newer, url), migrateBy(newer, url)])
      expect(jobs.map(({ code }) => code)).toEqual([0, 0])
      expect(jobs.filter(({ printed }) => printed.includes('done: added'))).toHaveLength(1)
      expect(jobs.filter(({ printed }) => printed.includes('nothing to do'))).toHaveLength(1)
      const folder = await mkdtemp(join(tmpdir(), 'quire-additive-'))
      onTestFinished(() => rm(folder, { recursive: true }))
      const run = (...args: readonly string[]) => quire(folder, args, { QUIRE_DATABASE: url, QUIRE_UPLOADS: folder })
      const migrated = await run('migrate')
      expect([migrated.code, migrated.out]).toEqual([0, expect.stringContaining('nothing to do')])
      const plan = await run('migrate', '--plan')
      expect([plan.code, plan.out]).toEqual([0, expect.stringContaining('a newer program')])
      const backup = await run('backup', 'all.backup')
      expect([backup.code, backup.err]).toEqual([1, expect.stringContaining('A newer program has been using it')])
      const doctor = await run('doctor')
      expect([doctor.code, doctor.out]).toEqual([0, expect.stringContaining('Its tables can be used')])
      expect((await inspect(url)).tables).toEqual({ version: TABLES_VERSION + 1, oldest: TABLES_VERSION })
    })
  },
)

test('§0.11 what changes nothing is not taken for an option of what changes something', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quire-additive-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const run = (...args: readonly string[]) =>
    quire(folder, ['migrate', ...args], { QUIRE_DATABASE: join(folder, 'a.db') })
  for (const what of ['new', 'palette'])
    for (const option of ['--plan', '--additive', '--dry-run'])
      expect(await run(what, option)).toMatchObject({
        code: 1,
        err: expect.stringContaining(`${what} takes no ${option}`),
      })
  expect(await run('--plan', '--additive')).toMatchObject({ code: 1, err: expect.stringContaining('Give one of') })
  expect(await readdir(folder)).toEqual([])
})

describe.skipIf(!testDatabases.some(({ name }) => name === 'PostgreSQL'))(
  '§0.11 an additive migration on PostgreSQL that is interrupted',
  { timeout: 180_000 },
  () => {
    /** A migration that was killed while it made an index: the address of its database, in which there are notes. */
    async function interrupted(databases: TestDatabases): Promise<string> {
      const url = await place(databases)
      const older = await serving(serveTiny(url))
      const editor = callerOf(older.address, SERVING_KEYS.editor, null)
      expect((await editor.post('note', { title: 'Before' })).status).toBe(200)
      const holder = new Client({ connectionString: url })
      await holder.connect()
      onTestFinished(() => holder.end())
      // An index that is made while others write waits for whoever may still read the table as it was.
      await holder.query('begin isolation level repeatable read')
      await holder.query('select 1')
      const migrating = startMigrating(await newerProgram(['additive']), url)
      await vi.waitUntil(async () => (await indexesOf(url)).length > 0, PATIENCE)
      expect(await indexesOf(url)).toEqual([{ indisvalid: false }])
      expect((await editor.post('note', { title: 'Meanwhile' })).status).toBe(200)
      migrating.kill()
      await migrating.ended
      await holder.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and query like 'create index concurrently%'`,
      )
      await holder.query('rollback')
      expect(await indexesOf(url)).toEqual([{ indisvalid: false }])
      expect((await inspect(url)).tables).toEqual({ version: TABLES_VERSION, oldest: TABLES_VERSION })
      expect((await editor.post('note', { title: 'After' })).status).toBe(200)
      return url
    }

    async function indexesOf(url: string): Promise<readonly unknown[]> {
      const [indexes = []] = await rowsOf(url, [
        `select indisvalid from pg_index where indexrelid = to_regclass('documents_added')`,
      ])
      return indexes
    }

    async function begunOf(url: string): Promise<unknown> {
      const [rows] = await rowsOf(url, [`select value from meta where name = 'migrating'`])
      return rows?.[0]?.value
    }

    async function expectAdded(url: string): Promise<void> {
      const [filled] = await rowsOf(url, [
        `select distinct added from documents where title in ('Before', 'Meanwhile', 'After')`,
      ])
      expect(filled).toEqual([{ added: 'filled' }])
      expect(await indexesOf(url)).toEqual([{ indisvalid: true }])
      expect(await begunOf(url)).toBeUndefined()
    }

    const databases = testDatabases.find(({ name }) => name === 'PostgreSQL')

    test('goes on where it was', async () => {
      if (databases === undefined) throw new Error('There is no PostgreSQL to test on.')
      const url = await interrupted(databases)
      expect((await migrateBy(await newerProgram(['additive']), url)).code).toBe(0)
      await expectAdded(url)
      expect((await inspect(url)).tables).toEqual({ version: TABLES_VERSION + 1, oldest: TABLES_VERSION })
    })

    test('is run anew in what a backup brings back that was made before it went on', async () => {
      if (databases === undefined) throw new Error('There is no PostgreSQL to test on.')
      const url = await interrupted(databases)
      const restored = await databases.create()
      const folder = await mkdtemp(join(tmpdir(), 'quire-additive-'))
      onTestFinished(async () => {
        await restored.drop()
        await rm(folder, { recursive: true })
      })
      const run = (database: string, ...args: readonly string[]) =>
        quire(folder, args, { QUIRE_DATABASE: database, QUIRE_UPLOADS: join(folder, 'uploads') })
      expect((await run(url, 'backup', 'all.backup')).code).toBe(0)
      expect((await run(restored.url, 'restore', 'all.backup')).code).toBe(0)
      expect((await migrateBy(await newerProgram(['additive']), restored.url)).code).toBe(0)
      await expectAdded(restored.url)
    })

    test('is finished by an exclusive one, too', async () => {
      if (databases === undefined) throw new Error('There is no PostgreSQL to test on.')
      const url = await interrupted(databases)
      expect((await migrateBy(await newerProgram(['additive', 'exclusive']), url)).code).toBe(0)
      await expectAdded(url)
      expect((await inspect(url)).tables).toEqual({ version: TABLES_VERSION + 2, oldest: TABLES_VERSION + 2 })
    })
  },
)
