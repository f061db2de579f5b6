import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { quire } from '../cms/test/command.ts'
import { onTerminal } from '../cms/test/pseudo-terminal.ts'
import { sample } from '../cms/test/sample.ts'
import { paste, QUIRE, quireProcess, type Serving, serve } from './command.ts'

// The real command, in processes of its own, over real sockets.

const SITE = fileURLToPath(new URL('./site.ts', import.meta.url))
/** For what has nothing to do with the magazine: it starts faster. */
const TINY_SITE = fileURLToPath(new URL('../cms/test/tiny-site.ts', import.meta.url))

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-e2e-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The curl lines that were printed. */
function curlLines(printed: string): string[] {
  return printed.match(/curl [^\r\n]+/g)?.map((line) => line.replace('curl', 'curl -sS')) ?? []
}

async function answerOf(line: string) {
  const { code, out, err } = await paste(line, folder)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out)
}

const ROBOT_KEY = 'let-me-in'.padEnd(32, '-')

describe('quire serve', () => {
  let first: Serving
  let posted: { _id: string }

  test('§5 the first start fills the database, stores an admin key for its owner alone and shows it on terminals only', async () => {
    first = await serve(folder, SITE)
    expect(first.printed).toContain('Writing the first content: 100 %')
    const file = join(folder, 'data/admin-key')
    const key = (await readFile(file, 'utf8')).trim()
    expect(key).toHaveLength(43)
    expect(first.printed).not.toContain(key)
    expect(first.printed).toContain(`"adminKey":"${file}"`)
    expect(curlLines(first.printed)).toEqual([])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder, 'data'))).mode & 0o007).toBe(0)
  })

  test('at a terminal it prints three lines, which work when pasted', async () => {
    const terminal = onTerminal(`'${process.execPath}' '${QUIRE}' serve --site '${SITE}' --port 0`, folder)
    await terminal.sees('Lantern')
    await terminal.sees('{"title":"Hello"}\'\r\n')
    expect(terminal.screen).toContain(`stored in ${join(folder, 'data/admin-key')}`)
    const [list = '', search = '', post = '', ...rest] = curlLines(terminal.screen)
    expect(rest).toEqual([])
    expect(await answerOf(list)).toMatchObject({ pages: 12, currentPage: 1, total: 24 })
    expect((await answerOf(search)).total).toBeGreaterThan(0)
    posted = await answerOf(post)
    expect(posted).toMatchObject({ title: 'Hello', slug: 'hello', aposMode: 'published', _edit: true })
    terminal.type('\u0003')
    expect(await terminal.ended()).toBe(0)
  })

  test('§4.1 what anonymous callers see is projected, with authors and topics filled in', async () => {
    const { results } = await answerOf(`curl -sS '${first.address}/api/v1/article?slug=the-ferry-that-waits-for-bread'`)
    expect(results[0]).toMatchObject({
      section: 'report',
      minutes: 1,
      _topics: [{ title: 'Rivers' }, { title: 'Cities' }],
    })
    expect(results[0]._authors[0]).toMatchObject({ title: 'Ines Moreau', town: 'Nantes' })
    expect(results[0]._authors[0]).not.toHaveProperty('email')
    expect(results[0]).not.toHaveProperty('note')
  })

  test('§4.3 articles have pictures, with files in all sizes', async () => {
    const { results } = await answerOf(`curl -sS '${first.address}/api/v1/article?slug=the-ferry-that-waits-for-bread'`)
    const [picture] = results[0]._image
    expect(picture).toMatchObject({ title: 'Bread on the ferry', attachment: { width: 1280, height: 800 } })
    const response = await fetch(first.address + picture.attachment._urls['one-third'])
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  })

  test('§4.5 French is at /fr, and a query of the site’s own filters', async () => {
    expect((await answerOf(`curl -sS '${first.address}/fr/api/v1/article'`)).total).toBe(12)
    const { results } = await answerOf(`curl -sS '${first.address}/fr/api/v1/article?topics=cuisine&sort=date'`)
    expect(results.map((article: { title: string }) => article.title)).toContain('Le registre des bocaux')
    expect((await answerOf(`curl -sS '${first.address}/api/v1/article?year=2025'`)).total).toBe(4)
  })

  test('§4.2b the magazine is there to be read, in both languages, with its style and without scripts', async () => {
    const read = async (path: string) => {
      const response = await fetch(first.address + path)
      return { status: response.status, text: await response.text() }
    }
    const home = await read('/')
    expect(home.status).toBe(200)
    expect(home.text).toContain('<a href="/articles/the-ferry-that-waits-for-bread">The ferry that waits for bread</a>')
    expect(home.text).not.toMatch(/<script|\son\w+=/)
    const [style = ''] = /\/lantern-\w+\.css/.exec(home.text) ?? []
    expect((await read(style)).text).toContain(':root')
    expect((await read('/fr/articles/le-bac-qui-attend-le-pain')).text).toContain('Yann prendra sa retraite')
    expect(await read('/nowhere')).toMatchObject({
      status: 404,
      text: expect.stringContaining('There is no light here'),
    })
  })

  test('drafts and waiting changes are for people with a key', async () => {
    const drafts = `${first.address}/api/v1/article?aposMode=draft`
    expect(await answerOf(`curl -sS '${drafts}'`)).toMatchObject({ name: 'unauthorized' })
    const { total, results } = await answerOf(`curl -sS '${drafts}&perPage=50&apikey='$(cat data/admin-key)`)
    expect(total).toBe(27)
    const modified = results.filter((article: { modified?: boolean }) => article.modified)
    expect(modified).toHaveLength(4)
  })

  test('SIGTERM ends it', async () => {
    expect(await first.stop()).toMatchObject({ code: 0 })
  })

  test('a restart keeps the content, says where the key is, and shows it no more', async () => {
    const key = (await readFile(join(folder, 'data/admin-key'), 'utf8')).trim()
    const again = await serve(folder, SITE)
    expect(again.printed).not.toContain('Writing')
    expect(again.printed).not.toContain(key)
    expect(again.printed).toContain(`"adminKey":"${join(folder, 'data/admin-key')}"`)
    const read = `curl -sS '${again.address}/api/v1/article/${posted._id}'`
    expect(await answerOf(read)).toMatchObject({ title: 'Hello' })
    await again.stop()
  })

  test('keys of the environment work, and no key of the folder is made', async () => {
    const other = await mkdtemp(join(tmpdir(), 'quire-keys-'))
    const service = await serve(other, TINY_SITE, { QUIRE_API_KEYS: `editor:${ROBOT_KEY}:Robot` })
    expect(service.printed).not.toContain('adminKey')
    const saved = await answerOf(
      `curl -sS '${service.address}/api/v1/note?apikey=${ROBOT_KEY}' -H 'Content-Type: application/json' -d '{"title":"Trains"}'`,
    )
    expect(saved).toMatchObject({ slug: 'trains', updatedBy: { title: 'Robot' } })
    expect(saved.updatedBy._id).not.toContain(createHash('sha256').update(ROBOT_KEY).digest('hex').slice(0, 12))
    await service.stop()
    await rm(other, { recursive: true })
  })

  const MISTAKES = [
    [{ PORT: 'eighty' }, 'PORT must be a whole number'],
    [{ QUIRE_API_KEYS: 'admin:secret' }, 'QUIRE_API_KEYS, entry 1: the key is too short. Use at least 32 random'],
    [{ QUIRE_EXTERNAL_FRONT_KEY: 'secret' }, 'QUIRE_EXTERNAL_FRONT_KEY: the key is too short.'],
    [{ QUIRE_API_KEYS: 'boss:secret' }, 'the role must be one of guest, contributor, editor, admin'],
    [{ QUIRE_DATABASE: 'mysql://localhost/x' }, 'use sqlite:path/of/file.db or postgres://'],
  ] as const
  test.each(sample(MISTAKES, 1))('a mistake in the environment is refused in a sentence: %o', async (env, message) => {
    const { code, err } = await quire(folder, ['serve', '--site', TINY_SITE], env)
    expect(code).toBe(1)
    expect(err).toContain(message)
    expect(err).not.toMatch(/\n +at |secret/)
  })

  test('a taken port is refused in a sentence', async () => {
    const service = await serve(folder, SITE)
    const { code, err } = await quireProcess(folder, ['serve', '--site', SITE, '--port', new URL(service.address).port])
    expect(code).toBe(1)
    expect(err).toContain('Another program is listening there.')
    await service.stop()
  })

  test('a newer database than the program is refused with a clear message', async () => {
    const newer = await mkdtemp(join(tmpdir(), 'quire-newer-'))
    expect(await quire(newer, ['migrate'])).toMatchObject({ code: 0 })
    const database = new DatabaseSync(join(newer, 'data/quire.db'))
    database.exec(`update meta set value = '999' where name = 'version'`)
    database.close()
    const { code, err } = await quire(newer, ['serve', '--site', TINY_SITE])
    expect(code).toBe(1)
    expect(err).toContain('A newer program has been using it')
    expect(err).not.toMatch(/\n +at /)
    await rm(newer, { recursive: true })
  })
})

describe('quire reindex', () => {
  test('a lost index is rebuilt, with progress', async () => {
    const database = new DatabaseSync(join(folder, 'data/quire.db'))
    database.exec('delete from entries')
    database.close()
    const { code, out, err } = await quire(folder, ['reindex', '--site', SITE])
    expect(code).toBe(0)
    expect(err).toMatch(/Indexing: 100 %\n$/)
    expect(out).toMatch(/^Indexed \d+ copies of documents\.\n$/)
    const service = await serve(folder, SITE)
    expect((await answerOf(`curl -sS '${service.address}/api/v1/article?topics=night'`)).total).toBe(5)
    await service.stop()
  })
})

describe('quire check', () => {
  test('a good site is praised', async () => {
    const { code, out } = await quire(folder, ['check', '--site', SITE])
    expect({ code, out }).toEqual({ code: 0, out: 'Lantern has no mistakes: 8 types, 2 locales.\n' })
    const file = fileURLToPath(new URL('./small-site.test-fixture.ts', import.meta.url))
    await writeFile(
      file,
      `import { defineSite, piece } from 'quire-cms'
       export const site = defineSite({ types: [piece('book')] })`,
    )
    const small = await quire(folder, ['check', '--site', file]).finally(() => rm(file))
    expect(small.out).toMatch(/ has no mistakes: 1 type, 1 locale\.\n$/)
  })

  test('a broken site shows every mistake at once with its key path', async () => {
    const file = fileURLToPath(new URL('./broken-site.test-fixture.ts', import.meta.url))
    await writeFile(
      file,
      `import { defineSite, piece } from 'quire-cms'
       const note: object = piece('note', {
         publicApiProjection: ['titel'] as never,
         fields: { add: { stars: { type: 'integer', min: 9, max: 3 }, _topics: { type: 'relationship', withType: 'topik' } } },
       })
       export const site = defineSite({ types: [note] as never })`,
    )
    const { code, err } = await quire(folder, ['check', '--site', file]).finally(() => rm(file))
    expect(code).toBe(1)
    expect(err).toContain('types.note.publicApiProjection')
    expect(err).toContain('types.note.fields.add.stars')
    expect(err).toContain('types.note.fields.add._topics')
    expect(err).not.toMatch(/\n +at /)
    const other = file.replace('broken', 'unread')
    await writeFile(
      other,
      `import { defineSite, page } from 'quire-cms'
       const templates = new URL('./templates', import.meta.url)
       export const site = defineSite({ templates, types: [page('note', { template: 'pages/note.njk' })] })`,
    )
    const unread = await quire(folder, ['check', '--site', other]).finally(() => rm(other))
    expect(unread.code).toBe(1)
    expect(unread.err).toContain('types.note.template: there is no file "pages/note.njk"')
  })

  test('a missing file and a module without a site are reported plainly', async () => {
    expect((await quire(folder, ['check'])).err).toContain('There is no site.ts or site.js in this folder.')
    expect((await quire(folder, ['check', '--site', 'nothing.ts'])).err).toContain('There is no file nothing.ts.')
    await writeFile(join(folder, 'empty.mjs'), 'export const other = 1')
    expect((await quire(folder, ['check', '--site', 'empty.mjs'])).err).toContain(
      'must export the result of defineSite',
    )
    await writeFile(join(folder, 'broken.ts'), 'export const site = defineSite({\n  types: [\n')
    const broken = await quire(folder, ['check', '--site', 'broken.ts'])
    expect(broken.err).toContain('broken.ts')
    expect(broken.err).toContain('SyntaxError')
    expect(broken.err).not.toMatch(/\n +at /)
    await writeFile(join(folder, 'lacking.ts'), "import './broken'\n")
    expect((await quire(folder, ['check', '--site', 'lacking.ts'])).err).toContain(
      'Imports need the extension: broken.ts',
    )
  })

  test.each([
    [['check', '--sitte', 'x'], 'There is no option --sitte; did you mean "--site"? This command has --site'],
    [['serve', '-p'], 'There is no option -p. This command has --site, --port'],
    [['sreve', '--port', '0'], 'There is no command "sreve"; did you mean "serve"? See quire --help.'],
    [['key', 'crate'], 'There is no command "key crate"; did you mean "create"? See quire key --help.'],
    [['shop'], 'There is no command "shop". See quire --help.'],
    [['check', 'site.ts'], 'This command has no place for: site.ts'],
  ])('%j is refused in words', async (args, message) => {
    const { out, err, code } = await quire(folder, args)
    expect({ out, code }).toEqual({ out: '', code: 1 })
    expect(err).toContain(`quire: ${message}`)
  })
})

describe('quire key', () => {
  test('§5.5 a key is made, listed, used and revoked', async () => {
    const made = await quire(folder, ['key', 'create', '--role', 'editor', '--name', 'CI', '--expires', '2099-01-01'])
    const id = /Key (\S+) \(editor, “CI”\)/.exec(made.err)?.[1] ?? ''
    const key = made.out.trim()
    expect(key).toMatch(/^[\w-]{43}$/)
    const listed = await quire(folder, ['key', 'list'])
    expect(listed.out).toMatch(new RegExp(`^${id} +editor +until 2099-01-01 .* CI$`, 'm'))
    expect(listed.out).not.toContain(key)
    const service = await serve(folder, SITE)
    const drafts = `curl -sS '${service.address}/api/v1/topic?aposMode=draft' -H 'Authorization: Bearer ${key}'`
    expect((await answerOf(drafts)).total).toBe(8)
    expect((await quire(folder, ['key', 'revoke', id])).out).toContain('is revoked')
    await expect.poll(() => answerOf(drafts)).toMatchObject({ name: 'unauthorized' })
    await service.stop()
    expect((await quire(folder, ['key', 'revoke', id])).code).toBe(1)
  })

  test('wrong use is reported plainly', async () => {
    const wrong = (...more: string[]) => quire(folder, ['key', 'create', '--name', 'x', ...more])
    expect((await wrong('--role', 'boss')).err).toContain('guest, contributor, editor, admin')
    expect((await wrong('--role', 'editor', '--expires', 'soon')).err).toContain('must be a date such as 2027-01-01')
    expect((await wrong('--role', 'editor', '--expires', '2020-01-01')).err).toContain('--expires is in the past')
  })
})
