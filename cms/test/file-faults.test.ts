import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, open, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { referenceSite } from '../../conformance/site.ts'
import { createApp } from '../src/app.ts'
import { cannotGrow } from '../src/store/sqlite/sqlite-errors.ts'
import { sample } from './sample.ts'
import { type Caller, callerOf } from './service.ts'
import { serve } from './serving.ts'

const COMMAND = fileURLToPath(new URL('../bin/quire.js', import.meta.url))
const SITE = fileURLToPath(new URL('./serving-site.ts', import.meta.url))
const KEYS = [{ key: 'key-editor', role: 'editor', name: 'editor' }] as const

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'quire-faults-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

/** A service on a database file, which holds one article. */
async function started(): Promise<{ file: string; caller: Caller; path: string }> {
  const file = join(await folder(), 'quire.db')
  const app = await createApp(referenceSite({ QUIRE_ARTICLE_PUBLIC: '1' }), { database: `sqlite:${file}`, keys: KEYS })
  onTestFinished(() => app.close())
  const caller = callerOf(await app.listen(0, '127.0.0.1'), 'key-editor', null)
  const { body } = await caller.post('article', { title: 'One' })
  checkpoint(file)
  return { file, caller, path: `article/${body.aposDocId}` }
}

/** Moves what is in the log into the file. */
function checkpoint(file: string): void {
  const database = new DatabaseSync(file)
  database.exec('pragma busy_timeout = 5000; pragma wal_checkpoint(full)')
  database.close()
}

/** Writes nonsense over all pages but the first, and commits something, so that nobody goes on with pages in memory. */
async function scribble(file: string): Promise<void> {
  const other = new DatabaseSync(file)
  const touch = () => other.exec('pragma application_id = 7')
  touch()
  const handle = await open(file, 'r+')
  const { size } = await handle.stat()
  await handle.write(Buffer.alloc(size - 4096, 'x'), 0, size - 4096, 4096)
  await handle.close()
  touch()
  other.close()
}

/** `quire …` that may write no file of more than so many KiB, as on a full disk. */
function limited(kib: number, args: string, file: string) {
  const command = `ulimit -f ${kib}; exec '${process.execPath}' '${COMMAND}' ${args}`
  return promisify(execFile)('bash', ['-c', command], { env: { ...process.env, QUIRE_DATABASE: `sqlite:${file}` } })
}

test('§10.1 where the database has no room to grow, a start reads what is stored', async () => {
  const { file, caller } = await started()
  for (let count = 0; count < 40; count += 1)
    expect(await caller.post('article', { title: `Article ${count}`, code: 'x '.repeat(2000) })).toMatchObject({
      status: 200,
    })
  const room = Math.ceil((await stat(file)).size / 1024) + 64
  const { stdout } = await limited(room, 'key list', file)
  expect(stdout).toMatch(/^There are no keys/)
  const made = limited(room, 'key create --role admin --name CI', file)
  await expect(made).rejects.toMatchObject({ code: 1, stderr: expect.not.stringMatching(/\n\s+at /) })
})

test('§10.1 a start passes over a disk without room, and not over a file that is read-only or broken', () => {
  const passedOver = (errcode: number) => cannotGrow(Object.assign(new Error('said so'), { errcode }))
  expect([13, 778, 1034, 1546].filter(passedOver)).toEqual([13, 778, 1034, 1546])
  expect([8, 10, 11, 14, 26].filter(passedOver)).toEqual([])
})

async function expectUnavailable(caller: Caller, path: string): Promise<void> {
  // A write is refused at once, a read within half a second.
  expect(await caller.patch(path, { code: 'lost' })).toMatchObject({ status: 503, body: { name: 'unavailable' } })
  for (const each of [path, 'article', 'article?search=one', 'ready']) {
    expect(await caller.get(each)).toMatchObject({ status: 503, body: { name: 'unavailable' } })
  }
}

describe('§0 a database file with faults', () => {
  test('§0 one that is removed takes no more writes; when it is back, all is well', async () => {
    const { file, caller, path } = await started()
    await rename(file, `${file}.elsewhere`)
    await expectUnavailable(caller, path)
    await rename(`${file}.elsewhere`, file)
    await expect.poll(async () => (await caller.get('ready')).status).toBe(200)
    expect((await caller.patch(path, { code: 'back' })).body).toMatchObject({ code: 'back' })
  })

  test.each<readonly [string, (file: string) => Promise<unknown>]>([
    [
      'another file in its place',
      async (file) => [await rename(file, `${file}.old`), await copyFile(`${file}.old`, file)],
    ],
    ['a file cut short', (file) => truncate(file, 20_000)],
    ['an empty file', (file) => truncate(file, 0)],
    ['a file that was written over', (file) => writeFile(file, 'x'.repeat(1_000_000))],
    ['nonsense after its first page', scribble],
  ])('§0 %s is noticed', async (_name, fault) => {
    const { file, caller, path } = await started()
    await fault(file)
    await expectUnavailable(caller, path)
  })

  test('§0 an older copy that is written over the file is noticed', async () => {
    const { file, caller, path } = await started()
    const older = await readFile(file)
    for (let number = 1; number <= 20; number += 1) {
      expect((await caller.post('article', { title: `Article ${number}` })).status).toBe(200)
    }
    checkpoint(file)
    expect((await readFile(file)).length).toBeGreaterThan(older.length)
    expect((await caller.get('ready')).status).toBe(200)
    await writeFile(file, older)
    await expectUnavailable(caller, path)
  })

  test('§0 while another process holds the database, writers fail together, and reads and searches go on', async () => {
    const { file, caller, path } = await started()
    const holder = new DatabaseSync(file)
    onTestFinished(() => holder.close())
    expect((await caller.post('article', { title: 'Not yet indexed' })).status).toBe(200)
    holder.exec('begin immediate')
    const writing = Promise.all(['a', 'b', 'c', 'd'].map((code) => caller.patch(path, { code })))
    const search = 'search=indexed&choices=title&sort[title]=1'
    expect((await caller.get('article', 'search=yet')).body).toMatchObject({ total: 1 })
    expect((await caller.get('article', search)).body).toMatchObject({ total: 1, choices: {} })
    expect((await caller.get('article', 'autocomplete=inde')).body.results[0].title).toBe('Not yet indexed')
    expect((await caller.get('ready')).status).toBe(200)
    for (const { status, body } of await writing) expect([status, body.name]).toEqual([503, 'unavailable'])
    holder.exec('rollback')
    expect((await caller.patch(path, { code: 'free' })).status).toBe(200)
  }, 60_000)

  test('§0 the files are for their owner alone, also those that were open to others', async () => {
    const path = join(await folder(), 'quire.db')
    await writeFile(path, '', { mode: 0o644 })
    const app = await createApp(referenceSite({}), { database: `sqlite:${path}` })
    onTestFinished(() => app.close())
    for (const file of [path, `${path}-wal`, `${path}-shm`]) expect((await stat(file)).mode & 0o077).toBe(0)
  })

  test('§0 a missing or empty database beside uploads is refused at the start', async () => {
    const { path, file } = await lostDatabase()
    const refusal = () => serve(`sqlite:${file}`).catch((error: Error) => error.message)
    expect(await refusal()).toMatch(/no database file .*quire\.db.*--new/s)
    await expect(stat(file)).rejects.toThrow('ENOENT')
    await writeFile(file, '')
    expect(await refusal()).toMatch(/no database file .*quire\.db.*--new/s)
    expect((await stat(file)).size, path).toBe(0)
  })

  const COMMANDS = [
    'media clean',
    'media clean --unknown',
    'media link',
    'media rescale',
    'key create --role admin --name Keeper',
    'key list',
    'user list',
    'migrate',
    'reindex',
    'check --content',
  ]
  test.each(sample(COMMANDS, 3))(
    '§4.3 quire %s makes no database beside uploads that another one knows',
    async (words) => {
      const { path, file } = await lostDatabase()
      const ownSite = ['migrate', 'key list'].includes(words) ? [] : ['--site', SITE]
      const environment = { ...process.env, QUIRE_DATABASE: `sqlite:${file}`, NO_COLOR: '1' }
      const command = promisify(execFile)(process.execPath, [COMMAND, ...words.split(' '), ...ownSite], {
        cwd: path,
        env: environment,
      })
      await expect(command).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/no database file .*--new/s),
      })
      await expect(stat(file)).rejects.toThrow('ENOENT')
    },
  )
})

/** A folder of uploads whose database is gone. */
async function lostDatabase(): Promise<{ path: string; file: string }> {
  const path = await folder()
  await mkdir(join(path, 'uploads', 'attachments'), { recursive: true })
  return { path, file: join(path, 'quire.db') }
}
