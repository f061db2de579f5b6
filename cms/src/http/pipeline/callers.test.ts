import { describe, expect, it } from 'vitest'
import { json, raw, testLocale, testRoute, testServer } from '../../../test/http-server.ts'
import type { Sender } from '../requests/route.ts'
import { Reply } from '../requests/route.ts'

const KEY = 'the-front-key'
const FRONT = { 'x-requested-with': 'AposExternalFront', 'apos-external-front-key': KEY }

const who = testRoute({
  path: '/api/v1/who',
  cached: true,
  handle: async (ctx, { sender }) => ({ kind: ctx.actor.kind, isFrontend: sender.isFrontend }),
})

describe('§4.6 the external front end', () => {
  const start = () => testServer([who, testRoute({ ...who, method: 'POST', path: '/api/v1/post' })], { frontKey: KEY })

  it('clients 1.2: with its key it is the front end, with a key of a person, too, it is that person', async () => {
    const { call } = await start()
    expect(await (await call('/api/v1/who', { headers: FRONT })).json()).toEqual({ kind: 'frontend', isFrontend: true })
    const both = await call('/api/v1/who', { headers: { ...FRONT, authorization: 'Bearer editor' } })
    expect(await both.json()).toEqual({ kind: 'key', isFrontend: true })
    expect((await call('/api/v1/who', { headers: { ...FRONT, authorization: 'Bearer nonsense' } })).status).toBe(401)
  })

  it.each([
    ['', 'missing'],
    ['the-front-kez', 'wrong'],
    [`${KEY} `.repeat(2), 'twice'],
    ['THE-FRONT-KEY', 'in capitals'],
  ])('clients 1.2: a key that is %s (%s) is answered by the bare text', async (key) => {
    const { call, lines } = await start()
    const headers = { 'x-requested-with': 'AposExternalFront', ...(key && { 'apos-external-front-key': key }) }
    for (const response of [
      await call('/api/v1/who', { headers }),
      await call('/api/v1/post', { ...json({}), headers: { ...headers, 'content-type': 'application/json' } }),
    ]) {
      expect([response.status, await response.text()]).toEqual([403, 'forbidden'])
      expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
    expect(JSON.stringify(lines)).not.toContain(KEY)
  })

  it('clients 1.2: without x-requested-with the key is not looked at; what anonymous callers were answered is not its answer', async () => {
    const { call } = await start()
    const anonymous = { kind: 'anonymous', isFrontend: false }
    for (const headers of [{}, { 'apos-external-front-key': KEY }, { 'apos-external-front-key': 'wrong' }, {}]) {
      expect(await (await call('/api/v1/who', { headers: headers as Record<string, string> })).json()).toEqual(
        anonymous,
      )
    }
    const headers = { 'x-requested-with': 'XMLHttpRequest', 'apos-external-front-key': KEY }
    expect(await (await call('/api/v1/who', { headers })).json()).toEqual(anonymous)
    expect(await (await call('/api/v1/who', { headers: FRONT })).json()).toEqual({ kind: 'frontend', isFrontend: true })
    expect((await call('/api/v1/who', { headers: { ...FRONT, 'apos-external-front-key': 'no' } })).status).toBe(403)
    expect(await (await call('/api/v1/who')).json()).toEqual(anonymous)
  })

  it('without a configured key there is no front end', async () => {
    for (const frontKey of [undefined, '']) {
      const { call } = await testServer([who], { frontKey })
      expect((await call('/api/v1/who', { headers: { ...FRONT, 'apos-external-front-key': '' } })).status).toBe(403)
    }
  })
})

describe('§0.7 headers by which browsers keep answers safe', () => {
  const page = testRoute({
    path: '/api/v1/page',
    cached: true,
    handle: async () =>
      new Reply('<p>', { 'Content-Type': 'text/html', 'Content-Security-Policy': "default-src 'self'" }),
  })

  it('every answer has them, those from the cache and failures too; a page may have its own policy', async () => {
    const { call, address } = await testServer([who, page])
    const responses = [
      await call('/api/v1/who'),
      await call('/api/v1/who'),
      await call('/api/v1/who', { headers: { authorization: 'Bearer editor' } }),
      await call('/api/v1/nothing'),
      await call('/api/v1/who', { method: 'OPTIONS' }),
    ]
    for (const { headers } of responses) {
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
      expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
      expect(headers.get('strict-transport-security')).toBeNull()
      expect(headers.get('x-powered-by') ?? headers.get('server')).toBeNull()
    }
    for (let n = 0; n < 2; n += 1) {
      expect((await call('/api/v1/page')).headers.get('content-security-policy')).toBe("default-src 'self'")
    }
    expect(await raw(address, 'nonsense\r\n\r\n')).toMatch(/^x-content-type-options: nosniff$/im)
  })

  it('an https site asks browsers to stay encrypted', async () => {
    const { call } = await testServer([who], { site: { baseUrl: 'https://example.org', cors: false } })
    const { headers } = await call('/api/v1/who')
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('§5.6 what a connection is trusted with', () => {
  async function senderOf(site: object, headers: Record<string, string>): Promise<Sender> {
    const senders: Sender[] = []
    const handle = async (_ctx: unknown, { sender }: { sender: Sender }) => senders.push(sender)
    const { call } = await testServer([testRoute({ path: '/api/v1/sender', handle })], { site })
    await call('/api/v1/sender', { headers })
    return senders[0] as Sender
  }

  it.each([
    [{}, { 'x-forwarded-proto': 'https' }, false],
    [{ trustProxy: true }, { 'x-forwarded-proto': 'https' }, true],
    [{ trustProxy: true }, { 'x-forwarded-proto': 'https, http' }, false],
    [{ trustProxy: true }, {}, false],
    [{ baseUrl: 'https://example.org' }, {}, true],
    [{ baseUrl: 'http://example.org' }, {}, false],
  ])('%j with %j travels encrypted: %s', async (site, headers, isSecure) => {
    expect((await senderOf(site, headers as Record<string, string>)).isSecure).toBe(isSecure)
  })

  it.each([
    [{ baseUrl: 'https://example.org' }, { origin: 'https://example.org' }, false],
    [{ baseUrl: 'https://example.org' }, { origin: 'http://example.org' }, true],
    [{ baseUrl: 'https://example.org' }, { origin: 'https://example.org.evil.example' }, true],
    [
      { trustProxy: true },
      { origin: 'https://a.example', 'x-forwarded-host': 'a.example', 'x-forwarded-proto': 'https' },
      false,
    ],
    [
      { trustProxy: true },
      { origin: 'http://a.example', 'x-forwarded-host': 'a.example', 'x-forwarded-proto': 'https' },
      true,
    ],
    [{}, { origin: 'https://a.example', 'x-forwarded-host': 'a.example' }, true],
    [{}, { origin: 'null' }, true],
    [{}, {}, false],
  ])('%j with %j comes from another site: %s', async (site, headers, isForeign) => {
    expect((await senderOf(site, headers as Record<string, string>)).isForeign).toBe(isForeign)
  })

  it('a Host header names nothing in an answer, and headers cannot be broken', async () => {
    const site = { locales: new Map([['en', testLocale('en')]]) }
    const { address, call } = await testServer([who], { site })
    const answer = await raw(
      address,
      'GET /api/v1/who HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\nConnection: close\r\n\r\n',
    )
    expect(answer).toContain('200 OK')
    expect(answer).not.toContain('evil.example')
    const injected = await call('/api/v1/who%0d%0aSet-Cookie:%20a=b?x=%0d%0aSet-Cookie:%20a=b')
    expect([injected.status, injected.headers.get('set-cookie')]).toEqual([404, null])
  })
})

describe('§0.2 the log of refusals', () => {
  it('says who was refused where, and never what they sent to prove it', async () => {
    const { call, lines } = await testServer([who])
    await call('/api/v1/who?apikey=secret-one&token=secret-two&password=secret-three&page=2', {
      headers: { cookie: 'test.sid=secret-four' },
    })
    await call('/api/v1/who', { headers: { authorization: 'Bearer secret-five' } })
    await call('/api/v1/nothing')
    expect(lines).toMatchObject([
      {
        status: 401,
        method: 'GET',
        path: '/api/v1/who?page=2',
        address: '127.0.0.1',
        message: 'A caller was refused.',
      },
      { status: 401, path: '/api/v1/who' },
    ])
    expect(lines.every((line) => 'requestId' in line)).toBe(true)
    expect(JSON.stringify(lines)).not.toContain('secret-')
  })

  it('slow requests and failures too have their id, and none of the secrets that came with them', async () => {
    const fails = testRoute({
      method: 'POST',
      path: '/api/v1/fails',
      handle: async () => Promise.reject(new Error('broken')),
    })
    const { call, lines } = await testServer([who, fails], { slowMs: 0 })
    const headers = { authorization: 'Bearer editor', cookie: 'test.sid=secret-one', 'x-api-key': 'secret-two' }
    const slow = await call('/api/v1/who?apikey=editor&resetToken=secret-three&page=2', { headers })
    const body = { ...json({ password: 'secret-four' }) }
    const failed = await call('/api/v1/fails', { ...body, headers: { ...headers, 'content-type': 'application/json' } })
    const shape = (response: Response) => ({ status: response.status, requestId: response.headers.get('x-request-id') })
    await expect.poll(() => lines.length).toBe(3)
    expect(lines).toMatchObject([
      { ...shape(slow), method: 'GET', path: '/api/v1/who?page=2', ms: expect.any(Number) },
      { ...shape(failed), method: 'POST', path: '/api/v1/fails', message: 'A request failed.' },
      { ...shape(failed), message: 'A request was slow.' },
    ])
    expect([slow.status, failed.status]).toEqual([200, 500])
    expect(JSON.stringify(lines)).not.toMatch(/secret-|editor/)
  })
})
