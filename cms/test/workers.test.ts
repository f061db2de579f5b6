import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { quire } from './command.ts'
import { sampledDatabases, type TestDatabases, testDatabases } from './databases.ts'
import { callerOf } from './service.ts'
import { SERVING_KEYS, type Serving, serve } from './serving.ts'

/** What a busy machine may add. */
const SLACK_MS = 3_000
const SOON = { timeout: 100_000, interval: 20 }
const COMMAND = fileURLToPath(new URL('../bin/quire.js', import.meta.url))

/** A service of so many workers, and where it tells its metrics. */
interface Group extends Serving {
  readonly databaseUrl: string
  /** The processes that answered, by their metrics: worker number → process id is not told, so their starts. */
  starts(): Promise<ReadonlyMap<string, number>>
  metric(name: string, labels?: string): Promise<number>
}

/** For one test. */
async function startGroup(databases: TestDatabases, environment?: Readonly<Record<string, string>>): Promise<Group> {
  const group = await openGroup(databases, environment)
  onTestFinished(() => group.drop())
  return group
}

async function openGroup(databases: TestDatabases, environment: Readonly<Record<string, string>> = {}) {
  const database = await databases.createReady()
  const serving = await serve(database.url, { QUIRE_WORKERS: '2', ...environment })
  const lines = async () => {
    const headers = { authorization: `ApiKey ${SERVING_KEYS.admin}` }
    const text = await (await fetch(`${serving.address}/api/v1/metrics`, { headers })).text()
    return text.split('\n').filter((line) => !line.startsWith('#'))
  }
  const group = {
    ...serving,
    drop: async () => {
      await serving.end('SIGKILL')
      await database.drop()
    },
    databaseUrl: database.url,
    starts: async () =>
      new Map(
        (await lines()).flatMap((line) => {
          const [, worker, start] = /^process_start_time_seconds\{worker="(\d+)"\} (\S+)/.exec(line) ?? []
          return worker === undefined ? [] : [[worker, Number(start)] as const]
        }),
      ),
    metric: async (name: string, labels = '') =>
      (await lines())
        .filter((line) => line.startsWith(name) && line.includes(labels))
        .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0),
  }
  await vi.waitUntil(async () => (await group.starts()).size === 2, { timeout: 50_000 })
  return group
}

/** A request on a connection of its own, which goes to the next worker. */
function ask(address: string, path: string, key: string | null = null): Promise<Response> {
  const headers = { connection: 'close', ...(key === null ? {} : { authorization: `ApiKey ${key}` }) }
  return fetch(`${address}/api/v1/${path}`, { headers })
}

describe.each(testDatabases)('§0.11 several workers on $name', { timeout: 60_000 }, (databases) => {
  let group: Awaited<ReturnType<typeof openGroup>>
  beforeAll(async () => {
    group = await openGroup(databases, { QUIRE_DRAIN_SECONDS: '2' })
  })
  afterAll(() => group?.drop())

  it('serve on one address, each its share', async () => {
    for (let number = 0; number < 20; number += 1) expect((await ask(group.address, 'health')).status).toBe(200)
    const served = (worker: string) =>
      group.metric('quire_http_requests_total{route="/api/v1/health"', `worker="${worker}"`)
    expect(await served('1')).toBeGreaterThanOrEqual(5)
    expect(await served('2')).toBeGreaterThanOrEqual(5)
  })

  it('show each write in the next request, whichever of them answers it', async () => {
    const editor = callerOf(group.address, SERVING_KEYS.editor, null)
    const { body } = await editor.post('topic', { title: 'First' })
    for (let round = 0; round < 15; round += 1) {
      const written = await fetch(`${group.address}/api/v1/topic/${body._id}`, {
        method: 'PATCH',
        headers: {
          connection: 'close',
          authorization: `ApiKey ${SERVING_KEYS.editor}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ title: `Round ${round}` }),
      })
      const revision = written.headers.get('quire-revision') ?? ''
      expect(written.status).toBe(200)
      for (let reader = 0; reader < 2; reader += 1) {
        const headers = { connection: 'close', 'quire-revision': revision }
        const read = await fetch(`${group.address}/api/v1/topic/${body.aposDocId}`, { headers })
        expect(await read.json()).toMatchObject({ title: `Round ${round}` })
      }
    }
  })

  it('count failures to sign in together, and refuse a revoked credential at once', async () => {
    const attempt = () =>
      fetch(`${group.address}/api/v1/@cms/login/login`, {
        method: 'POST',
        headers: { connection: 'close', 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'nobody', password: 'wrong' }),
      })
    const statuses = []
    for (let number = 0; number < 8; number += 1) statuses.push((await attempt()).status)
    expect(statuses.slice(0, 5)).not.toContain(429)
    expect(statuses.slice(5)).toEqual([429, 429, 429])

    const { key, id } = await createKey(group.databaseUrl)
    for (let number = 0; number < 6; number += 1) expect((await ask(group.address, 'topic', key)).status).toBe(200)
    await quire(tmpdir(), ['key', 'revoke', id], { QUIRE_DATABASE: group.databaseUrl })
    for (let number = 0; number < 6; number += 1) expect((await ask(group.address, 'topic', key)).status).toBe(401)
  })

  it('answer that they are not ready, all of them, while they drain, and stop together', async () => {
    const ended = group.end('SIGTERM')
    await expect.poll(async () => (await ask(group.address, 'ready')).status, { interval: 20 }).toBe(503)
    for (let number = 0; number < 6; number += 1) {
      expect((await ask(group.address, 'ready')).status).toBe(503)
      expect((await ask(group.address, 'health')).status).toBe(200)
    }
    expect(await ended).toBe(0)
    await expect(ask(group.address, 'health')).rejects.toThrow()
  })
})

describe.each(sampledDatabases('workers'))('§0.11 workers on $name', { timeout: 240_000 }, (databases) => {
  it('one that dies is started again, while the other answers', async () => {
    const group = await startGroup(databases)
    const before = await group.starts()
    const [victim = 0] = await childrenOf(group.processId)
    process.kill(victim, 'SIGKILL')
    const health = () => ask(group.address, 'health').then(({ status }) => status)
    const answers = await Promise.allSettled(Array.from({ length: 12 }, health))
    // Connections that are handed to it before its end is noticed are lost.
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(6)
    await expect.poll(() => group.metric('quire_worker_restarts_total').catch(() => 0)).toBe(1)
    for (let number = 0; number < 12; number += 1) expect(await health()).toBe(200)
    await expect.poll(() => group.metric('quire_workers')).toBe(2)
    const after = await group.starts()
    expect([...before].filter(([worker, start]) => after.get(worker) === start)).toHaveLength(1)
    // Whichever worked in the background: what is saved now is found in the index without a search.
    await callerOf(group.address, SERVING_KEYS.editor, null).post('topic', { title: 'Saved after it' })
    await expect.poll(() => group.metric('quire_search_waiting_documents')).toBe(0)
    expect(await group.end('SIGTERM')).toBe(0)
  })

  it('one that freezes is noticed within five seconds and replaced, and no request hangs', async () => {
    const group = await startGroup(databases)
    const [victim = 0] = await childrenOf(group.processId)
    process.kill(victim, 'SIGSTOP')
    const frozen = Date.now()
    let replaced = 0
    const answers: Promise<{ readonly status: number | null; readonly ms: number }>[] = []
    while (replaced === 0 && Date.now() - frozen < 20_000) {
      const began = Date.now()
      const answered = ask(group.address, 'topic').then(({ status }) => status)
      answers.push(answered.catch(() => null).then((status) => ({ status, ms: Date.now() - began })))
      await pause(100)
      if (!(await childrenOf(group.processId)).includes(victim)) replaced = Date.now() - frozen
    }
    expect(replaced).toBeLessThan(5_000 + SLACK_MS)
    await expect.poll(() => group.metric('quire_workers')).toBe(2)
    const all = await Promise.all(answers)
    // A connection of the frozen one is closed with it.
    expect(all.filter(({ status }) => ![200, 503, null].includes(status))).toEqual([])
    expect(all.filter(({ status }) => status === null).length).toBeLessThanOrEqual(2)
    expect(Math.max(...all.map(({ ms }) => ms))).toBeLessThan(5_000 + SLACK_MS)
  })

  it('the last one that listens dies while another one starts: they are found at the same address again', async () => {
    const group = await startGroup(databases)
    const [first = 0, second = 0] = await childrenOf(group.processId)
    process.kill(first, 'SIGKILL')
    const isNew = (worker: number) => worker !== first && worker !== second
    await expect.poll(async () => (await childrenOf(group.processId)).some(isNew), { ...SOON, interval: 5 }).toBe(true)
    process.kill(second, 'SIGKILL')
    const statusNow = () =>
      ask(group.address, 'health').then(
        ({ status }) => status,
        () => null,
      )
    await expect.poll(statusNow, SOON).toBe(200)
    await expect.poll(() => group.metric('quire_workers').catch(() => null), SOON).toBe(2)
    for (let number = 0; number < 10; number += 1) expect((await ask(group.address, 'health')).status).toBe(200)
  })

  it('that die all at once, again and again, leave one that listens', async () => {
    const group = await startGroup(databases)
    for (let round = 0; round < 5; round += 1) {
      for (const worker of await childrenOf(group.processId)) process.kill(worker, 'SIGKILL')
      await expect.poll(async () => (await childrenOf(group.processId)).length, SOON).toBeGreaterThan(0)
      await expect
        .poll(
          () =>
            ask(group.address, 'health').then(
              ({ status }) => status,
              () => null,
            ),
          SOON,
        )
        .toBe(200)
    }
  })

  it('one that hangs when they stop is ended, too', async () => {
    const group = await startGroup(databases, { QUIRE_STOP_SECONDS: '0' })
    const workers = await childrenOf(group.processId)
    expect(workers).toHaveLength(2)
    process.kill(workers[0] ?? 0, 'SIGSTOP')
    expect(await group.end('SIGTERM')).toBe(1)
    for (const worker of workers) expect(() => process.kill(worker, 0)).toThrow('ESRCH')
  })

  it('ends as a whole, with its message, where a site cannot start', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-workers-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, 'site.js'), 'export const site = { types: [] ')
    const { code, printed } = await command(['serve', '--workers', '3', '--site', 'site.js'], 'sqlite:x.db', folder)
    expect(code).toBe(1)
    expect(printed).toBe('quire: SyntaxError: Unexpected end of input\n')
  })

  it('refuses a number of workers that is none', async () => {
    const { code, printed } = await command(['serve', '--workers', 'many'], 'sqlite:x.db')
    expect(code).toBe(1)
    expect(printed).toMatch(/--workers must be a whole number from 1 to 128, or auto, not “many”/)
  })
})

async function childrenOf(processId: number): Promise<number[]> {
  const child = spawn('ps', ['-o', 'pid=', '--ppid', String(processId)], { stdio: ['ignore', 'pipe', 'ignore'] })
  return (await printedBy(child)).split('\n').filter(Boolean).map(Number)
}

async function command(args: readonly string[], databaseUrl: string, cwd = tmpdir()) {
  const env = { ...process.env, QUIRE_DATABASE: databaseUrl, NO_COLOR: '1' }
  const child = spawn(process.execPath, [COMMAND, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit') as Promise<[number | null]>
  const printed = await printedBy(child)
  const [code] = await ended
  return { code, printed }
}

async function printedBy(child: ChildProcess): Promise<string> {
  let text = ''
  const read = (part: Buffer) => {
    text += part
  }
  child.stdout?.on('data', read)
  child.stderr?.on('data', read)
  await once(child, 'close')
  return text
}

async function createKey(databaseUrl: string): Promise<{ readonly key: string; readonly id: string }> {
  const variables = { QUIRE_DATABASE: databaseUrl }
  const made = await quire(tmpdir(), ['key', 'create', '--role', 'editor', '--name', 'of a worker'], variables)
  const key = made.out.trim()
  const listed = await quire(tmpdir(), ['key', 'list'], variables)
  const [, id = ''] = /^(\w{26}) .*of a worker/m.exec(listed.out) ?? []
  expect([key.length, id.length]).toEqual([43, 26])
  return { key, id }
}
