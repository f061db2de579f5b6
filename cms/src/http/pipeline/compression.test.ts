import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { testRoute, testServer } from '../../../test/http-server.ts'
import { send } from '../../../test/wire.ts'
import { Reply } from '../requests/route.ts'
import { acceptedEncoding } from './compression.ts'

const LONG = { text: 'word '.repeat(1000) }
let runs = 0
const routes = [
  testRoute({
    path: '/api/v1/long/:_id',
    cached: true,
    handle: async () => {
      runs += 1
      return new Reply(LONG, { ETag: '"revision"' })
    },
  }),
  testRoute({ path: '/api/v1/middling', cached: true, handle: async () => ({ text: 'word '.repeat(500) }) }),
  testRoute({
    path: '/api/v1/page',
    handle: async () => new Reply('<p>word</p>'.repeat(1000), { 'Content-Type': 'text/html; charset=utf-8' }),
  }),
  testRoute({ path: '/api/v1/short', cached: true, handle: async () => ({ text: 'short' }) }),
  testRoute({
    path: '/api/v1/image',
    handle: async () => new Reply(Buffer.alloc(5000), { 'Content-Type': 'image/png' }),
  }),
  testRoute({ method: 'PUT', path: '/api/v1/long/:_id', handle: async (_, { ifMatch }) => ({ ifMatch }) }),
]

describe('§0.7 compressed answers', () => {
  const started = async () => {
    const { address } = await testServer(routes)
    return (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      send(address, { method, path, headers })
  }

  test('long answers come as the caller accepts them, each with an ETag of its own', async () => {
    const call = await started()
    const [br, zipped, plain] = await Promise.all(
      ['gzip, deflate, br', 'gzip;q=1.0, br;q=0', ''].map((accepted) =>
        call('/api/v1/long/a', accepted === '' ? {} : { 'accept-encoding': accepted }),
      ),
    )
    expect([br, zipped, plain].map((one) => one?.headers['content-encoding'])).toEqual(['br', 'gzip', undefined])
    expect(JSON.parse(String(brotliDecompressSync(br?.bytes ?? '')))).toEqual(LONG)
    expect(JSON.parse(String(gunzipSync(zipped?.bytes ?? '')))).toEqual(LONG)
    expect(JSON.parse(plain?.text ?? '')).toEqual(LONG)
    const tags = [br, zipped, plain].map((one) => String(one?.headers.etag))
    expect(tags).toEqual([
      tags[2]?.replace(/"$/, '-br"'),
      tags[2]?.replace(/"$/, '-gzip"'),
      expect.stringMatching(/^"[\w-]{27}"$/),
    ])
    for (const one of [br, zipped, plain])
      expect(one?.headers.vary).toBe(
        'Authorization, Cookie, X-Requested-With, Apos-External-Front-Key, X-Apos-Static-Base-Url, Accept-Encoding',
      )
    expect(Number(plain?.headers['content-length'])).toBe(plain?.bytes.length)
  })

  test('they come without a length, at which proxies that decompress them would cut them off', async () => {
    const call = await started()
    for (const method of ['GET', 'HEAD']) {
      const { headers } = await call('/api/v1/long/a', { 'accept-encoding': 'br' }, method)
      expect({ method, encoding: headers['content-encoding'], length: headers['content-length'] }).toEqual({
        method,
        encoding: 'br',
        length: undefined,
      })
    }
  })

  test('they are cached as they were sent, and If-None-Match knows each', async () => {
    const call = await started()
    const first = await call('/api/v1/long/b', { 'accept-encoding': 'br' })
    const before = runs
    const again = await call('/api/v1/long/b', { 'accept-encoding': 'br' })
    const head = await call('/api/v1/long/b', { 'accept-encoding': 'br' }, 'HEAD')
    expect(again.bytes.equals(first.bytes)).toBe(true)
    expect(head.headers['content-length']).toBe(first.headers['content-length'])
    const tag = String(first.headers.etag)
    const status = async (accepted: string) =>
      (await call('/api/v1/long/b', { 'accept-encoding': accepted, 'if-none-match': tag })).status
    expect([await status('br'), await status('gzip'), await status('identity')]).toEqual([304, 200, 200])
    expect(runs).toBe(before + 2)
  })

  test('short answers and pictures stay as they are', async () => {
    const call = await started()
    for (const path of ['/api/v1/short', '/api/v1/image']) {
      const { headers } = await call(path, { 'accept-encoding': 'br, gzip' })
      expect([headers['content-encoding'], headers.vary]).toEqual([
        undefined,
        'Authorization, Cookie, X-Requested-With, Apos-External-Front-Key, X-Apos-Static-Base-Url',
      ])
    }
  })

  test('keys and tokens in a header get them, sessions only from pages of this site: others could make them ask', async () => {
    const call = await started()
    const encodingFor = async (headers: Record<string, string>) =>
      (await call('/api/v1/long/c', { 'accept-encoding': 'br', ...headers })).headers['content-encoding']
    expect(await encodingFor({ authorization: 'Bearer editor' })).toBe('br')
    expect(await encodingFor({ cookie: 'test.sid=editor' })).toBeUndefined()
    expect(await encodingFor({ cookie: 'test.sid=over' })).toBeUndefined()
    const cookie = 'test.sid=editor'
    expect(await encodingFor({ cookie, 'sec-fetch-site': 'same-origin' })).toBe('br')
    for (const site of ['cross-site', 'same-site', 'none', 'Same-Origin', 'same-origin, cross-site'])
      expect(await encodingFor({ cookie, 'sec-fetch-site': site })).toBeUndefined()
  })

  test('sessions get only long JSON compressed, and are told what it depends on', async () => {
    const call = await started()
    const session = { cookie: 'test.sid=editor', 'accept-encoding': 'gzip' }
    const vary = 'Authorization, Cookie, Accept-Encoding, Sec-Fetch-Site'
    const same = await call('/api/v1/long/d', { ...session, 'sec-fetch-site': 'same-origin' })
    expect(same.headers).toMatchObject({ 'content-encoding': 'gzip', vary, 'cache-control': 'no-store' })
    expect(JSON.parse(String(gunzipSync(same.bytes)))).toEqual(LONG)
    const other = await call('/api/v1/long/d', { ...session, 'sec-fetch-site': 'cross-site' })
    expect(other.headers).toMatchObject({ vary, etag: '"revision"' })
    expect(same.headers.etag).toBe('"revision-gzip"')
    for (const path of ['middling', 'page'].map((name) => `/api/v1/${name}`)) {
      const key = await call(path, { authorization: 'Bearer editor', 'accept-encoding': 'gzip' })
      const page = await call(path, { ...session, 'sec-fetch-site': 'same-origin' })
      expect([key.headers['content-encoding'], page.headers['content-encoding']]).toEqual(['gzip', undefined])
    }
  })

  test('If-Match is the same however the answer was compressed', async () => {
    const { call } = await testServer(routes)
    const ifMatch = async (value: string) => {
      const response = await call('/api/v1/long/a', { method: 'PUT', headers: { 'if-match': value } })
      return ((await response.json()) as { ifMatch: string }).ifMatch
    }
    expect(await ifMatch('"a-br", W/"b-gzip", "c"')).toBe('"a", W/"b", "c"')
  })

  test.each([
    [undefined, null],
    ['', null],
    ['identity', null],
    ['*', null],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0, gzip;q=0', null],
    ['br;q=0.5, gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=nonsense', null],
    [','.repeat(10_000), null],
  ])('Accept-Encoding %.20s is %s', (header, expected) => {
    expect(acceptedEncoding(header)).toBe(expected)
  })
})
