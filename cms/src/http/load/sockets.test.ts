import { once } from 'node:events'
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http'
import { connect } from 'node:net'
import { json as jsonOf, text as textOf } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { raw, testRoute, testServer } from '../../../test/http-server.ts'
import { isWhole } from '../../../test/sample.ts'
import { Reply } from '../requests/route.ts'

const save = testRoute({ method: 'POST', path: '/api/v1/save', handle: async (_, { body }) => ({ body }) })
const slow = testRoute({ path: '/api/v1/slow', handle: async () => wait(200, { done: true }) })
const echo = testRoute({ path: '/api/v1/echo', handle: async (_, { query }) => ({ query }) })

/** Status and body of an answer as it came over the socket. */
function readAnswer(text: string) {
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])
  return { status, body: JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as unknown }
}

const agent = new Agent({ keepAlive: true })
const JSON_HEADERS = { 'content-type': 'application/json' }

/** Sends a target that is not made tidy first, as `fetch` would. */
async function sent(address: string, options: RequestOptions, body: string) {
  const call = request(address, { agent, ...options }).end(body)
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  const status = response.statusCode ?? 0
  const isPage = response.headers['content-type']?.startsWith('text/html') === true
  return { status, isPage, body: isPage ? await textOf(response) : await jsonOf(response) }
}

describe('§0.10 what is no proper HTTP is refused as JSON', () => {
  test.each<[string, string, number, string]>([
    ['no HTTP', 'nonsense\r\n\r\n', 400, 'invalid'],
    ['a bad header', 'GET /api/v1/echo HTTP/1.1\r\nHost: a\r\nBad Header: x\r\n\r\n', 400, 'invalid'],
    [
      'two lengths',
      'POST /api/v1/save HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      400,
      'invalid',
    ],
    ['too long a head', `GET /api/v1/echo HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(50_000)}\r\n\r\n`, 413, 'toolarge'],
    [
      'a length and chunks',
      'POST /api/v1/save HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'invalid',
    ],
  ])('%s', async (_, text, status, name) => {
    const { address } = await testServer([save, echo])
    expect(readAnswer(await raw(address, text))).toEqual({
      status,
      body: { name, message: expect.any(String), data: {} },
    })
  })

  test('two Authorization headers are unauthorized', async () => {
    const { address } = await testServer([echo])
    const keys = 'Authorization: Bearer editor\r\nAuthorization: Bearer admin\r\n'
    const text = `GET /api/v1/echo HTTP/1.1\r\nHost: a\r\n${keys}Connection: close\r\n\r\n`
    expect(readAnswer(await raw(address, text))).toMatchObject({ status: 401, body: { name: 'unauthorized' } })
  })

  test('an absolute target is fine', async () => {
    const { address } = await testServer([echo])
    const text = 'GET http://example.org/api/v1/echo?a=1 HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n'
    expect(readAnswer(await raw(address, text))).toEqual({ status: 200, body: { query: { a: '1' } } })
  })

  test.each([
    ['HTTP/1.1\r\n', 400],
    ['HTTP/1.1\r\nHost: a\r\nHOST: b\r\n', 400],
    ['HTTP/1.1\r\nHost: a\r\nHost: a\r\n', 400],
    ['HTTP/1.1\r\nHost:\r\n', 200],
    ['HTTP/1.0\r\n', 200],
  ])('a request has one Host header, but in HTTP/1.0 need not: %j is %i', async (head, status) => {
    const { address } = await testServer([echo])
    for (const path of ['/api/v1/echo', ...(status === 400 ? ['/', '/uploads/x', '/api/v1/nothing'] : [])]) {
      const answer = readAnswer(await raw(address, `GET ${path} ${head}Connection: close\r\n\r\n`))
      expect(answer).toMatchObject({ status, body: status === 400 ? { name: 'invalid', data: {} } : { query: {} } })
    }
  })
})

describe('§0.10 limits', () => {
  test('a chunked body that grows too large is refused while it comes', async () => {
    const { address } = await testServer([save])
    const head =
      'POST /api/v1/save HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
    const chunk = `${(50_000).toString(16)}\r\n${'x'.repeat(50_000)}\r\n`
    expect(readAnswer(await raw(address, head, chunk, chunk, chunk))).toMatchObject({
      status: 413,
      body: { name: 'toolarge' },
    })
  })

  test('an announced length that is too large is refused before it comes', async () => {
    const { address } = await testServer([save])
    const head =
      'POST /api/v1/save HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 200000\r\n\r\n'
    expect(readAnswer(await raw(address, head))).toMatchObject({ status: 413, body: { name: 'toolarge' } })
  })

  test('a body or a head that never ends is given up', async () => {
    const { address } = await testServer([save], { timeouts: { headers: 100, request: 300 } })
    const head =
      'POST /api/v1/save HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'
    expect(await raw(address, head)).toMatch(/^(HTTP\/1\.1 400|$)/)
    expect(readAnswer(await raw(address, 'GET /api/v1/echo HTTP/1.1\r\nHost: a\r\nX-Slow:'))).toMatchObject({
      status: 400,
    })
  })

  test('a URL of 8,000 characters is read', async () => {
    const { call } = await testServer([echo])
    const text = 'é'.repeat(660)
    const response = await call(`/api/v1/echo?a=${encodeURIComponent(text)}&b=${encodeURIComponent(text)}`)
    expect(await response.json()).toEqual({ query: { a: text, b: text } })
  })
})

describe('§0.10 random requests', () => {
  test('never make a 500 or change a prototype', async () => {
    const { address } = await testServer([echo, save])
    const words = [
      '/api/v1/echo',
      '/api/v1/save',
      '?',
      '&',
      '=',
      '[',
      ']',
      '%',
      '%00',
      '__proto__',
      'aposMode',
      'apikey',
    ]
    const more = ['constructor', '{', '}', '"', ':', ',', '1', '__aposGetWithQuery', '//', '..', '\\', '+', '#']
    const random = (most: number) => {
      const all = [...words, ...more]
      return Array.from({ length: Math.random() * most }, () => all[Math.floor(Math.random() * all.length)]).join('')
    }
    for (let round = 0; round < (isWhole ? 2_000 : 500); round += 1) {
      const url = `${round % 3 === 0 ? '/' : '/api/v1/echo?'}${random(10)}`
      const read = await sent(address, { method: 'GET', path: url }, '')
      expect(read.status, url).toBeLessThan(500)
      // Outside the interface, a path that is not properly encoded is refused as a page is.
      expect(read.body, url).toBeTypeOf(read.isPage && !url.startsWith('/api/') ? 'string' : 'object')
      const body = `{"__aposGetWithQuery":${random(8)}}`
      const written = await sent(address, { method: 'POST', path: url, headers: JSON_HEADERS }, body)
      expect(written.status, body).toBeLessThan(500)
    }
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})

describe('answers on a connection', () => {
  const words = 'word '.repeat(1000)
  const long = testRoute({ path: '/api/v1/long', cached: true, handle: async () => ({ words }) })
  const framed = testRoute({
    path: '/api/v1/framed',
    cached: true,
    handle: async () => new Reply({}, { 'CONTENT-SECURITY-POLICY': 'sandbox', 'Content-length': '2' }),
  })
  const get = (path: string, version: string, more = '') => `GET ${path} HTTP/${version}\r\nHost: a\r\n${more}\r\n`
  const END = 'Connection: close\r\n'

  test('requests that are sent without waiting are answered in their order, from the cache as well', async () => {
    const { address } = await testServer([echo, long])
    const paths = ['/api/v1/echo?n=1', '/api/v1/long', '/api/v1/long', '/api/v1/echo?n=2', '/api/v1/long?n=3']
    for (let round = 0; round < 2; round += 1) {
      const text = await raw(address, paths.map((path) => get(path, '1.1')).join(''), get('/api/v1/echo', '1.1', END))
      const bodies = text.split(/HTTP\/1\.1 200 OK\r\n.*?\r\n\r\n/s).slice(1)
      expect(bodies.map((body) => JSON.parse(body))).toEqual([
        { query: { n: '1' } },
        { words },
        { words },
        { query: { n: '2' } },
        { words },
        { query: {} },
      ])
    }
  })

  test('HTTP/1.0 gets all of an answer, then the end of its connection', async () => {
    const { address } = await testServer([long])
    for (const accepted of ['', '', 'Accept-Encoding: gzip\r\n', 'Accept-Encoding: gzip\r\n']) {
      const { hostname, port } = new URL(address)
      const socket = connect(Number(port), hostname)
      socket.write(get('/api/v1/long', '1.0', accepted))
      const bytes = Buffer.concat(await socket.toArray())
      const start = bytes.indexOf('\r\n\r\n') + 4
      const head = bytes.toString('latin1', 0, start)
      expect(head).not.toContain('transfer-encoding')
      const body = accepted === '' ? bytes.subarray(start) : gunzipSync(bytes.subarray(start))
      expect(JSON.parse(String(body))).toEqual({ words })
    }
  })

  test('headers of a route take the place of the default ones, in whatever letters', async () => {
    const { address } = await testServer([framed])
    for (const method of ['GET', 'GET', 'HEAD']) {
      const text = await raw(address, `${method} /api/v1/framed HTTP/1.1\r\nHost: a\r\n${END}\r\n`)
      const names = [...text.matchAll(/^([\w-]+): /gm)].map(([, name]) => name?.toLowerCase())
      expect(new Set(names).size).toBe(names.length)
      expect(text.toLowerCase()).toContain('\r\ncontent-security-policy: sandbox\r\n')
      expect(text.toLowerCase()).toContain('\r\ncontent-length: 2\r\n')
    }
  })
})

describe('connections', () => {
  test('callers that go away break nothing', async () => {
    const { call, lines, address } = await testServer([slow, save, echo], { timeouts: { close: 50 } })
    const calls = Array.from({ length: 20 }, () => call('/api/v1/slow', { signal: AbortSignal.timeout(20) }))
    await Promise.allSettled(calls)
    const head =
      'POST /api/v1/save HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'
    await Promise.race([raw(address, head), wait(50)])
    await wait(250)
    expect((await call('/api/v1/echo')).status).toBe(200)
    expect(lines).toEqual([])
  })

  test('closing finishes what runs', async () => {
    const begun = Promise.withResolvers<void>()
    const handle = async () => {
      begun.resolve()
      return wait(200, { done: true })
    }
    const { call, server, address } = await testServer([testRoute({ path: '/api/v1/slow', handle })])
    const running = call('/api/v1/slow')
    await begun.promise
    const closing = server.close()
    expect(await (await running).json()).toEqual({ done: true })
    await closing
    await expect(fetch(`${address}/api/v1/slow`)).rejects.toThrow()
  })

  test('closing waits only so long', async () => {
    const never = testRoute({ path: '/api/v1/never', handle: () => new Promise(() => {}) })
    const { call, server } = await testServer([never], { timeouts: { close: 50 } })
    const running = call('/api/v1/never')
    await wait(50)
    await Promise.all([server.close(), expect(running).rejects.toThrow()])
  })
})
