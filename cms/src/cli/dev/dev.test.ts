import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Developing, type SiteFolder, siteFolder, startIn } from '../../../test/developing.ts'
import { onTerminal } from '../../../test/pseudo-terminal.ts'
import { isWhole, some } from '../../../test/sample.ts'

const article = (fields: string) =>
  `import { piece } from 'quire-cms'
export const article = piece('article', { publicApiProjection: ['title', 'year'], fields: { add: { ${fields} } } })
`
const YEAR = "year: { type: 'integer', min: 1450 }"
const SITE = `import { defineSite } from 'quire-cms'
import { article } from './types/article.ts'
export const site = defineSite({ name: 'Shelf', types: [article] })
`
const FILES = { 'site.ts': SITE, 'types/article.ts': article(YEAR) }
const DEV = ['dev', '--port', '0']
const [SIGNAL = 'SIGINT'] = some(['SIGINT', 'SIGTERM'] as const, 1)

const isThere = (address: string) =>
  fetch(address).then(
    () => true,
    () => false,
  )

/** The name of the site that is served. */
async function titleOf(address: string): Promise<string> {
  const answer = await fetch(`${address}/api/v1/openapi.json`)
  const { info } = (await answer.json()) as { info: { title: string } }
  return info.title
}

/** The status of the list of articles. */
const statusOf = async (address: string) => (await fetch(`${address}/api/v1/article`)).status

/** A site that prints what it finds in its environment, and when its service ends. */
const siteOf = (name: string) => `import { defineSite, page } from 'quire-cms'
import { article } from './types/article.ts'
export const site = defineSite({
  name: '${name}',
  types: [article, page('@cms/home-page', { template: 'home.njk', fields: { add: {} } })],
  templates: new URL('./templates', import.meta.url),
  fastify: (app) => { app.addHook('onClose', async () => console.error('closed')) },
})
console.error(\`motto \${process.env.MOTTO}, \${process.env.REAL}\`)
`

// One command serves one site; each test changes it further.
describe('quire dev', () => {
  const closing: (() => Promise<void>)[] = []
  let folder: SiteFolder
  let dev: Developing
  beforeAll(async () => {
    const files = {
      'site.ts': siteOf('Shelf'),
      'types/article.ts': article(YEAR),
      'templates/home.njk': '<p>Before</p>',
      '.env': 'MOTTO="first"\nREAL=file\n',
    }
    const atEnd = (close: () => Promise<void>) => void closing.unshift(close)
    folder = await siteFolder(files, atEnd)
    for (const name of ['xdg-open', 'open']) {
      await folder.write(`bin/${name}`, '#!/bin/sh\necho "$1" > opened\n')
      await chmod(join(folder.path, 'bin', name), 0o755)
    }
    const environment = {
      QUIRE_ADMIN_USERNAME: 'ada',
      QUIRE_ADMIN_PASSWORD: 'a-long-password',
      QUIRE_DATABASE: 'sqlite:content.db',
      REAL: 'environment',
      PATH: `${join(folder.path, 'bin')}:${process.env.PATH}`,
    }
    dev = startIn(folder, [...DEV, '--open'], environment, atEnd)
    await dev.says('motto first, environment')
    await dev.says('The site is served at')
  })
  afterAll(async () => {
    for (const close of closing) await close()
  })

  test('--open opens the site in the browser', async () => {
    await expect.poll(() => readFile(join(folder.path, 'opened'), 'utf8').catch(() => '')).toBe(`${dev.address}/\n`)
  })

  test('it restarts when a module of the site changes, and says which; a login outlasts it', async () => {
    const { address } = dev
    const login = await fetch(`${address}/api/v1/@cms/login/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: address },
      body: JSON.stringify({ username: 'ada', password: 'a-long-password', session: true }),
    })
    const [cookie = ''] = login.headers.getSetCookie().map((text) => text.split(';')[0])
    await folder.write('types/article.ts', article(`${YEAR}, pages: { type: 'integer' }`))
    await dev.says('types/article.ts changed: restarting')
    const whoami = await fetch(`${address}/api/v1/@cms/login/whoami`, { headers: { cookie } })
    expect(await whoami.json()).toMatchObject({ username: 'ada' })
    await dev.says('Ready in')
    const description = await fetch(`${address}/api/v1/openapi.json`, { headers: { cookie } })
    expect(JSON.stringify(await description.json())).toContain('"pages":')
  })

  test('requests that come while it restarts wait, and are answered by the new service', async () => {
    for (const name of isWhole ? ['One', 'Two', 'Three'] : ['One']) {
      await folder.write('site.ts', siteOf(name))
      await dev.says('site.ts changed: restarting')
      const answers = await Promise.all(Array.from({ length: 5 }, () => titleOf(dev.address)))
      expect(answers).toEqual(Array(5).fill(name))
      await dev.says('Ready in')
    }
  })

  test('it stays alive while the site has a mistake, shows it with its file and key path, and mends with the next save', async () => {
    await folder.write('types/article.ts', article("year: { type: 'integer', min: 'x' }"))
    await dev.says('site.ts: The site')
    await dev.says('types.article.fields.add.year.min: must be a number')
    const page = await fetch(dev.address)
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
    expect(await page.text()).toContain('types.article.fields.add.year.min: must be a number')
    const answer = await fetch(`${dev.address}/api/v1/article`)
    expect(await answer.json()).toMatchObject({ name: 'unavailable', message: expect.stringContaining('year.min') })

    await folder.write('types/article.ts', `${article(YEAR)}}`)
    await dev.says('types/article.ts:3')
    await dev.says('SyntaxError')
    await folder.write('types/article.ts', `${article(YEAR)}throw new Error('<b>not yet</b>')`)
    await dev.says('Error: <b>not yet</b>\n      at types/article.ts:3:7')
    expect(dev.said).not.toMatch(/importModule|cms\/src/)
    expect(await (await fetch(dev.address)).text()).toContain('&lt;b&gt;not yet&lt;/b&gt;')
    await folder.write('types/article.ts', article(YEAR))
    await dev.says('Ready in')
    expect(await statusOf(dev.address)).toBe(200)
  })

  test('while the site module is gone, answers say so; it is served again once it is back', async () => {
    await rename(join(folder.path, 'site.ts'), join(folder.path, 'other.ts'))
    await dev.says('There is no site.ts or site.js in this folder.')
    await dev.says('Save a file of the site')
    const answer = await fetch(`${dev.address}/api/v1/article`)
    expect(await answer.json()).toMatchObject({ name: 'unavailable', message: expect.stringContaining('no site.ts') })
    await rename(join(folder.path, 'other.ts'), join(folder.path, 'site.ts'))
    await dev.says('Ready in')
    expect(await statusOf(dev.address)).toBe(200)
  })

  test('editors that write by rename, and several files at once, cause one restart', async () => {
    const before = dev.said.length
    for (const [name, text] of [
      ['site.ts', siteOf('Renamed')],
      ['types/article.ts', article("year: { type: 'integer' }")],
    ] as const) {
      await writeFile(join(folder.path, `${name}~`), text)
      await rename(join(folder.path, name), join(folder.path, `${name}.old`))
      await rename(join(folder.path, `${name}~`), join(folder.path, name))
    }
    await dev.says('1 more changed: restarting')
    await dev.says('Ready in')
    expect(await titleOf(dev.address)).toBe('Renamed')
    expect(dev.said.slice(before).match(/restarting/g)).toHaveLength(1)
  })

  test('what the service writes, and files that the site does not use, cause none', async () => {
    const before = dev.said.length
    const key = (await readFile(join(folder.path, 'data/admin-key'), 'utf8')).trim()
    for (let number = 0; number < 10; number += 1) {
      const inserted = await fetch(`${dev.address}/api/v1/article`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: '{"title":"Hello"}',
      })
      expect(inserted.status).toBe(200)
    }
    await folder.write('notes.ts', 'export {}')
    await folder.write('types/notes.txt', 'Notes')
    await folder.write('site.ts', siteOf('Other'))
    await dev.says('Ready in')
    const restarts = dev.said.slice(before).match(/.*restarting/g)
    expect(restarts).toEqual([expect.stringMatching(/ {2}site\.ts changed: restarting$/)])
  })

  test('.env is read again, and the environment itself wins', async () => {
    await folder.write('.env', 'MOTTO=second\nREAL=file\n')
    await dev.says('.env changed: restarting')
    await dev.says('motto second, environment')
    await dev.says('Ready in')
  })

  test('a changed template is shown without a restart', async () => {
    expect(await (await fetch(dev.address)).text()).toContain('<p>Before</p>')
    await folder.write('templates/home.njk', '<p>After</p>')
    await dev.says('templates/home.njk changed: shown from now on')
    expect(await (await fetch(dev.address)).text()).toContain('<p>After</p>')
  })

  test('one line tells of each request, without secrets and, away from a terminal, without colours', async () => {
    await fetch(`${dev.address}/api/v1/article?perPage=2&apikey=wrong-key`)
    await dev.says('GET    /api/v1/article?perPage=2  401')
    await fetch(`${dev.address}/api/v1/article`)
    await dev.says('GET    /api/v1/article  200')
    expect(dev.said).not.toContain('wrong-key')
    expect(dev.said).not.toContain('\u001b')
    expect(dev.said).toMatch(/\d\d:\d\d:\d\d {2}GET {4}\/api\/v1\/article {2}200 {2}[\d.]+ ms {2}\d+ B\n/)
  })

  test('a port that is taken and a site that is not there are refused at once', async () => {
    const second = startIn(folder, ['dev', '--port', new URL(dev.address).port])
    await second.says('Another program is listening there')
    const third = startIn(folder, ['dev', '--site', 'nowhere.ts'])
    await third.says('There is no file nowhere.ts')
  })

  test(`${SIGNAL} ends it gracefully, and frees the port`, async () => {
    const before = dev.said.length
    expect(await dev.end(SIGNAL)).toBe(0)
    expect(dev.said.slice(before)).toContain('closed')
    expect(await isThere(dev.address)).toBe(false)
  })
})

test('a site with a mistake from the start is served once it is mended; a service that ends by itself is reported, and starts again with the next save', async () => {
  const bomb = `${SITE}if (process.env.BOMB) setTimeout(() => { throw new Error('bomb') }, 1500)\n`
  const broken = bomb.replace('./types/article.ts', './types/missing.ts')
  const folder = await siteFolder({ 'site.ts': broken, '.env': '' })
  const dev = startIn(folder, DEV)
  await dev.says("Cannot find module 'types/missing.ts' imported from site.ts")
  await folder.write('types/missing.ts', article(YEAR))
  await dev.says('The site is served at')
  expect(await statusOf(dev.address)).toBe(200)
  await folder.write('.env', 'BOMB=1')
  await dev.says('The service has ended with code 1.')
  expect((await fetch(dev.address)).status).toBe(503)
  await folder.write('.env', '')
  await dev.says('Ready in')
  expect(await statusOf(dev.address)).toBe(200)
})

test('when it is killed, the service that it started ends by itself', async () => {
  const folder = await siteFolder({ ...FILES, 'site.ts': `${SITE}console.error(\`id \${process.pid}.\`)\n` })
  const dev = startIn(folder, DEV)
  await dev.says('The site is served at')
  const id = Number(/id (\d+)\./.exec(dev.said)?.[1])
  await dev.end('SIGKILL')
  await expect.poll(() => isRunning(id)).toBe(false)
})

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch {
    return false
  }
}

test('on a terminal the log is coloured', async () => {
  const folder = await siteFolder(FILES)
  const command = new URL('../../../bin/quire.js', import.meta.url).pathname
  const keys = `admin:${'k'.repeat(32)}`
  const line = `${process.execPath} ${command} dev --port 0`
  const terminal = onTerminal(line, folder.path, { QUIRE_API_KEYS: keys })
  await terminal.sees('Try it')
  await folder.write('site.ts', SITE.replace('Shelf', 'Other'))
  await terminal.sees('\u001b[36msite.ts changed: restarting')
  await terminal.sees('Ready in')
  terminal.type('\u0003')
  await terminal.ended()
})
