import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, copyFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { referenceSite } from '../../../conformance/site.ts'
import { QUIRE } from '../../../example/command.ts'
import { startBucket, type TestBucket } from '../../test/bucket.ts'
import { sampledDatabases, type TestDatabase, testDatabases } from '../../test/databases.ts'
import { imagePiece, upload } from '../../test/media.ts'
import { makeUser, tokenOf } from '../../test/people.ts'
import { fuzzing, isWhole, some } from '../../test/sample.ts'
import { type Service, startService } from '../../test/service.ts'
import { createApp } from '../app.ts'
import { cleanUploads } from '../features/media/clean-media.ts'
import { LINK_FILE } from '../features/media/uploads-link.ts'
import type { Files } from '../files/files.ts'
import { type App, openUploads } from '../service.ts'
import { TABLES_VERSION } from '../store/migrations/index.ts'
import { tablesAt } from '../store/open-store.ts'
import { restoreTables } from '../store/table-copies.ts'
import { manifestText } from './archive/manifest.ts'
import { writeArchive } from './archive/output.ts'
import { verifyArchive } from './archive/read-archive.ts'
import { makeBackup } from './backup/make-backup.ts'
import { restoreBackup } from './backup/restore-backup.ts'
import { quietLog } from './command/json-log.ts'

const site = referenceSite({})
const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  vi.unstubAllEnvs()
})

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-backup-test-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function started(databases = kinds[0], options: Parameters<typeof startService>[1] = {}): Promise<Service> {
  if (databases === undefined) throw new Error('There is no such database.')
  const service = await startService(databases, options)
  closing.push(() => service.stop())
  return service
}

const kinds = testDatabases

/** Where something is restored to. */
interface Target {
  readonly database: string
  readonly uploads: string
  readonly uploadsEndpoint?: string
}

async function newTarget(databases = kinds[0]): Promise<Target> {
  const folder = await newFolder()
  if (databases === undefined) throw new Error('There is no such database.')
  const database: TestDatabase = await databases.create()
  closing.push(() => database.drop())
  return { database: database.url, uploads: join(folder, 'uploads') }
}

async function withFiles<T>(target: Target, work: (files: Files) => Promise<T>): Promise<T> {
  const files = await openUploads({ prefix: '' }, { ...target, log: quietLog })
  return work(files).finally(() => files.close())
}

const silent = { log: quietLog, site: 'Test', onRows: () => {}, onUploads: () => {} }

function backUp(service: Service, file: string, change: (files: Files) => Files = (files) => files) {
  const { files } = service.app.context({ kind: 'operator' })
  return makeBackup(file, { ...silent, database: service.databaseUrl, files: change(files) })
}

async function restore(file: string, target: Target, force = false) {
  await verifyArchive({ path: file, name: file })
  return withFiles(target, (files) =>
    restoreBackup(
      { path: file, name: file },
      { ...target, log: quietLog, files, force, webhooks: true, onProgress: () => {} },
    ),
  )
}

/** The service on what was restored. */
async function serveRestored(target: Target): Promise<{ readonly app: App; readonly address: string }> {
  const keys = (['guest', 'contributor', 'editor', 'admin'] as const).map((role) => {
    return { key: `key-${role}`, role, name: `${role} key` }
  })
  const app = await createApp(site, { ...target, keys, log: quietLog })
  closing.push(() => app.close())
  return { app, address: await app.listen(0, '127.0.0.1') }
}

/** Documents in several states, pages, versions, uploads, users and what they signed in with. */
async function fill(service: Service) {
  const { editor } = service
  const image = await imagePiece(service)
  await upload(service, 'editor', 'unused', 'unused.txt')
  const made = await editor.post('article', { title: 'Lighthouse', count: 3, tags: ['red'] })
  expect(made.status).toBe(200)
  const id: string = made.body.aposDocId
  await editor.patch(`article/${id}`, { title: 'Lighthouse “at” night ü' })
  await editor.patch(`article/${id}`, { title: 'Only a draft' }, 'aposMode=draft')
  await editor.post('article', { title: 'Archived lighthouse', archived: true })
  await makeUser(service.app, 'ann')
  const token = await tokenOf(service.address, 'ann')
  return { id, image, token }
}

const READS = (id: string) => [
  'article?perPage=50',
  'article?aposMode=draft&archived=any&sort=title',
  'article?search=lighthouse',
  `article/${id}:en:draft`,
  `article/${id}/versions`,
  '@cms/page?all=1',
  '@cms/image',
  '@cms/user',
  '@cms/global',
]

/** Returns the answers to a list of requests, byte by byte. */
async function answersOf(address: string, id: string): Promise<string[]> {
  const answers: string[] = []
  for (const path of READS(id)) {
    const response = await fetch(`${address}/api/v1/${path}`, { headers: { authorization: 'ApiKey key-admin' } })
    answers.push(`${path} ${response.status} ${await response.text()}`)
  }
  return answers
}

describe.each(sampledDatabases('backup'))('§10.1 a backup of $name', { timeout: 60_000 }, (databases) => {
  test.each(kinds)('restored to $name answers byte by byte as before', async (other) => {
    const service = await started(databases)
    const { id, image, token } = await fill(service)
    const before = await answersOf(service.address, id)
    const file = join(await newFolder(), 'a.backup')
    const made = await backUp(service, file)
    expect(made.missing.count).toBe(0)
    const target = await newTarget(other)
    expect(await restore(file, target)).toMatchObject({ rows: made.rows, isOlder: false })
    const { address } = await serveRestored(target)
    expect(await answersOf(address, id)).toEqual(before)
    const bytes = async (from: string) => Buffer.from(await (await fetch(`${from}${image._url}`)).arrayBuffer())
    expect((await bytes(address)).equals(await bytes(service.address))).toBe(true)
    const who = await fetch(`${address}/api/v1/@cms/login/whoami`, { headers: { authorization: `Bearer ${token}` } })
    expect(who.status).toBe(200)
    // What is written next takes numbers that nothing had.
    const written = await fetch(`${address}/api/v1/article`, {
      method: 'POST',
      headers: { authorization: 'ApiKey key-editor', 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'After' }),
    })
    expect(written.status).toBe(200)
  })

  test('holds one moment, although documents are written and uploads removed meanwhile', async () => {
    const service = await started(databases)
    const { id, image } = await fill(service)
    let isWriting = true
    let count = 0
    const writing = (async () => {
      while (isWriting) {
        await service.editor.post('article', { title: `Counted ${count}`, slug: `counted-${count}` })
        count += 1
      }
    })()
    const file = join(await newFolder(), 'a.backup')
    const { missing } = await backUp(service, file, (files) => {
      async function* list(prefix: string) {
        // The rows are copied by now, the files are not.
        await service.admin.delete(`@cms/image/${image._id}`)
        expect((await service.app.store.attachments.existing([image.attachment._id])).size).toBe(0)
        yield* files.list(prefix)
      }
      return { ...delegating(files), list }
    })
    isWriting = false
    await writing
    expect(missing.count).toBe(0)
    const target = await newTarget(databases)
    await restore(file, target)
    const { app, address } = await serveRestored(target)
    expect((await fetch(`${address}${image._url}`)).status).toBe(200)
    expect((await answersOf(address, id))[3]).toContain(' 200 ')
    const there = await Promise.all(Array.from({ length: count }, (_, index) => isThere(app, `counted-${index}`)))
    expect(there.lastIndexOf(true)).toBeLessThan(there.includes(false) ? there.indexOf(false) : count)
  })

  test('is refused where there is something already, and where a service runs', async () => {
    const service = await started(databases)
    await fill(service)
    const file = join(await newFolder(), 'a.backup')
    await backUp(service, file)
    const target = { database: service.databaseUrl, uploads: service.uploads }
    await expect(restore(file, target)).rejects.toThrow('not empty')
    await expect(restore(file, target, true)).rejects.toThrow('in use')
    expect((await service.editor.get('article')).status).toBe(200)
    const elsewhere = { ...(await newTarget(databases)), uploads: service.uploads }
    await expect(restore(file, elsewhere)).rejects.toThrow('uploads already')
  })

  test('replaces all that was there with --force, uploads too', async () => {
    const service = await started(databases)
    const { id } = await fill(service)
    const file = join(await newFolder(), 'a.backup')
    await backUp(service, file)
    const target = await newTarget(databases)
    const former = await serveRestored(target)
    const late = await upload({ address: former.address }, 'editor', 'late', 'late.txt')
    expect(late.status).toBe(200)
    await closing.pop()?.()
    await restore(file, target, true)
    const uploads = await readdir(join(target.uploads, 'attachments'))
    expect(uploads.toSorted()).toEqual((await readdir(join(service.uploads, 'attachments'))).toSorted())
    const { address } = await serveRestored(target)
    expect(await answersOf(address, id)).toEqual(await answersOf(service.address, id))
  })

  test('never removes the uploads of another database', async () => {
    const [service, other] = [await started(databases), await started(databases)]
    for (const { app, address } of [service, other]) {
      expect((await upload({ address }, 'editor', 'text', 'text.txt')).status).toBe(200)
      expect(await cleanUploads(app.context({ kind: 'operator' }))).toMatchObject({ isLinked: true })
    }
    const file = join(await newFolder(), 'a.backup')
    await backUp(service, file)
    const filesOf = (uploads: string) => readdir(uploads, { recursive: true })
    const before = await filesOf(other.uploads)
    const mistaken = { ...(await newTarget(databases)), uploads: other.uploads }
    await expect(restore(file, mistaken, true)).rejects.toThrow('belong to another database')
    expect(await filesOf(other.uploads)).toEqual(before)
    await restore(file, { ...mistaken, uploads: service.uploads }, true)
    await restore(file, { ...mistaken, uploads: service.uploads }, true)
    await other.app.close()
    await restore(file, { database: other.databaseUrl, uploads: other.uploads }, true)
    expect((await filesOf(other.uploads)).toSorted()).toEqual((await filesOf(service.uploads)).toSorted())
    await rm(join(other.uploads, LINK_FILE))
    await restore(file, mistaken, true)
  })

  test('of another schema is refused when it is newer, and brought up to date when it is older', async () => {
    const file = join(await newFolder(), 'a.backup')
    const refuses = (schema: number) =>
      writeArchive(file, new Date(), (archive) =>
        archive.addText('manifest.json', manifestText('backup', null, new Date(), { schema, tables: [] })),
      )
    const target = await newTarget(databases)
    await refuses(TABLES_VERSION + 1)
    await expect(restore(file, target)).rejects.toThrow('newer program')
    await restoreTables(target.database, { log: quietLog, version: 9, tables: [] }, async () => {})
    await withFiles(target, (files) => makeBackup(file, { ...silent, database: target.database, files }))
    const other = await newTarget(databases)
    expect(await restore(file, other)).toMatchObject({ isOlder: true })
    await serveRestored(other)
  })
})

function delegating(files: Files): Files {
  return {
    put: (name, content) => files.put(name, content),
    open: (name, range) => files.open(name, range),
    facts: (name) => files.facts(name),
    fetch: (name, path) => files.fetch(name, path),
    remove: (names) => files.remove(names),
    list: (prefix) => files.list(prefix),
    url: (name) => files.url(name),
    isServedElsewhere: files.isServedElsewhere,
    check: () => files.check(),
    clean: () => files.clean(),
    close: () => files.close(),
  }
}

async function isThere(app: App, slug: string): Promise<boolean> {
  const view = { type: 'article', locale: 'en', mode: 'published', archived: 'any', visibility: null } as const
  const [first] = await app.store.documents.bySlug(view, slug, 1)
  return first?.slug === slug
}

test('§10.2 uploads go from a folder to a bucket, and back to a folder', { timeout: 60_000 }, async () => {
  const bucket: TestBucket = await startBucket('media')
  closing.push(() => bucket.stop())
  const service = await started()
  await fill(service)
  const folder = await newFolder()
  await backUp(service, join(folder, 'a.backup'))
  const inBucket = { ...(await newTarget()), uploads: 's3://media/site', uploadsEndpoint: bucket.url }
  await restore(join(folder, 'a.backup'), inBucket)
  const names = (await readdir(join(service.uploads, 'attachments'))).map((name) => `site/attachments/${name}`)
  expect((await bucket.names()).filter((name) => name.includes('attachments/')).toSorted()).toEqual(names.toSorted())
  const made = await withFiles(inBucket, (files) => {
    return makeBackup(join(folder, 'b.backup'), { ...silent, database: inBucket.database, files })
  })
  expect([made.missing.count, made.files]).toEqual([0, names.length])
  const back = await newTarget()
  expect((await restore(join(folder, 'b.backup'), back)).uploads).toBe(names.length)
  for (const name of await readdir(join(service.uploads, 'attachments'))) {
    const copies = [service.uploads, back.uploads].map((uploads) => readFile(join(uploads, 'attachments', name)))
    const [before, after] = await Promise.all(copies)
    expect([name, after?.equals(before ?? Buffer.alloc(0))]).toEqual([name, true])
  }
})

test('§10.2 a backup with any byte changed, a cut one and a foreign file are refused before anything is changed', async () => {
  const service = await started()
  await fill(service)
  const folder = await newFolder()
  const file = join(folder, 'a.backup')
  await backUp(service, file)
  const whole = await readFile(file)
  const target = await newTarget()
  const positions = [4, 5, whole.length - 1, whole.length - 33, whole.length - 40]
  const random = some([...whole.keys()], fuzzing(40).numRuns)
  for (const position of [...positions, ...random]) {
    const damaged = Buffer.from(whole)
    damaged[position] = (damaged[position] ?? 0) ^ (1 << (position % 8))
    await writeFile(file, damaged)
    await expect(restore(file, target), `byte ${position}`).rejects.toThrow(/damaged|not written by Quire/)
  }
  for (const length of [0, 3, 30, 45, whole.length - 1, whole.length >> 1]) {
    await writeFile(file, whole)
    await truncate(file, length)
    await expect(restore(file, target), `cut to ${length}`).rejects.toThrow(/damaged|not written by Quire/)
  }
  await writeFile(file, 'PK something else')
  await expect(restore(file, target)).rejects.toThrow('not written by Quire')
  await expect(access(target.database.slice('sqlite:'.length))).rejects.toThrow()
  await expect(access(target.uploads)).rejects.toThrow()
})

test('§10.2 a backup that no service made is refused, and nothing is written outside of the uploads', async () => {
  const manifest = manifestText('backup', null, new Date(), { schema: TABLES_VERSION, tables: [] })
  const wrong: (readonly [manifest: string, part: string, text: string, message: string])[] = [
    ['no manifest', 'a', 'a', 'was not written by Quire'],
    [manifestText('backup', null, new Date(), { schema: 0 }), 'a', 'a', 'names no version'],
    [manifest, 'uploads/attachments/../../outside.txt', 'a', 'not as quire backup writes it'],
    [manifest, 'tables/documents/000001.jsonl', '{', 'not as quire backup writes it'],
    [manifest, 'tables/documents/000001.jsonl', 'null', 'not as quire backup writes it'],
    [manifest, 'tables/documents/000001.jsonl', '[]', 'not as quire backup writes it'],
    [manifest, 'tables/documents/000001.jsonl', '{"type":{}}', 'not as quire backup writes it'],
    [manifest, 'tables/documents/000001.jsonl', `{"type":${'['.repeat(100_000)}`, 'levels deep'],
  ]
  for (const [first, name, text, message] of wrong) {
    const folder = await newFolder()
    const file = join(folder, 'backup')
    await writeArchive(file, new Date(), async (archive) => {
      await archive.addText('manifest.json', first)
      await archive.addText(name, text)
    })
    const target = { database: `sqlite:${join(folder, 'new/quire.db')}`, uploads: join(folder, 'new/uploads') }
    await expect(restore(file, target)).rejects.toThrow(message)
    expect(await readdir(folder)).not.toContain('outside.txt')
    expect(await readdir(join(folder, 'new')).catch(() => [])).toEqual([])
  }
})

test.each(kinds)(
  '§10.2 $name: a row that its table cannot take is reported with table and column, and nothing is restored',
  async (databases) => {
    const service = await started()
    await service.editor.post('article', { title: 'Whole' })
    const tables = await tablesAt(TABLES_VERSION)
    const jobs = tables.find(({ name }) => name === 'jobs')
    if (jobs === undefined) throw new Error('There is no such table.')
    const [first] = jobs.columns
    const whole = Object.fromEntries(jobs.columns.map(({ name, kind }) => [name, kind === 'text' ? 'a' : 1]))
    const { [first?.name ?? '']: _, ...lacking } = whole
    const target = await newTarget(databases)
    const file = join(await newFolder(), 'a.backup')
    const wrong: (readonly [row: object, message: string])[] = [
      [lacking, `a row of the table jobs lacks the column ${first?.name}.`],
      [{ ...whole, colour: 1 }, 'a row of the table jobs has the column colour, which that table does not have.'],
      [{ ...whole, [first?.name ?? '']: 1 }, `a wrong value in the column ${first?.name}: a text is expected.`],
      [{ ...whole, [first?.name ?? '']: null }, `a wrong value in the column ${first?.name}: a text is expected.`],
    ]
    for (const [row, message] of wrong) {
      await writeArchive(file, new Date(), async (archive) => {
        const manifest = { schema: TABLES_VERSION, tables: [{ name: 'jobs', rows: 2 }] }
        await archive.addText('manifest.json', manifestText('backup', null, new Date(), manifest))
        await archive.addText('tables/jobs/000001.jsonl', `${JSON.stringify(whole)}\n${JSON.stringify(row)}\n`)
      })
      await expect(restore(file, target)).rejects.toThrow(message)
      await expect(restore(file, target)).rejects.toThrow('Nothing was restored.')
    }
    await backUp(service, file)
    expect(await restore(file, target)).toMatchObject({ isOlder: false })
  },
)

test('§10.2 a log that was left next to a database file does not change what is restored', async () => {
  const service = await started()
  const { id } = await fill(service)
  const file = join(await newFolder(), 'a.backup')
  await backUp(service, file)
  const before = await answersOf(service.address, id)
  // As a killed service leaves it: with changes that are only in the log.
  await service.editor.post('article', { title: 'In the log' })
  for (const isFileLeft of [true, false]) {
    const target = await newTarget()
    const [from, to] = [service.databaseUrl, target.database].map((url) => url.slice('sqlite:'.length))
    for (const end of ['-wal', '-shm', ...(isFileLeft ? [''] : [])]) await copyFile(`${from}${end}`, `${to}${end}`)
    await restore(file, target, true)
    await expect(access(`${to}-wal`)).rejects.toThrow()
    const { address } = await serveRestored(target)
    expect(await answersOf(address, id)).toEqual(before)
  }
})

describe.each(sampledDatabases('killed'))(
  '§10.2 a restore that is killed, on $name',
  { timeout: 120_000 },
  (databases) => {
    test('leaves what was there, whole, or all of the backup; repeated, it ends', async () => {
      const service = await started(databases)
      const { id } = await fill(service)
      const file = join(await newFolder(), 'a.backup')
      await backUp(service, file)
      const restored = await answersOf(service.address, id)
      const target = await newTarget(databases)
      await serveRestored(target)
      await closing.pop()?.()
      for (const milliseconds of isWhole ? [250, 350, 400, 450, 500, 550, 600, 700] : some([300, 450, 600], 1)) {
        await killedAfter(milliseconds, file, target)
        const { address } = await serveRestored(target)
        const answers = await answersOf(address, id)
        const isRestored = answers[3]?.includes(' 200 ') === true
        if (isRestored) expect(answers).toEqual(restored)
        else expect(answers[0]).toContain('"results":[]')
        await closing.pop()?.()
      }
      await restore(file, target, true)
      const { address } = await serveRestored(target)
      expect(await answersOf(address, id)).toEqual(restored)
    })
  },
)

/** `quire restore --force`, killed while it runs, if it still does. */
async function killedAfter(milliseconds: number, file: string, { database, uploads }: Target): Promise<void> {
  const child = spawn(process.execPath, [QUIRE, 'restore', file, '--force'], {
    env: { ...process.env, QUIRE_DATABASE: database, QUIRE_UPLOADS: uploads },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  await Promise.race([ended, pause(milliseconds)])
  child.kill('SIGKILL')
  await ended
}
