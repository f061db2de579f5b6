import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const SERVE = fileURLToPath(new URL('./serve.ts', import.meta.url))
const START_MS = 30_000

describe('the reference site as it is served', () => {
  let folder: string
  let child: ChildProcess
  let address: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-conformance-'))
    const env = { ...process.env, PORT: '0', QUIRE_DATA: folder, QUIRE_SEED: '1', QUIRE_ARTICLE_PUBLIC: '1' }
    child = spawn(process.execPath, [SERVE], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    address = await addressOf(child)
  })
  afterAll(async () => {
    child.kill('SIGKILL')
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
})

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
