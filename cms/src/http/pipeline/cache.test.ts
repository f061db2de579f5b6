import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { storeOf, testRoute, testServer } from '../../../test/http-server.ts'
import { CacheMemory } from '../../base/bounded-cache.ts'
import { notFound } from '../../base/errors.ts'
import { JoinedBytes, SharedBytes } from '../../engine/shared-bytes.ts'
import { Changes } from '../../store/contract/store.ts'
import { Reply } from '../requests/route.ts'
import type { Answer } from './answer.ts'
import { AnswerCache } from './cache.ts'

/** A route that counts how often it ran, and content that a test can change. */
async function countingServer(given: { maxAge?: number; wait?: number } = {}) {
  const changes = new Changes()
  const state = { runs: 0, isKnown: true, failing: false, change: () => changes.note(null) }
  const counted = testRoute({
    path: '/api/v1/counted/:_id',
    cached: true,
    maxAge: given.maxAge ?? null,
    handle: async ({ locale }, { query }) => {
      state.runs += 1
      const run = state.runs
      await wait(given.wait ?? 0)
      if (state.failing) throw notFound()
      return new Reply({ run, locale, page: query.page ?? null }, { ETag: '"revision"' })
    },
  })
  const { call } = await testServer([counted], {
    store: storeOf(() => (state.isKnown ? changes : null)),
  })
  const run = async (path: string, init?: RequestInit) => {
    const response = await call(`/api/v1/counted/${path}`, init)
    return ((await response.json()) as { run: number }).run
  }
  return { state, call: (path: string, init?: RequestInit) => call(`/api/v1/counted/${path}`, init), run }
}

describe('§0.7 Caching', () => {
  test('an anonymous caller’s second GET is answered from memory until the content changes', async () => {
    const { state, run } = await countingServer()
    expect([await run('a'), await run('a'), await run('a?page=2'), await run('a')]).toEqual([1, 1, 2, 1])
    state.change()
    expect([await run('a'), await run('a')]).toEqual([3, 3])
  })

  test('hits and misses, GET and HEAD, have the same headers', async () => {
    const { call, state } = await countingServer()
    const headersOf = async (method: string) => {
      const { headers } = await call('a', { method })
      return Object.fromEntries(
        [...headers].filter(([name]) => !['date', 'x-request-id', 'connection', 'keep-alive'].includes(name)),
      )
    }
    const first = await headersOf('GET')
    expect(first).toMatchObject({
      'cache-control': 'public, no-cache',
      vary: 'Authorization, Cookie, X-Requested-With, Apos-External-Front-Key, X-Apos-Static-Base-Url',
    })
    expect(first.etag).toMatch(/^"[\w-]{27}"$/)
    expect([await headersOf('GET'), await headersOf('HEAD')]).toEqual([first, first])
    expect(state.runs).toBe(1)
  })

  test('a type may allow others to keep it', async () => {
    const { call } = await countingServer({ maxAge: 60 })
    expect((await call('a')).headers.get('cache-control')).toBe('public, max-age=60')
  })

  test('If-None-Match: the same, one of a list, weak, and any are 304', async () => {
    const { call, state } = await countingServer()
    const tag = (await call('a')).headers.get('etag') ?? ''
    for (const known of [tag, `"x", ${tag}`, `W/${tag}`, '*']) {
      const response = await call('a', { headers: { 'if-none-match': known } })
      expect(response.status).toBe(304)
      expect(await response.text()).toBe('')
      expect(response.headers.get('etag')).toBe(tag)
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
    }
    expect((await call('a', { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
    state.isKnown = false
    state.runs = 0
    expect((await call('a', { headers: { 'if-none-match': tag } })).status).toBe(304)
  })

  test('one hundred at once run the route once', async () => {
    const { run, state } = await countingServer({ wait: 50 })
    const runs = await Promise.all(Array.from({ length: 100 }, () => run('a')))
    expect([state.runs, new Set(runs)]).toEqual([1, new Set([1])])
  })

  test('who asks after a change is not given work that began before it', async () => {
    const { run, state } = await countingServer({ wait: 50 })
    const before = run('a')
    while (state.runs === 0) await wait(1)
    state.change()
    expect([await run('a'), await before, await run('a')]).toEqual([2, 1, 2])
  })

  test('nothing is cached or shared while it is unknown what was changed', async () => {
    const { run, state } = await countingServer({ wait: 20 })
    state.isKnown = false
    expect(new Set(await Promise.all([run('a'), run('a')]))).toEqual(new Set([1, 2]))
    state.isKnown = true
    expect([await run('a'), await run('a')]).toEqual([3, 3])
  })

  test('failures are not cached', async () => {
    const { call, run, state } = await countingServer()
    state.failing = true
    const response = await call('a')
    expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store'])
    state.failing = false
    expect(await run('a')).toBe(2)
  })

  test('each role has its own answers, whichever key and way of sending it; nobody keeps them', async () => {
    const { call, run, state } = await countingServer()
    const withKey = (role: string) => ({ headers: { authorization: `Bearer ${role}` } })
    expect([await run('a'), await run('a', withKey('editor')), await run('a', withKey('admin'))]).toEqual([1, 2, 3])
    expect([await run('a?apikey=editor'), await run('a?apiKey=admin'), await run('a')]).toEqual([2, 3, 1])
    const { headers } = await call('a', withKey('editor'))
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('vary')).toBe('Authorization, Cookie')
    expect(headers.get('etag')).toBe('"revision"')
    expect(state.runs).toBe(3)
  })

  test('a wrong or disguised key is never answered from the cache', async () => {
    const { call } = await countingServer()
    await call('a')
    await call('a?%61pikey=editor')
    expect((await call('a?apikey=wrong')).status).toBe(401)
    expect((await call('a', { headers: { authorization: 'Basic x' } })).status).toBe(401)
    expect((await call('a?%61pikey=editor')).headers.get('cache-control')).toBe('no-store')
  })

  test('locales of the path have different answers', async () => {
    const { state } = await countingServer()
    const { call } = await testServer([
      testRoute({ path: '/api/v1/x', cached: true, handle: async ({ locale }) => ({ locale }) }),
    ])
    for (const [path, locale] of [
      ['/api/v1/x', 'en'],
      ['/fr/api/v1/x', 'fr'],
      ['/api/v1/x', 'en'],
    ] as const) {
      expect(await (await call(path)).json()).toEqual({ locale })
    }
    expect(state.runs).toBe(0)
  })
})

describe('answers in memory', () => {
  const answer = (bytes: number, rest: Partial<Answer> = {}) => {
    return async () => ({ status: 200, headers: {}, body: Buffer.alloc(bytes), ...rest })
  }

  test('are bounded in bytes', async () => {
    const changes = new Changes()
    const cache = new AnswerCache(() => changes, new CacheMemory(100_000))
    for (const key of ['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd', 'e', 'e']) await cache.fill(key, answer(20_000))
    expect(['a', 'b', 'e'].map((key) => cache.get(key) !== undefined)).toEqual([false, true, true])
  })

  test('are not pushed out by what is asked for once', async () => {
    const changes = new Changes()
    const cache = new AnswerCache(() => changes, new CacheMemory(100_000))
    for (const key of ['a', 'b', 'c', 'c']) await cache.fill(key, answer(20_000))
    for (let count = 0; count < 1_000; count += 1) await cache.fill(`once ${count}`, answer(20_000))
    expect(['a', 'b', 'c', 'once 999'].map((key) => cache.get(key) !== undefined)).toEqual([true, true, true, false])
  })

  test('are joined when they are asked for again, and take the memory that is then theirs alone', async () => {
    const changes = new Changes()
    const memory = new CacheMemory(1_000_000)
    const cache = new AnswerCache(() => changes, memory)
    const shared = new SharedBytes('x'.repeat(50_000))
    const body = () => new JoinedBytes(['[', shared, ',', shared, ']'])
    for (const key of ['a', 'b']) await cache.fill(key, async () => ({ status: 200, headers: {}, body: body() }))
    const before = memory.size.bytes
    const [first, second] = [cache.get('a')?.body, cache.get('a')?.body]
    expect(first).toEqual(body().bytes())
    expect(second).toBe(first)
    // The other one still holds the shared bytes.
    expect(memory.size.bytes - before).toBeGreaterThan(99_000)
    expect(memory.size.bytes - before).toBeLessThan(100_100)
    changes.note(null)
    expect(cache.get('a')).toBeUndefined()
  })

  test('are for all: no streams, nothing for one caller, nothing but what was found', async () => {
    const changes = new Changes()
    const cache = new AnswerCache(() => changes, new CacheMemory(100_000))
    await cache.fill('stream', answer(0, { body: Readable.from(['a']) }))
    await cache.fill('personal', answer(1, { isPersonal: true }))
    await cache.fill('redirect', answer(1, { status: 302 }))
    await cache.fill('ours', answer(1))
    expect(['stream', 'personal', 'redirect', 'ours'].map((key) => cache.get(key)?.status)).toEqual([
      undefined,
      undefined,
      undefined,
      200,
    ])
  })
})
