import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createApp } from '../src/app.ts'
import { newId } from '../src/base/ids.ts'
import { insertMany } from '../src/engine/operations/insert.ts'
import { write } from '../src/engine/write.ts'
import { defineSite } from '../src/model/compile/site-options.ts'
import { piece } from '../src/model/declared/content-type.ts'
import { callerOf } from './caller.ts'
import { quire } from './command.ts'
import { rowsOf } from './consistency.ts'
import { sampledDatabases, type TestDatabases } from './databases.ts'
import { isWhole, sample } from './sample.ts'
import { SERVING_KEYS, type Serving, serve } from './serving.ts'

const COMMAND = fileURLToPath(new URL('../bin/quire.js', import.meta.url))
const PACKAGE = fileURLToPath(new URL('..', import.meta.url))

const BEFORE = { body: { type: 'string' }, number: { type: 'integer' } } as const
const siteText = (field: string) => `
import { defineSite, piece } from 'quire-cms'
export const article = piece('article', {
  fields: { add: { ${field}: { type: 'string' }, number: { type: 'integer' } } },
})
export const site = defineSite({ types: [article] })
`
const MIGRATION = `
import { defineMigration } from 'quire-cms'
import { article } from '../site.ts'

export const migration = defineMigration({
  name: '0001-rename-body',
  async up(content) {
    await content.renameField(article, 'body', 'text')
    await content.mapField(article, 'number', (number) => Number(number) + 1)
  },
})
`

/** A site in a folder of its own, and a database with so many articles. */
async function newSite(databases: TestDatabases, articles: number) {
  const database = await databases.createReady()
  onTestFinished(() => database.drop())
  const folder = await mkdtemp(join(tmpdir(), 'quire-site-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'node_modules'))
  await symlink(PACKAGE, join(folder, 'node_modules', 'quire-cms'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'site.ts'), siteText('text'))
  await fill(database.url, articles)
  const start = (args: readonly string[]) =>
    spawn(process.execPath, [COMMAND, ...args], {
      cwd: folder,
      env: { ...process.env, QUIRE_DATABASE: database.url, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const run = async (args: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
    const { code, out, err } = await quire(folder, args, { QUIRE_DATABASE: database.url, ...environment })
    return { code, out: out + err }
  }
  return { database, folder, start, run, site: join(folder, 'site.ts') }
}

async function resultOf(child: ChildProcess): Promise<{ code: number | null; out: string }> {
  let out = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => (out += data.toString()))
  // `as`: what the event brings.
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out }
}

/** Kills a migration once it has shown so much progress. */
async function killedAt(child: ChildProcess, percent: number): Promise<void> {
  let shown = ''
  child.stderr?.on('data', (data: Buffer) => {
    shown += data.toString()
    if ([...shown.matchAll(/(\d+) %/g)].some(([, number]) => Number(number) >= percent)) child.kill('SIGKILL')
  })
  const [, signal] = await once(child, 'close')
  expect([signal, shown]).toEqual(['SIGKILL', expect.any(String)])
}

async function fill(url: string, articles: number): Promise<void> {
  const app = await createApp(defineSite({ types: [piece('article', { fields: { add: BEFORE } })] }), { database: url })
  const type = app.site.types.get('article')
  if (type === undefined) throw new Error('The site has no articles.')
  for (let first = 0; first < articles; first += 100) {
    const documents = Array.from({ length: Math.min(100, articles - first) }, (_, index) => {
      const number = first + index
      return { docId: newId(), body: { title: `Article ${number}`, body: `Words ${number}`, number } }
    })
    await write(app.context({ kind: 'operator' }), (ctx) =>
      insertMany(ctx, { type, locale: 'en', mode: 'published' }, documents),
    )
  }
  await app.close()
}

/** What the copies of articles hold, as a service answers them. */
async function servedNumbers({ address }: Serving): Promise<readonly [string, number][]> {
  const found: [string, number][] = []
  for (const mode of ['draft', 'published']) {
    for (let page = 1; ; page += 1) {
      const query = `perPage=500&page=${page}&sort=number&aposMode=${mode}`
      const { body } = await callerOf(address, SERVING_KEYS.editor, null).get('article', query)
      found.push(...body.results.map(({ text, number }: { text: string; number: number }) => [text, number] as const))
      if (page >= body.pages) break
    }
  }
  return found
}

/** For one test. */
async function served(url: string, site: string): Promise<Serving> {
  const serving = await serve(url, {}, site)
  onTestFinished(async () => void (await serving.end('SIGKILL')))
  return serving
}

const expected = (articles: number) => {
  const one = Array.from({ length: articles }, (_, number) => [`Words ${number}`, number + 1])
  return [...one, ...one]
}

async function migrationVersions(url: string): Promise<number> {
  const [rows = []] = await rowsOf(url, [
    "select count(*) as count from versions where author = 'Migration 0001-rename-body'",
  ])
  return Number(rows[0]?.count)
}

describe.each(sampledDatabases('quire migrate'))('§2.14 quire migrate on $name', (databases) => {
  test('a migration is begun, tried without writing, refused at start, run once, and told when it changes', async () => {
    const { database, folder, run } = await newSite(databases, 30)
    const begun = await run(['migrate', 'new', 'Rename body'])
    expect(begun).toMatchObject({ code: 0, out: expect.stringContaining(join('migrations', '0001-rename-body.ts')) })
    const path = join(folder, 'migrations', '0001-rename-body.ts')
    expect(await readFile(path, 'utf8')).toContain("name: '0001-rename-body'")
    await writeFile(path, MIGRATION)

    const stored = () => rowsOf(database.url, ['select * from contents order by n', 'select * from meta order by name'])
    const before = await stored()
    const tried = await run(['migrate', '--dry-run'])
    expect(tried.out).toMatch(/renameField article body text: 30 documents\n {4}article "Article 0" \(/)
    expect(tried.out).toContain('mapField article number: 30 documents')
    expect(await stored()).toEqual(before)

    const refused = await run(['serve', '--port', '0'], { QUIRE_MIGRATE: '0' })
    expect(refused).toMatchObject({ code: 1, out: expect.stringContaining('0001-rename-body. Run: quire migrate') })
    const wrong = await run(['serve', '--port', '0'], { QUIRE_MIGRATE: 'no' })
    expect(wrong).toMatchObject({ code: 1, out: expect.stringContaining('QUIRE_MIGRATE must be 1 or 0') })
    const done = await run(['migrate'])
    expect(done).toMatchObject({ code: 0, out: expect.stringContaining('mapField article number: 30 documents') })
    expect((await run(['migrate'])).out).toContain('All content migrations were run before.')
    await writeFile(path, `${MIGRATION}// more\n`)
    expect((await run(['migrate'])).out).toMatch(/have changed since they were run[\s\S]*0001-rename-body/)
    expect(await servedNumbers(await served(database.url, join(folder, 'site.ts')))).toEqual(expected(30))
    expect(await migrationVersions(database.url)).toBe(30)
    expect((await run(['migrate', 'new', 'Second'])).out).toContain('0002-second.ts')
  }, 120_000)

  test('it goes on where it was killed, whenever that was, and several processes share the work', async () => {
    const articles = isWhole ? 1000 : 400
    const { database, folder, start, site } = await newSite(databases, articles)
    await mkdir(join(folder, 'migrations'))
    await writeFile(join(folder, 'migrations', '0001-rename-body.ts'), MIGRATION)
    for (const percent of sample([0, 20, 50], 2)) await killedAt(start(['migrate']), percent)
    const results = await Promise.all([1, 2, 3].map(() => resultOf(start(['migrate']))))
    expect(results.map(({ code, out }) => (code === 0 ? 0 : out))).toEqual([0, 0, 0])
    expect(await servedNumbers(await served(database.url, site))).toEqual(expected(articles))
    expect(await migrationVersions(database.url)).toBe(articles)
  }, 120_000)

  test('quire serve runs what is left before it answers, also beside others that start', async () => {
    const { database, folder, site } = await newSite(databases, 300)
    await mkdir(join(folder, 'migrations'))
    await writeFile(join(folder, 'migrations', '0001-rename-body.ts'), MIGRATION)
    const all = await Promise.all([1, 2].map(() => serve(database.url, {}, site)))
    onTestFinished(async () => void (await Promise.all(all.map((one) => one.end('SIGKILL')))))
    for (const one of all) expect(await servedNumbers(one)).toEqual(expected(300))
    expect(await Promise.all(all.map((one) => one.end('SIGTERM')))).toEqual([0, 0])
  }, 120_000)
})
