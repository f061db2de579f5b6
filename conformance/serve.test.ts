import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampledDatabases, type TestDatabase } from '../cms/test/databases.ts'

const SERVE = fileURLToPath(new URL('./serve.ts', import.meta.url))
const START_MS = 50_000

/** Prints of each look into the answer cache whether the answer was there. */
const WATCH = `import { subscribe } from 'node:diagnostics_channel'
subscribe('quire.answers', ({ isHit }) => console.log(isHit ? 'from the cache' : 'not from the cache'))`

describe.each(sampledDatabases('conformance'))('the reference site as it is served on $name', ({ create }) => {
  let folder: string
  let database: TestDatabase
  let child: ChildProcess
  let address: string
  const start = async (settings: Readonly<Record<string, string>>) => {
    const variables = { QUIRE_DATABASE: database.url, QUIRE_ARTICLE_PUBLIC: '1', ...settings }
    child = serve(folder, variables, [`--import=data:text/javascript,${encodeURIComponent(WATCH)}`])
    address = await addressOf(child)
  }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-conformance-'))
    database = await create()
    await start({ QUIRE_SEED: '1' })
  })
  afterAll(async () => {
    child.kill('SIGKILL')
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  async function get(path: string, headers: Record<string, string> = {}) {
    const response = await fetch(`${address}/api/v1/${path}`, { headers })
    // `as`: what these routes answer, as far as it is looked at here.
    const body = (await response.json()) as { readonly total?: number; readonly results?: readonly unknown[] }
    return { status: response.status, body }
  }

  test.each(['admin', 'editor', 'contributor', 'guest'])('§5.4 has a key and a user for the role %s', async (role) => {
    const key = await get('@cms/login/whoami', { Authorization: `Bearer key-${role}` })
    expect(key).toMatchObject({ status: 200, body: { title: role, role } })
    const login = await fetch(`${address}/api/v1/@cms/login/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ username: role, password: `${role}-password-1` }),
    })
    const { token } = (await login.json()) as { readonly token: string }
    const user = await get('@cms/login/whoami', { Authorization: `Bearer ${token}` })
    expect(user).toMatchObject({ status: 200, body: { username: role, role } })
  })

  test('§4.6 takes the front-end key, and no other', async () => {
    const front = (key: string) => ({ 'X-Requested-With': 'AposExternalFront', 'Apos-External-Front-Key': key })
    expect(await get('topic?perPage=1', front('peer-front-key'))).toMatchObject({ status: 200 })
    const refused = await fetch(`${address}/api/v1/topic`, { headers: front('another') })
    expect([refused.status, await refused.text()]).toEqual([403, 'forbidden'])
  })

  test('§4.1 is seeded with articles and what belongs to them', async () => {
    const totals = ['article', 'topic', '@cms/image'].map(async (type) => (await get(`${type}?perPage=1`)).body.total)
    expect(await Promise.all(totals)).toEqual([1, 50, 20])
    const pages = await get('@cms/page?all=1&flat=1', { Authorization: 'Bearer key-admin' })
    expect(pages.body.results).toHaveLength(201)
  })

  test('§0 has the answer cache that the variables of the command name, and serves what is stored already', async () => {
    const lookups: string[][] = []
    for (const megabytes of ['usual', '0', '1']) {
      if (megabytes !== 'usual') {
        const ended = once(child, 'close')
        child.kill('SIGTERM')
        await ended
        await start({ QUIRE_CACHE_MB: megabytes })
      }
      const printed: string[] = []
      child.stdout?.on('data', (text) => printed.push(String(text)))
      for (let time = 0; time < 2; time += 1) await get('topic?perPage=2')
      expect((await get('topic?perPage=3')).body.total).toBe(50)
      await expect.poll(() => linesOf(printed)).toHaveLength(3)
      lookups.push(linesOf(printed))
    }
    const cached = ['not from the cache', 'from the cache', 'not from the cache']
    const uncached = ['not from the cache', 'not from the cache', 'not from the cache']
    expect(lookups).toEqual([cached, uncached, cached])
  })
})

function linesOf(printed: readonly string[]): string[] {
  return printed.join('').trim().split('\n')
}

test('§0 refuses a wrong value of a variable as the command does', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quire-conformance-'))
  const child = serve(folder, { QUIRE_CACHE_MB: 'much' }, [], 'pipe')
  let printed = ''
  child.stderr?.on('data', (text) => {
    printed += text
  })
  const [code] = await once(child, 'close')
  await rm(folder, { recursive: true, force: true })
  expect([code, printed]).toEqual([1, expect.stringContaining('QUIRE_CACHE_MB must be a whole number')])
})

function serve(
  folder: string,
  settings: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
  errors: 'inherit' | 'pipe' = 'inherit',
): ChildProcess {
  const env = { ...process.env, PORT: '0', QUIRE_DATA: folder, ...settings }
  return spawn(process.execPath, [...nodeOptions, SERVE], { env, stdio: ['ignore', 'pipe', errors] })
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ''
    const timer = setTimeout(() => reject(new Error(`The reference site did not start: ${printed}`)), START_MS)
    child.stdout?.on('data', (part) => {
      printed += part
      const [address] = /http:\/\/\S+(?=\. Its data)/.exec(printed) ?? []
      if (address === undefined) return
      clearTimeout(timer)
      resolve(address)
    })
  })
}
