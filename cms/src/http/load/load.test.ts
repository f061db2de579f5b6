import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { json, testRoute, testServer } from '../../../test/http-server.ts'
import { CacheMemory } from '../../base/bounded-cache.ts'
import { forbidden, unauthorized } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { Reply } from '../requests/route.ts'

const MEGABYTE = 1024 * 1024

/** Sends some bytes on a connection of its own, which stays open. */
async function sent(address: string, ...parts: readonly (string | Buffer)[]): Promise<Socket> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  for (const part of parts) socket.write(part)
  return socket
}

/** Status and headers of the next answer. */
async function head(socket: Socket): Promise<string> {
  const [bytes] = (await once(socket, 'data')) as [Buffer]
  return bytes.toString('latin1')
}

const post = (path: string, headers: string) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`
const announced = (bytes: number) => `Content-Length: ${bytes}`
const CHUNKED = 'Transfer-Encoding: chunked'

describe('§0 permission first, body later', () => {
  const onlyAdmins = ({ actor }: Context) => {
    if (actor.kind === 'anonymous') throw unauthorized()
    if ('role' in actor && actor.role !== 'admin') throw forbidden()
  }
  const routes = [
    testRoute({ method: 'POST', path: '/api/v1/save', permit: onlyAdmins, handle: async () => ({ saved: true }) }),
    testRoute({ method: 'POST', path: '/api/v1/list', permit: onlyAdmins, handle: async () => ({ saved: true }) }),
    testRoute({ path: '/api/v1/list', handle: async (_, { query }) => ({ query }) }),
    testRoute({ path: '/api/v1/read', handle: async (_, { query }) => ({ query }) }),
    testRoute({ method: 'POST', path: '/api/v1/open', handle: async () => ({ open: true }) }),
  ]
  const site = {
    anonymousBodyLimit: 1_000,
    limits: {
      bodyBytes: 100_000,
      uploadBytes: 100_000,
      perPage: 500,
      ids: 500,
      depth: 20,
      crops: 100,
      imageMemory: 600_000_000,
    },
  }

  test.each([
    ['/api/v1/save', announced(50_000), 401],
    ['/api/v1/save?apikey=editor', announced(50_000), 403],
    ['/api/v1/save?apikey=wrong', announced(50_000), 401],
    ['/api/v1/save', CHUNKED, 401],
    ['/api/v1/list', announced(1_001), 401],
    ['/api/v1/list?apikey=editor', announced(1_001), 403],
    ['/api/v1/read', announced(1_001), 413],
    ['/api/v1/open', announced(1_001), 413],
    ['/api/v1/open?apikey=editor', announced(100_001), 413],
    ['/api/v1/nothing', announced(50_000), 404],
    ['/elsewhere', announced(50_000), 404],
    ['/uploads/x', announced(50_000), 405],
  ])('POST %s with %s is refused before a byte of it came: %i', async (path, headers, status) => {
    const { address } = await testServer(routes, { site })
    const socket = await sent(address, post(path, headers))
    expect(await head(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  test.each([
    ['/api/v1/list', 401],
    ['/api/v1/read', 413],
    ['/api/v1/open', 413],
  ])('POST %s is read to the limit of anonymous callers, and no further: %i', async (path, status) => {
    const { address } = await testServer(routes, { site })
    const chunk = `${(500).toString(16)}\r\n${' '.repeat(500)}\r\n`
    const socket = await sent(address, post(path, CHUNKED), chunk, chunk)
    const answer = head(socket)
    expect(await Promise.race([answer, pause(100, 'nothing yet')])).toBe('nothing yet')
    socket.write('1\r\n{\r\n')
    expect(await answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  test('who may not write may read by POST, and who may write may send more', async () => {
    const { call } = await testServer(routes, { site })
    const asGet = json({ __aposGetWithQuery: { page: 2 } })
    expect(await (await call('/api/v1/list', asGet)).json()).toEqual({ query: { page: '2' } })
    expect((await call('/api/v1/list', json({}))).status).toBe(401)
    const long = json({ text: 'x'.repeat(50_000) })
    expect((await call('/api/v1/save?apikey=admin', long)).status).toBe(200)
    expect((await call('/api/v1/open?apikey=guest', long)).status).toBe(200)
  })

  test('a body of too many properties is invalid, before it is parsed', async () => {
    const limits = { ...site.limits, bodyBytes: 16 * MEGABYTE }
    const { call } = await testServer(routes, { site: { limits } })
    const body = (count: number) => `{"a":[${'{"b":1},'.repeat(count - 2)}{"b":1}]}`
    const status = async (count: number) =>
      (await call('/api/v1/open?apikey=guest', { ...json({}), body: body(count) })).status
    expect([await status(250_000), await status(250_001)]).toEqual([200, 400])
    const quoted = JSON.stringify({ text: ':{[\\"'.repeat(100_000) })
    expect((await call('/api/v1/open?apikey=guest', { ...json({}), body: quoted })).status).toBe(200)
  })
})

describe('§0 what all callers together may hold', () => {
  test('bodies that have no room are refused, and those before them are not', async () => {
    const save = testRoute({ method: 'POST', path: '/api/v1/save', handle: async (_, { body }) => ({ body }) })
    const { address, call } = await testServer([save], { capacity: { bodyBytes: 50_000 } })
    const first = await sent(address, post('/api/v1/save', announced(40_002)), `{${' '.repeat(40_000)}`)
    const answered = async () => {
      const { status, headers } = await call('/api/v1/save', json({ text: 'x'.repeat(20_000) }))
      return [status, headers.get('retry-after')]
    }
    await expect.poll(answered).toEqual([503, '5'])
    expect((await call('/api/v1/save', json({ text: 'x'.repeat(5_000) }))).status).toBe(200)
    first.write('}')
    expect(await head(first)).toMatch(/^HTTP\/1.1 200 /)
    const gone = await sent(address, post('/api/v1/save', announced(40_002)), `{${' '.repeat(40_000)}`)
    await expect.poll(answered).toEqual([503, '5'])
    gone.destroy()
    await expect.poll(answered).toEqual([200, null])
  })

  test('§0 of bodies that arrive together, as many are read as there is room for, and only the others are refused', async () => {
    const save = testRoute({ method: 'POST', path: '/api/v1/save', handle: async () => ({ saved: true }) })
    const step = 6_000
    const { address } = await testServer([save], { capacity: { bodyBytes: 50 * step } })
    const sockets: Socket[] = []
    for (let count = 0; count < 10; count += 1) {
      sockets.push(await sent(address, post('/api/v1/save', announced(15 * step + 2)), `{${' '.repeat(8 * step)}`))
    }
    const heads = sockets.map(head)
    await Promise.race(heads)
    for (const part of [...Array(7).fill(' '.repeat(step)), '}']) {
      for (const socket of sockets) socket.write(part)
      await pause(5)
    }
    const answers = await Promise.all(heads)
    const refused = answers.filter((answer) => /^HTTP\/1.1 503 .*\r\nRetry-After: \d/is.test(answer))
    const saved = answers.filter((answer) => answer.startsWith('HTTP/1.1 200 '))
    expect([saved.length + refused.length, saved.length >= 3, refused.length >= 4]).toEqual([10, true, true])
  })

  test('requests wait for their turn; above a bound they are refused, but those that watch over the service', async () => {
    const ends: (() => void)[] = []
    const handle = () => new Promise((done) => ends.push(() => done({})))
    const { call } = await testServer(
      [
        testRoute({ path: '/api/v1/slow', handle }),
        testRoute({ method: 'POST', path: '/api/v1/save', handle: async () => ({}) }),
        testRoute({ path: '/api/v1/health', isUrgent: true, handle: async () => ({}) }),
      ],
      { capacity: { reads: 1, waiting: 2, waitMs: 60_000 } },
    )
    const running = [call('/api/v1/slow'), call('/api/v1/slow'), call('/api/v1/slow')]
    await expect.poll(() => ends.length).toBe(1)
    await expect.poll(async () => (await call('/api/v1/slow')).status).toBe(503)
    const refused = await call('/api/v1/slow')
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(await refused.json()).toMatchObject({ name: 'unavailable', message: expect.stringMatching(/Try again/) })
    expect((await call('/api/v1/health')).status).toBe(200)
    expect((await call('/api/v1/save', json({}))).status).toBe(200)
    for (let n = 0; n < 3; n += 1) {
      await expect.poll(() => ends.length).toBe(n + 1)
      ends[n]?.()
    }
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200, 200])
  })

  test('attempts to sign in take turns of their own, and no place of a write; above a bound they are refused', async () => {
    const ends: (() => void)[] = []
    const handle = () => new Promise((done) => ends.push(() => done({})))
    const { call } = await testServer(
      [
        testRoute({ method: 'POST', path: '/api/v1/sign-in', isSignIn: true, handle }),
        testRoute({ method: 'POST', path: '/api/v1/save', handle: async () => ({}) }),
      ],
      { capacity: { writes: 1, waitingSignIns: 3, waitMs: 60_000 } },
    )
    const attempts = Array.from({ length: 10 }, () => call('/api/v1/sign-in', json({})))
    const refused = (await Promise.all(attempts.map((one) => Promise.race([one, pause(1_000, null)])))).filter(
      (answer) => answer !== null,
    )
    expect(refused.map(({ status }) => status)).toEqual([429, 429, 429, 429, 429])
    expect(refused[0]?.headers.get('retry-after')).toBe('1')
    expect(await refused[0]?.json()).toMatchObject({ name: 'toomany', message: expect.stringContaining('signing in') })
    expect(ends).toHaveLength(2)
    expect((await call('/api/v1/save', json({}))).status).toBe(200)
    for (let n = 0; n < 5; n += 1) {
      await expect.poll(() => ends.length).toBeGreaterThan(n)
      ends[n]?.()
    }
    const statuses = (await Promise.all(attempts)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([...Array(5).fill(200), ...Array(5).fill(429)])
  })

  test('of many requests that come together, none runs before those that watch over the service', async () => {
    const ran: string[] = []
    const work = async () => void ran.push('read')
    const routes = [
      testRoute({ path: '/api/v1/read', handle: work }),
      testRoute({ path: '/health', isUrgent: true, handle: async () => void ran.push('health') }),
    ]
    const { address } = await testServer(routes)
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
    const sockets = await Promise.all(Array.from({ length: 40 }, () => sent(address, get('/health'))))
    await Promise.all(sockets.map(head))
    ran.length = 0
    const heads = sockets.map(head)
    for (const [index, socket] of sockets.entries()) socket.write(get(index < 39 ? '/api/v1/read' : '/health'))
    await Promise.all(heads)
    expect(ran).toHaveLength(40)
    expect(ran.indexOf('health')).toBe(0)
  })

  test('of many new connections, all are accepted before the work of the first is done', async () => {
    const ran: string[] = []
    const block = async () => {
      const end = performance.now() + 5
      while (performance.now() < end);
      ran.push('read')
    }
    const routes = [
      testRoute({ path: '/api/v1/read', handle: block }),
      testRoute({ path: '/health', isUrgent: true, handle: async () => void ran.push('health') }),
    ]
    const { address } = await testServer(routes)
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
    const paths = [...Array.from({ length: 100 }, () => '/api/v1/read'), '/health']
    await Promise.all(paths.map(async (path) => head(await sent(address, get(path)))))
    expect(ran).toHaveLength(101)
    expect(ran.indexOf('health')).toBeLessThan(20)
  })

  test('those that would wait too long are refused at once, those before them are answered', async () => {
    const slow = testRoute({ path: '/api/v1/slow', handle: () => pause(50, {}) })
    const { call } = await testServer([slow], { capacity: { reads: 1, waitMs: 2_000 } })
    const order: number[] = []
    const requests = Array.from({ length: 80 }, async () => {
      const { status, headers } = await call('/api/v1/slow')
      order.push(status)
      if (status === 503) expect(headers.get('retry-after')).toBe('5')
    })
    await Promise.all(requests)
    const first = order.indexOf(503)
    expect(first).toBeGreaterThanOrEqual(4)
    expect(order.slice(first).filter((status) => status === 200).length).toBeGreaterThan(8)
  })

  test('who waits too long is refused', async () => {
    let begun = 0
    const handle = () => {
      begun += 1
      return new Promise<never>(() => {})
    }
    const never = testRoute({ path: '/api/v1/never', handle })
    const capacity = { reads: 1, waitMs: 50 }
    const { call } = await testServer([never], { capacity, timeouts: { close: 10 } })
    const first = call('/api/v1/never')
    await expect.poll(() => begun, { interval: 5 }).toBe(1)
    expect((await call('/api/v1/never')).status).toBe(503)
    await Promise.race([first.catch(() => {}), pause(0)])
    first.catch(() => {})
  })

  const large = testRoute({ path: '/api/v1/large', handle: async () => new Reply(Buffer.alloc(32 * MEGABYTE)) })
  const get = 'GET /api/v1/large HTTP/1.1\r\nHost: a\r\n\r\n'

  test('no answer is made while too much waits for its readers', async () => {
    let made = 0
    const counted = {
      ...large,
      handle: async () => {
        made += 1
        return new Reply(Buffer.alloc(32 * MEGABYTE))
      },
    }
    const capacity = { unreadBytes: MEGABYTE, waitMs: 60_000, readMs: 60_000 }
    const { address, call } = await testServer([counted], { capacity })
    const unread = await Promise.all(Array.from({ length: 5 }, () => sent(address, get)))
    for (const socket of unread) socket.pause()
    await expect.poll(() => made).toBeGreaterThan(0)
    const waiting = call('/api/v1/large')
    await pause(200)
    const before = made
    expect(before).toBeLessThan(5)
    for (const socket of unread) socket.resume()
    expect((await waiting).status).toBe(200)
    expect(made).toBe(6)
  })

  test('a read whose answer may be long begins when those before it are sent, and holds up no other', async () => {
    let made = 0
    const long = testRoute({
      path: '/api/v1/long',
      isLong: ({ all }) => all === '1',
      handle: async () => {
        made += 1
        return new Reply(Buffer.alloc(32 * MEGABYTE))
      },
    })
    const small = testRoute({ path: '/api/v1/small', handle: async () => ({}) })
    const { address, call } = await testServer([long, small], { capacity: { waitMs: 60_000, readMs: 60_000 } })
    const stuck = await sent(address, 'GET /api/v1/long?all=1 HTTP/1.1\r\nHost: a\r\n\r\n')
    stuck.pause()
    await expect.poll(() => made).toBe(1)
    const waiting = [call('/api/v1/long?all=1&n=1'), call('/api/v1/long?all=1&n=2')]
    expect((await call('/api/v1/small')).status).toBe(200)
    expect((await call('/api/v1/long')).status).toBe(200)
    expect(made).toBe(2)
    stuck.resume()
    for (const answer of waiting) expect((await answer).status).toBe(200)
    expect(made).toBe(4)
  })

  test('readers who take too long are cut off when others wait because of them', async () => {
    const capacity = { unreadBytes: MEGABYTE, waitMs: 2_000, readMs: 100 }
    const { address, call } = await testServer([large], { capacity })
    const stuck = await sent(address, get)
    stuck.pause()
    await pause(200)
    expect((await call('/api/v1/large')).status).toBe(200)
  })

  test('an answer in the cache is counted once, however many read it', async () => {
    const capacity = { unreadBytes: 40 * MEGABYTE, waitMs: 50, readMs: 60_000 }
    const { address, call } = await testServer([{ ...large, cached: true }], {
      capacity,
      memory: new CacheMemory(200 * MEGABYTE),
    })
    expect((await call('/api/v1/large')).status).toBe(200)
    for (const socket of await Promise.all(Array.from({ length: 3 }, () => sent(address, get)))) socket.pause()
    await pause(100)
    expect((await call('/api/v1/large?other')).status).toBe(200)
  })
})
