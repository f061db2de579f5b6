import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createApp } from '../src/app.ts'
import { quietLog } from '../src/cli/command/json-log.ts'
import { TABLES_VERSION } from '../src/store/migrations/index.ts'
import { inspect } from '../src/store/open-store.ts'
import { inconsistencies, rowsOf } from './consistency.ts'
import { testDatabases } from './databases.ts'
import { migrateBy, NEWER_VERSION, newerProgram } from './newer-program.ts'
import { runOn } from './postgres-server.ts'
import { newNotes, place, serving, statusOf } from './releases.ts'
import { callerOf } from './service.ts'
import { SERVING_KEYS, serveByProgram, serveTiny } from './serving.ts'
import { site } from './tiny-site.ts'

const PLAIN_LINE = 'Another program has brought the database to another version.'

describe.each(testDatabases)('§0.11 a newer program on $name', { timeout: 120_000 }, (databases) => {
  test('takes over from an older one under writers: nothing is lost, no answer is stale, the older one ends', async () => {
    const url = await place(databases)
    const newer = await newerProgram()
    const older = await serving(serveTiny(url))
    const anonymous = callerOf(older.address, null, null)
    const writing = newNotes(older.address, 4)
    await vi.waitUntil(() => writing.written.length > 30, { timeout: 30_000 })
    expect(await statusOf(anonymous.get('note'))).toBe(200)

    const { code, printed } = await migrateBy(newer, url)
    expect([code, printed]).toEqual([0, expect.stringContaining('later')])
    await pause(50)
    // From memory, from the database, and what needs neither.
    for (const path of ['note', 'note?perPage=1', 'openapi.json', 'ready'])
      expect([503, null], path).toContain(await statusOf(anonymous.get(path)))
    expect(await older.ended).toBe(1)
    await writing.stop()
    expect(older.printed()).toContain(PLAIN_LINE)
    expect([...writing.others].filter((status) => status !== 503 && status !== null)).toEqual([])

    const { address } = await serving(serveByProgram(newer, url))
    const editor = callerOf(address, SERVING_KEYS.editor, null)
    expect((await editor.post('note', { title: 'of the newer one' })).status).toBe(200)
    const titles = await rowsOf(url, [`select title from documents where type = 'note' and mode = 'draft'`])
    const stored = new Set(titles.flat().map(({ title }) => title))
    expect(writing.written.filter((title) => !stored.has(title))).toEqual([])
    expect(await inconsistencies(url, (await createdSite()).site)).toEqual([])
    await expect(serveTiny(url)).rejects.toThrow('A newer program has been using it')
  })

  test('makes all workers end', async () => {
    const url = await place(databases)
    const newer = await newerProgram()
    const older = await serving(serveTiny(url, { QUIRE_WORKERS: '2' }))
    expect((await migrateBy(newer, url)).code).toBe(0)
    expect(await older.ended).toBe(1)
    expect(older.printed()).toContain(PLAIN_LINE)
  })

  test('is noticed by a write, too, where nothing was announced; and by a process that nobody asks', async () => {
    const url = await place(databases)
    const outdated: string[] = []
    const start = (name: string) =>
      createApp(site, { database: url, log: quietLog, whenOutdated: () => outdated.push(name) })
    const [writing, idle] = await Promise.all([start('writing'), start('idle')])
    onTestFinished(async () => void (await Promise.all([writing.close(), idle.close()])))
    const content = writing.as({ role: 'editor', name: 'Test' })
    await content.insert('note', { title: 'Before' })
    await migrateSilently(url)
    await expect(content.insert('note', { title: 'After' })).rejects.toMatchObject({ name: 'unavailable' })
    await expect(content.find('note')).rejects.toMatchObject({ name: 'unavailable' })
    await expect(writing.store.check()).rejects.toMatchObject({ name: 'unavailable' })
    expect(outdated).toContain('writing')
    const [notes] = await rowsOf(url, ["select count(*) as count from documents where type = 'note'"])
    expect(Number(notes?.[0]?.count)).toBe(2)
    if (url.startsWith('sqlite:')) await expect.poll(() => outdated).toContain('idle')
  })
})

async function createdSite() {
  const { compileSite } = await import('../src/model/compile/site.ts')
  return { site: compileSite(site) }
}

/** As a migration does it, but announces nothing. */
async function migrateSilently(url: string): Promise<void> {
  const version = `update meta set value = '${NEWER_VERSION}' where name = 'version'`
  if (url.startsWith('sqlite:')) return void (await rowsOf(url, [version]))
  await runOn(url, version)
  await runOn(url, `alter table quire_tables_${TABLES_VERSION} rename to quire_tables_${NEWER_VERSION}`)
}

describe.skipIf(!testDatabases.some(({ name }) => name === 'PostgreSQL'))(
  '§0.11 a migration on PostgreSQL',
  {
    timeout: 120_000,
  },
  () => {
    const databases = testDatabases.find(({ name }) => name === 'PostgreSQL')

    async function start() {
      if (databases === undefined) throw new Error('There is no PostgreSQL to test on.')
      return { url: await place(databases), newer: await newerProgram() }
    }

    async function connected(url: string): Promise<Client> {
      const client = new Client({ connectionString: url })
      await client.connect()
      client.on('error', () => {})
      onTestFinished(() => client.end())
      return client
    }

    test('starts again after a deadlock with readers of older programs', async () => {
      const { url, newer } = await start()
      const tables = ['documents', 'contents', 'entries', 'versions', 'attachments', 'search']
      let isStopped = false
      const readers = [0, 1, 2, 3].map(async (number) => {
        const client = await connected(url)
        while (!isStopped) {
          const order = number % 2 === 0 ? tables : tables.toReversed()
          try {
            await client.query('begin')
            for (const table of order) {
              await client.query(`select 1 from ${table} limit 1`)
              await pause(Math.random() * 30)
            }
          } catch {
            // The server has ended a deadlock by refusing this one.
          }
          await client.query('rollback')
        }
      })
      // Readers who never pause could win for ever.
      const stop = setTimeout(() => {
        isStopped = true
      }, 8_000)
      const { code, printed } = await migrateBy(newer, url)
      clearTimeout(stop)
      isStopped = true
      await Promise.all(readers)
      expect([code, printed]).toEqual([0, expect.stringContaining('later')])
      expect(printed).not.toMatch(/^ +at /m)
      expect((await inspect(url)).tables.version).toBe(NEWER_VERSION)
    })

    test('waits for a transaction that takes long, and lets the service go on meanwhile', async () => {
      const { url, newer } = await start()
      const older = await serving(serveTiny(url))
      const editor = callerOf(older.address, SERVING_KEYS.editor, null)
      const long = await connected(url)
      await long.query('begin')
      await long.query('select 1 from documents')
      const migrating = migrateBy(newer, url)
      const statuses = []
      for (const end = Date.now() + 8_000; Date.now() < end; await pause(100))
        statuses.push((await editor.post('note', { title: 'Meanwhile' })).status)
      expect(new Set(statuses)).toEqual(new Set([200]))
      expect((await inspect(url)).tables.version).toBe(TABLES_VERSION)
      await long.query('rollback')
      expect((await migrating).code).toBe(0)
      expect(await older.ended).toBe(1)
    })
  },
)
