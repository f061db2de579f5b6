import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Ended, quire } from '../cms/test/command.ts'
import { npm, openInstalled, type Packed, pack, runNode, writeAll } from '../cms/test/installed.ts'
import { onTerminal } from '../cms/test/pseudo-terminal.ts'
import { isWhole, sample } from '../cms/test/sample.ts'

// `npm create quire` as it is published: packed in a fresh copy of the repository, and run in folders outside of it.

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TEMPLATES = ['empty', 'magazine', 'festival']
/** The templates whose types are checked here; `npm run check` knows most of them, too. */
const typeChecked = sample(TEMPLATES, 1)
/** The sites find the sources of the package. */
const SOURCES = { NODE_OPTIONS: '--conditions=quire-source' }

let below: string
let packed: Packed
let command: string
beforeAll(async () => {
  below = await mkdtemp(join(tmpdir(), 'quire-create-'))
  packed = await pack('create-quire', below)
  await promisify(execFile)('tar', ['-xzf', packed.tarball, '-C', below])
  command = join(below, 'package/bin/create-quire.js')
}, 180_000)
afterAll(() => rm(below, { recursive: true }))

const create = (...args: readonly string[]): Promise<Ended> => runNode(below, [command, ...args])
const read = (...path: readonly string[]) => readFile(join(below, ...path), 'utf8')

test('the package holds the program and its templates, and nothing else', () => {
  const KNOWN = /^(package\.json|README\.md|LICENSE|bin\/create-quire\.js|dist\/main\.js|dist\/templates\/.+)$/
  expect(packed.files.filter((file) => !KNOWN.test(file))).toEqual([])
  const tests = packed.files.filter((file) => file.endsWith('.test.ts'))
  expect(tests.toSorted()).toEqual(TEMPLATES.map((name) => `dist/templates/${name}/site.test.ts`).toSorted())
})

describe.each(TEMPLATES)('a site from the template %s', (template) => {
  let folder: string
  beforeAll(async () => {
    folder = join(below, `a-${template}`)
    expect(await create(folder, '--template', template, '--yes', '--no-install')).toMatchObject({ code: 0 })
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  })

  test('has no mistakes', async () => {
    expect(await quire(folder, ['check'])).toMatchObject({ err: '', code: 0 })
  })

  test.runIf(typeChecked.includes(template))('has no type errors', async () => {
    // The test of the package checks its declarations.
    const sources = ['--customConditions', 'quire-source', '--lib', 'es2024,esnext.iterator', '--skipLibCheck']
    const { node } = openInstalled(folder)
    expect(await node(['node_modules/typescript/bin/tsc', ...sources, '--checkers', '1'])).toMatchObject({
      out: '',
      code: 0,
    })
  })

  test('passes its own first test', async () => {
    const { out, code } = await openInstalled(folder).node(['--test', '--test-isolation=none'], SOURCES)
    expect({ out, code }).toEqual({ out: expect.stringMatching(/tests 1\n[\s\S]*pass 1\n/), code: 0 })
  })
})

test('a site has a name, settings of its own, and the versions that the repository is tested with', async () => {
  const { out } = await create('Über uns!', '--yes', '--no-install', '--database', 'postgres')
  expect(out).toMatch(/Next:\n {2}cd "Über uns!" && npm install\n {2}npm run dev .*\n {2}npm test .*\n$/)
  expect(await read('Über uns!', '.env')).toContain('QUIRE_DATABASE=postgres://localhost/u_ber_uns')
  expect(await read('Über uns!', '.gitignore')).toContain('.env')
  expect(await read('Über uns!', 'README.md')).toContain('# Über uns!')
  const { name, scripts, dependencies, devDependencies } = JSON.parse(await read('Über uns!', 'package.json'))
  expect(name).toBe('u-ber-uns')
  // Older versions of Node.js find no test and say that all is well; the check says which version is needed.
  expect(scripts.test).toBe('quire check && node --test')
  const [repository, cms] = await Promise.all(
    ['package.json', 'cms/package.json'].map(async (file) => JSON.parse(await readFile(join(ROOT, file), 'utf8'))),
  )
  const { typescript, '@types/node': node } = repository.devDependencies
  expect(devDependencies).toEqual({ typescript: `^${typescript}`, '@types/node': `^${node}` })
  expect(dependencies).toEqual({ 'quire-cms': `^${cms.version}`, zod: cms.dependencies.zod })
})

test('what is not said is asked for, and taken back by Ctrl+C', async () => {
  const line = `'${process.execPath}' '${command}' --no-install`
  const terminal = onTerminal(line, below)
  await terminal.sees('Folder of the new site (my-site): ')
  terminal.type('asked\r')
  await terminal.sees('Template:')
  await terminal.sees('Name or number (1): ')
  terminal.type('shop\r')
  await terminal.sees('Name or number (1): ')
  terminal.type('3\r')
  await terminal.sees('Database:')
  terminal.type('\r')
  await terminal.sees('cd asked && npm install')
  expect(await terminal.ended()).toBe(0)
  expect(await read('asked', 'site.ts')).toContain("piece('concert'")
  expect(await read('asked', '.env')).toContain('sqlite:data/quire.db')
  const other = onTerminal(line, below)
  await other.sees('Folder of the new site (my-site): ')
  other.type('\x03')
  await other.sees('Nothing was made.')
  expect(await other.ended()).toBe(1)
})

test('a folder in which something is stays as it is', async () => {
  await mkdir(join(below, 'full'))
  await writeAll(join(below, 'full'), { 'notes.txt': 'mine' })
  expect(await create('full', '--yes')).toMatchObject({ code: 1, err: expect.stringContaining('full is not empty') })
  expect(await create('full/notes.txt', '--yes')).toMatchObject({ code: 1, err: expect.stringContaining('is a file') })
  expect(await read('full', 'notes.txt')).toBe('mine')
})

test('a repository without files is an empty folder', async () => {
  await mkdir(join(below, 'cloned/.git'), { recursive: true })
  expect(await create('cloned', '--yes', '--no-install')).toMatchObject({ code: 0, err: '' })
  expect(await read('cloned', 'package.json')).toContain('"name": "cloned"')
})

test('a folder that cannot be made is reported in words', async () => {
  const { code, err } = await create('x'.repeat(300), '--yes', '--no-install')
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^The site cannot be written\. .*\n$/) })
})

test('an installation that fails is reported, and is no success; the site is there', async () => {
  const { out, err, code } = await runNode(below, [command, 'offline', '--yes'], {
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_cache: join(below, 'no-cache'),
    npm_config_fetch_retries: '0',
  })
  expect(code).toBe(1)
  expect(err).toMatch(/\nThe site is made, but npm install failed in it: see above\.\n$/)
  expect(out).toContain('cd offline && npm install')
  expect(await read('offline', 'package.json')).toContain('"name": "offline"')
})

test.each([
  [['--template', 'shop'], '--template must be one of empty, magazine, festival, not “shop”.'],
  [['--template', 'magasine'], 'festival, not “magasine”; did you mean "magazine"?'],
  [['--database', 'toString'], '--database must be one of sqlite, postgres'],
  [['one', 'two'], 'Name one folder, not 2'],
  [['--colour'], "Unknown option '--colour'\nSee npm create quire -- --help."],
])('%j is refused in words', async (args, message) => {
  expect(await create(...args, '--yes', '--no-install')).toMatchObject({
    code: 1,
    err: expect.stringContaining(message),
  })
})

test.runIf(isWhole).each(TEMPLATES)(
  'npm installs, checks and tests a site from the template %s',
  async (template) => {
    const { tarball } = await pack('quire-cms', await mkdtemp(join(below, 'pack-')))
    const folder = join(below, `b-${template}`)
    onTestFinished(() => rm(folder, { recursive: true }))
    await create(folder, '--template', template, '--yes', '--no-install')
    await npm(folder, ['install', '--prefer-offline', tarball])
    await npm(folder, ['run', 'check'])
    expect(await npm(folder, ['test'])).toContain('pass 1')
  },
  240_000,
)
