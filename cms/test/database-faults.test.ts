import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { referenceSite } from '../../conformance/site.ts'
import { type App, createApp } from '../src/app.ts'
import type { Log } from '../src/base/log.ts'
import { quietLog } from '../src/cli/command/json-log.ts'
import { AnswerCheck } from './answers.ts'
import { inconsistencies } from './consistency.ts'
import { testDatabases } from './databases.ts'
import { type Caller, callerOf } from './service.ts'
import { startProxy, type TcpProxy } from './tcp-proxy.ts'

const KEYS = [{ key: 'key-editor', role: 'editor', name: 'editor' }] as const
const PATIENCE = { timeout: 30_000, interval: 50 }

/** `ID` is a document. */
const READ_BY_EDITORS = [
  '@cms/documents?aposMode=draft',
  '@cms/documents?search=away',
  '@cms/documents?counts=type,state',
  'article/ID/changes',
  'article/ID/used-by',
  'article?aposMode=draft',
  '@cms/page/_home/children',
  '@cms/recent-changes',
  '@cms/ai-marks?_ids[]=ID:en:draft',
  '@cms/document-versions?docId=ID',
] as const

interface Faulty {
  readonly app: App
  readonly proxy: TcpProxy
  readonly editor: Caller
  readonly anonymous: Caller
  readonly databaseUrl: string
}

/** A service with a proxy between it and its PostgreSQL. */
async function started(log?: Log): Promise<Faulty> {
  const databases = testDatabases.find(({ name }) => name === 'PostgreSQL')
  if (databases === undefined) throw new Error('There is no PostgreSQL to test on.')
  const database = await databases.createReady()
  const direct = new URL(database.url)
  const proxy = await startProxy({ host: direct.hostname, port: Number(direct.port) })
  const through = new URL(database.url)
  through.port = String(proxy.port)
  const app = await createApp(referenceSite({ QUIRE_ARTICLE_PUBLIC: '1' }), {
    database: through.href,
    keys: KEYS,
    ...(log && { log }),
  })
  onTestFinished(async () => {
    proxy.mend()
    await app.close()
    await proxy.close()
    await database.drop()
  })
  const address = await app.listen(0, '127.0.0.1')
  const [editor, anonymous] = [callerOf(address, 'key-editor', null), callerOf(address, null, null)]
  return { app, proxy, editor, anonymous, databaseUrl: database.url }
}

/** An editor of another service on the same database, with nothing between. */
async function otherProcess(databaseUrl: string): Promise<Caller> {
  const other = await createApp(referenceSite({ QUIRE_ARTICLE_PUBLIC: '1' }), { database: databaseUrl, keys: KEYS })
  onTestFinished(() => other.close())
  return callerOf(await other.listen(0, '127.0.0.1'), 'key-editor', null)
}

const statusOf = async (caller: Caller, path: string) => (await caller.get(path)).status

describe('§0 a PostgreSQL with faults', { timeout: 60_000 }, () => {
  test('§0 connections that freeze are given up, and the service is back by itself', async () => {
    const { proxy, app, editor, anonymous, databaseUrl } = await started()
    const { body } = await editor.post('article', { title: 'Before' })
    const path = `article/${body.aposDocId}`
    expect(await statusOf(anonymous, path)).toBe(200)
    proxy.freeze()
    // What the server had answered before is still on its way.
    await pause(100)
    const waiting = Promise.all([editor.patch(path, { code: 'x' }), editor.get('article')])
    await expect.poll(() => app.store.revision(), PATIENCE).toBeNull()
    for (const answer of await waiting) expect(answer).toMatchObject({ status: 503, body: { name: 'unavailable' } })
    await expect.poll(() => statusOf(editor, 'ready'), PATIENCE).toBe(503)
    proxy.mend()
    await expect.poll(() => statusOf(editor, 'ready'), PATIENCE).toBe(200)
    await expect.poll(async () => (await editor.patch(path, { code: 'after' })).status, PATIENCE).toBe(200)
    expect((await anonymous.get(path)).body).toMatchObject({ title: 'Before' })
    expect(await inconsistencies(databaseUrl, app.site)).toEqual([])
  })

  test.each(['before', 'after'] as const)(
    '§0.9 a write whose connection breaks %s its commit is answered says that it may be stored',
    async (where) => {
      const { proxy, editor, anonymous, databaseUrl, app } = await started()
      const { body } = await editor.post('article', { title: 'Old' })
      const path = `article/${body.aposDocId}`
      expect((await anonymous.get(path)).body).toMatchObject({ title: 'Old' })
      proxy.cutAtCommit(where)
      const answer = await editor.patch(path, { title: 'New' })
      expect(answer).toMatchObject({ status: 503, body: { name: 'unavailable', data: { mayBeStored: true } } })
      expect(answer.body.message).toMatch(/^The change may have been stored/)
      expect(answer.headers.get('retry-after')).not.toBeNull()
      const { body: openApi } = await editor.get('openapi.json')
      const described = openApi.components.schemas.Error.properties.data.properties
      expect(Object.keys(described)).toEqual(expect.arrayContaining(Object.keys(answer.body.data)))
      const problems = (body: object) => new AnswerCheck(openApi).problems('PATCH', `/api/v1/${path}`, 503, body)
      expect(problems(answer.body)).toEqual([])
      expect(problems({ ...answer.body, data: { mayBeStored: false } })).toEqual([
        '/data/mayBeStored must be equal to constant',
      ])
      expect((await anonymous.get(path)).body).toMatchObject({ title: 'New' })
      expect((await editor.patch(path, { title: 'Newer' })).status).toBe(200)
      expect(await inconsistencies(databaseUrl, app.site)).toEqual([])
    },
  )

  test('§0.7 what others wrote is read a moment later, however late the notification of it arrives', async () => {
    const { proxy, editor, anonymous, databaseUrl } = await started()
    const writer = await otherProcess(databaseUrl)
    const { body } = await editor.post('article', { title: 'Title 0' })
    const path = `article/${body.aposDocId}`
    await expect.poll(() => statusOf(anonymous, path), PATIENCE).toBe(200)
    proxy.slow(150)
    for (let round = 1; round <= 5; round += 1) {
      await anonymous.get(path)
      expect((await writer.patch(path, { title: `Title ${round}` })).status).toBe(200)
      await pause(30)
      expect((await anonymous.get(path)).body).toMatchObject({ title: `Title ${round}` })
    }
  })

  test('§0 what editors ask for is unavailable while the database is away, and right again afterwards', async () => {
    const { proxy, app, editor } = await started()
    const id = (await editor.post('article', { title: 'Away', level: 'low' })).body.aposDocId
    await editor.patch(`article/${id}`, { subtitle: 'Changed' }, 'aposMode=draft')
    const ask = async () => {
      const reads = READ_BY_EDITORS.map((path) => editor.get(path.replace('ID', id)))
      const checked = editor.post(`article/${id}/publish`, { check: true })
      const answers = await Promise.all([...reads, checked, editor.post('article/slug', { title: 'Away' })])
      return answers.map((answer, index) => ({ ...answer, path: READ_BY_EDITORS[index] ?? 'POST' }))
    }
    const before = await ask()
    expect(before.map(({ status }) => status)).toEqual(before.map(() => 200))
    proxy.cut()
    await expect.poll(() => app.store.revision(), PATIENCE).toBeNull()
    for (const { path, status, body, headers } of await ask()) {
      expect({ path, status, name: body.name }).toEqual({ path, status: 503, name: 'unavailable' })
      expect(headers.get('retry-after')).not.toBeNull()
    }
    // It is made of the site alone.
    expect(await statusOf(editor, '@cms/schema')).toBe(200)
    proxy.mend()
    await expect.poll(() => statusOf(editor, 'ready'), PATIENCE).toBe(200)
    expect((await ask()).map(({ body }) => body)).toEqual(before.map(({ body }) => body))
  })

  test('§0 what others write is not hidden by a cached answer while the server is slow or out of reach', async () => {
    const { proxy, app, editor, anonymous, databaseUrl } = await started()
    const writer = await otherProcess(databaseUrl)
    const { body } = await editor.post('article', { title: 'Old' })
    const path = `article/${body.aposDocId}`
    await expect.poll(async () => (await anonymous.get(path)).body.title, PATIENCE).toBe('Old')
    // Slower than the second after which nothing is answered from memory any more.
    proxy.slow(1_200)
    await expect.poll(() => app.store.revision(), PATIENCE).toBeNull()
    expect((await writer.patch(path, { title: 'New' })).status).toBe(200)
    expect((await anonymous.get(path)).body).toMatchObject({ title: 'New' })
  })

  test('§0 a database that is away is told of once by the search index, which is up to date soon after', async () => {
    const lines: string[] = []
    const log = { ...quietLog, error: (_facts: object, text: string) => void lines.push(text) }
    const { proxy, editor } = await started(log)
    proxy.cut()
    // Long enough for many attempts.
    await pause(2_000)
    expect(lines).toEqual(['The search index could not be brought up to date.'])
    proxy.mend()
    await expect.poll(() => statusOf(editor, 'ready'), PATIENCE).toBe(200)
    expect((await editor.post('article', { title: 'Found again' })).status).toBe(200)
    await expect.poll(async () => (await editor.get('article', 'search=found')).body.total, PATIENCE).toBe(1)
  })

  test('§0 many writers of one locked row leave room for others and for readiness', async () => {
    const { editor, databaseUrl } = await started()
    const [path = '', another = ''] = await articles(editor)
    const unlock = await lock(databaseUrl, path)
    const { writing, answered } = writeMany(12, (number) => editor.patch(path, { code: `c${number}` }))
    await pause(200)
    for (let times = 0; times < 5; times += 1) {
      expect(await statusOf(editor, 'ready')).toBe(200)
      expect(await statusOf(editor, path)).toBe(200)
      expect((await editor.patch(another, { code: `c${times}` })).status).toBe(200)
      expect((await editor.post('article', { title: `Article ${times}` })).status).toBe(200)
    }
    expect(answered()).toBe(0)
    await expect.poll(answered, PATIENCE).toBeGreaterThan(0)
    await unlock()
    const answers = await writing
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]))
    for (const { status, body } of answers) if (status === 503) expect(body.name).toBe('unavailable')
    expect((await editor.patch(path, { code: 'free' })).status).toBe(200)
  })

  test('§0 pages that wait for the tree leave room for writes of pieces', async () => {
    const { editor, databaseUrl } = await started()
    const [article = ''] = await articles(editor)
    const place = { _targetId: '_home', _position: 'lastChild', type: 'default-page' }
    const made = await Promise.all(
      [1, 2, 3, 4].map((number) => editor.post('@cms/page', { title: `${number}`, ...place })),
    )
    const pages = made.map(({ body }) => `@cms/page/${body.aposDocId}`)
    const unlock = await lock(databaseUrl, pages[0] ?? '')
    const { writing, answered } = writeMany(20, (number) =>
      editor.patch(pages[number % 4] ?? '', { title: `Title ${number}` }),
    )
    await pause(200)
    for (let times = 0; times < 5; times += 1) {
      expect((await editor.patch(article, { code: `c${times}` })).status).toBe(200)
    }
    expect(answered()).toBeLessThan(20)
    await unlock()
    // Had the articles waited with them, some would have waited too long.
    for (const { status } of await writing) expect(status).toBe(200)
  })
})

async function articles(editor: Caller): Promise<string[]> {
  const made = await Promise.all([1, 2].map((number) => editor.post('article', { title: `Article ${number}` })))
  return made.map(({ body }) => `article/${body.aposDocId}`)
}

/** Locks the rows of a document as a process does that has stopped in the middle; unlocks them. */
async function lock(databaseUrl: string, path: string): Promise<() => Promise<unknown>> {
  const locker = new Client({ connectionString: databaseUrl })
  await locker.connect()
  onTestFinished(() => locker.end())
  await locker.query('begin')
  await locker.query('select * from documents where doc_id = $1 for update', [path.split('/').at(-1)])
  return () => locker.query('rollback')
}

/** Sends writes at once, and says how many of them were answered. */
function writeMany(times: number, write: (number: number) => ReturnType<Caller['patch']>) {
  let count = 0
  const writing = Promise.all(
    Array.from({ length: times }, async (_, number) => {
      const answer = await write(number)
      count += 1
      return answer
    }),
  )
  return { writing, answered: () => count }
}
