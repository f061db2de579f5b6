import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { referenceSite } from '../../../conformance/site.ts'
import { paste, QUIRE } from '../../../example/command.ts'
import { callerOf } from '../../test/caller.ts'
import { cleanEnvironment, type Ended, quire, type Variables } from '../../test/command.ts'
import { testDatabases } from '../../test/databases.ts'
import { upload } from '../../test/media.ts'
import { type Service, startService } from '../../test/service.ts'
import { createApp } from '../app.ts'
import { newId } from '../base/ids.ts'
import { rethrow } from '../store/sqlite/sqlite-errors.ts'
import { explain } from './command/failure.ts'
import { quietLog } from './command/json-log.ts'
import { FIRST_CONTENT } from './command/site-module.ts'
import { aloneWith } from './serve/run-seed.ts'

const SITE = fileURLToPath(new URL('../../test/serving-site.ts', import.meta.url))

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-restore-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function started(): Promise<Service> {
  const [databases] = testDatabases
  if (databases === undefined) throw new Error('There is no database.')
  const service = await startService(databases)
  onTestFinished(() => service.stop())
  return service
}

const variablesOf = ({ databaseUrl, uploads }: Pick<Service, 'databaseUrl' | 'uploads'>) => ({
  QUIRE_DATABASE: databaseUrl,
  QUIRE_UPLOADS: uploads,
})

test.each(testDatabases)('§10.2 $name goes on with what waits in a backup, or tells no receiver', async (databases) => {
  const service = await started()
  const folder = await newFolder()
  const receiver = { url: 'https://receiver.invalid/quire', events: ['document.published'] }
  const { body: webhook } = await service.admin.post('@cms/webhook', receiver)
  await service.admin.post('@cms/webhook', { ...receiver, enabled: false })
  await service.editor.post('article', { title: 'Told' })
  const actor = JSON.stringify({ kind: 'operator' })
  const schedule = { docId: newId(), locale: 'en', publishAt: 4e12, archiveAt: 4e12, actor, failures: {} }
  await service.app.store.transaction(async (tx) => {
    await tx.schedules.put(schedule)
    await tx.jobs.dueBy('digest', 4e12)
  })
  await aloneWith(service.app.context({ kind: 'operator' }), FIRST_CONTENT, async () => {})
  expect((await quire(folder, ['backup', 'a.backup'], variablesOf(service))).code).toBe(0)
  const database = await databases.create()
  onTestFinished(() => database.drop())
  const copy = { databaseUrl: database.url, uploads: join(folder, 'uploads') }
  const { out } = await quire(folder, ['restore', 'a.backup'], variablesOf(copy))
  expect(out).toMatch(
    /\nA service started with this database continues with: 1 webhook delivery; 1 scheduled publication; 1 scheduled archiving; the jobs digest(, (media|version|webhook) \w+)*\.\nIt sends changes to 1 webhook\. For a copy that is to send none: --no-webhooks\n/,
  )
  const silent = await quire(folder, ['restore', 'a.backup', '--force', '--no-webhooks'], variablesOf(copy))
  expect(silent.out).toContain('\nSwitched off: 1 webhook. Not sent: 1 delivery. ')
  const keys = [{ key: 'key-admin', role: 'admin', name: 'admin' } as const]
  const app = await createApp(referenceSite({}), { database: database.url, uploads: copy.uploads, keys, log: quietLog })
  onTestFinished(() => app.close())
  const admin = callerOf(await app.listen(0, '127.0.0.1'), 'key-admin', null)
  const { results } = (await admin.get('@cms/webhook')).body
  expect(results.map(({ enabled }: { readonly enabled: boolean }) => enabled)).toEqual([false, false])
  expect(await app.store.webhooks.waiting([webhook._id], 5e12)).toEqual([])
  expect((await admin.get(`@cms/webhook/${webhook._id}/delivery`)).body.results).toMatchObject([
    { status: 'failed', due: null, error: 'Not sent: the backup was restored without webhooks.' },
  ])
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  '§10.2 a command that is ended by %s leaves nothing behind',
  async (signal) => {
    const folder = await newFolder()
    const env = cleanEnvironment({ TMPDIR: folder })
    const child = spawn(process.execPath, [QUIRE, 'restore', '-'], {
      cwd: folder,
      env,
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    child.stdin.write('the beginning of a backup')
    const archives = async () => (await readdir(folder)).filter((name) => name.startsWith('quire-archive-'))
    await expect.poll(async () => (await archives()).length, { timeout: 20_000 }).toBe(1)
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual([null, signal])
    expect(await archives()).toEqual([])
  },
)

test('§10.1 a full disk is reported as one', async () => {
  const service = await started()
  const command = `exec '${process.execPath}' '${QUIRE}' backup - > /dev/full`
  const { err } = await paste(command, await newFolder(), variablesOf(service))
  expect(err).toMatch(/ENOSPC.*\nThe disk is full\. Make room there, then run the command again\.\n$/)
  const database = new DatabaseSync(':memory:')
  database.exec('create table t (x); pragma max_page_count = 2')
  const insert = async () => {
    try {
      database.exec('insert into t values (zeroblob(100000))')
    } catch (error) {
      rethrow(error)
    }
  }
  await expect(insert()).rejects.toThrow('The database accepts no changes at the moment.')
  expect(await insert().catch(explain)).toBe(
    'The disk of the database is full. Make room there, then run the command again.',
  )
})

/** `quire …` that may write no file of more than so many KiB. */
function limited(kib: number, args: string, folder: string, variables: Variables): Promise<Ended> {
  return paste(`ulimit -f ${kib}; exec '${process.execPath}' '${QUIRE}' ${args}`, folder, variables)
}

test('§10.1 what leaves no room for a file names it, and what was there stays', { timeout: 60_000 }, async () => {
  const service = await started()
  const folder = await newFolder()
  const [databases] = testDatabases
  const database = await databases?.create()
  if (database === undefined) throw new Error('There is no database.')
  onTestFinished(() => database.drop())
  const to = { databaseUrl: database.url, uploads: join(folder, 'restored') }
  const path = database.url.slice('sqlite:'.length)
  expect((await quire(folder, ['backup', 'a.backup'], variablesOf(service))).code).toBe(0)
  const inDatabase = await limited(200, 'restore a.backup', folder, variablesOf(to))
  expect(inDatabase.err).toMatch(new RegExp(`quire: ${path} cannot be written: .*\\. Check that its disk .*\\.\n$`))
  await expect(access(path)).rejects.toThrow('ENOENT')
  // Together longer than the database with its log, each shorter than what is read at once.
  for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt']) {
    expect((await upload(service, 'editor', randomBytes(700_000).toString('base64'), name)).status).toBe(200)
  }
  expect((await quire(folder, ['backup', 'a.backup'], variablesOf(service))).code).toBe(0)
  const before = await readFile(join(folder, 'a.backup'))
  const inUploads = await limited(800, 'restore a.backup', folder, variablesOf(to))
  expect(inUploads.err).toContain(`quire: The uploads folder ${to.uploads} cannot be used: EFBIG`)
  await expect(access(path)).rejects.toThrow('ENOENT')
  const { err } = await limited(3000, 'backup a.backup', folder, variablesOf(service))
  expect(err).toMatch(/quire: a\.backup cannot be written: EFBIG.*\. Make room there, then run the command again\.\n$/)
  expect(before.equals(await readFile(join(folder, 'a.backup')))).toBe(true)
  expect((await quire(folder, ['restore', 'a.backup'], variablesOf(to))).code).toBe(0)
})

test('§10.1 an earlier archive is replaced, which is reported, and no other file is', async () => {
  const service = await started()
  const folder = await newFolder()
  const run = (...args: string[]) => quire(folder, args, variablesOf(service))
  expect((await run('backup', 'a.backup')).out).toContain(' files to a.backup. It holds')
  expect((await run('backup', 'a.backup')).out).toContain(' files to a.backup, in place of the one that was there. It')
  const path = service.databaseUrl.slice('sqlite:'.length)
  for (const command of ['backup', 'export']) {
    const site = command === 'export' ? ['--site', SITE] : []
    const refused = await run(command, path, ...site)
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(`${path} is there already, and was not`) })
    await writeFile(join(folder, 'empty'), '')
    expect((await run(command, 'empty', ...site)).code).toBe(0)
  }
  expect((await service.editor.get('article')).status).toBe(200)
})

test.each(['restore', 'import'])('§10.2 problems of an archive that is piped to %s name the pipe', async (command) => {
  const folder = await newFolder()
  await writeFile(join(folder, 'no.archive'), randomBytes(10_000))
  const { code, err } = await paste(`exec '${process.execPath}' '${QUIRE}' ${command} - < no.archive`, folder)
  expect({ code, err }).toEqual({ code: 1, err: 'quire: The archive on standard input was not written by Quire.\n' })
})

test('§10.2 a backup is not restored into a folder', async () => {
  const service = await started()
  const folder = await newFolder()
  const data = join(folder, 'data')
  await mkdir(data)
  expect((await quire(folder, ['backup', 'a.backup'], variablesOf(service))).code).toBe(0)
  for (const force of [[], ['--force']]) {
    const into = { QUIRE_DATABASE: `sqlite:${data}`, QUIRE_UPLOADS: join(folder, 'uploads') }
    const { code, err } = await quire(folder, ['restore', 'a.backup', ...force], into)
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/\nquire: The database must be a file, but .*\/data is a folder\./),
    ])
  }
  expect(await readdir(data)).toEqual([])
})
