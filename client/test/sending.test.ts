import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import { describeService } from '../../cms/test/service.ts'
import { createClient, memoryCache, QuireError } from '../src/index.ts'
import { site } from './site.ts'

/** A connection that breaks for the first requests, or has them answered by a proxy. */
function faulty(faults: readonly (Response | 'cut' | 'lost')[]) {
  const sent: { readonly method: string; readonly headers: Headers }[] = []
  const fetching: typeof fetch = async (url, init) => {
    const fault = faults[sent.length]
    sent.push({ method: init?.method ?? '', headers: new Headers(init?.headers) })
    if (fault instanceof Response) return fault
    if (fault === 'cut') throw new TypeError('fetch failed')
    const answer = await fetch(url, init)
    if (fault === 'lost') throw new TypeError('terminated')
    return answer
  }
  return { fetch: fetching, sent }
}

const busy = () =>
  Response.json({ name: 'toomany', message: 'Wait.', data: {} }, { status: 429, headers: { 'retry-after': '0' } })

describeService('client: sending', { site }, (service) => {
  const at = (options: object) => createClient<typeof site>({ url: service.address, key: 'key-editor', ...options })

  test('editor §14 reads are tried again, also where a proxy answers; writes are not', async () => {
    const line = faulty(['cut', busy(), new Response('<html>Bad gateway</html>', { status: 502 })])
    expect(await at(line).type('topic').list()).toMatchObject({ results: expect.any(Array) })
    expect(line.sent).toHaveLength(4)
    const other = faulty(['cut'])
    const patched = at(other).type('topic').patch('nothing', { note: 'x' })
    await expect(patched).rejects.toMatchObject({ name: 'offline', status: 0 })
    expect(other.sent).toHaveLength(1)
  })

  test('editor §14 a document whose answer got lost is made once', async () => {
    const line = faulty(['lost'])
    const topics = at(line).type('topic')
    const { document } = await topics.create({ title: 'Made once' })
    expect(line.sent).toHaveLength(2)
    expect(await topics.list({ title: 'Made once' })).toMatchObject({ total: 1, results: [{ _id: document._id }] })
  })

  test('editor §14 a call ends at its deadline, or when it is aborted', async () => {
    const server = createServer(() => {})
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    // `as`: a server on a port.
    const { port } = server.address() as AddressInfo
    const quire = createClient({ url: `http://127.0.0.1:${port}`, timeout: 50 })
    await expect(quire.locales()).rejects.toMatchObject({ name: 'timeout', status: 0 })
    const abort = new AbortController()
    const call = quire.locales({ signal: abort.signal, timeout: 10_000 })
    abort.abort()
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    expect(await call.catch((error: unknown) => error)).toBeInstanceOf(DOMException)
    server.closeAllConnections()
    server.close()
  })

  test('editor §14 a wait for the next try ends when the call is aborted', async () => {
    const abort = new AbortController()
    const waiting = Response.json({ name: 'toomany' }, { status: 429, headers: { 'retry-after': '20' } })
    const call = at({ ...faulty([waiting]), onAnswer: () => setTimeout(() => abort.abort(), 10) }).locales({
      signal: abort.signal,
    })
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    const late = Response.json({ name: 'toomany' }, { status: 429, headers: { 'retry-after': '40' } })
    await expect(at(faulty([late])).locales()).rejects.toMatchObject({ name: 'toomany', retryAfter: 40 })
  })

  test('editor §14 what is no answer of the service is an error', async () => {
    const portal = new Response('<html>Sign in to the Wi-Fi</html>')
    await expect(at(faulty([portal])).locales()).rejects.toMatchObject({ name: 'error', status: 200 })
  })

  test.each([
    [{ name: 'ServiceUnavailable', message: { en: 'Later' }, data: 'none' }, 503, 'unavailable'],
    [{ name: 503, message: null, data: null }, 502, 'unavailable'],
    [['no', 'object'], 401, 'unauthorized'],
    ['a text', 500, 'error'],
    [null, 418, 'error'],
  ])('editor §14 JSON of a proxy, %j, is named by its status', async (body, status, name) => {
    const call = at(faulty([Response.json(body, { status })]))
      .type('topic')
      .patch('nothing', { note: 'x' })
    const error: unknown = await call.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(QuireError)
    expect(error).toMatchObject({
      name,
      status,
      data: {},
      message: `The answer has the status ${status}.`,
      problems: [],
    })
  })

  test('editor §14 a deadline that passes during a wait is a timeout', async () => {
    const waiting = Response.json({ name: 'toomany' }, { status: 429, headers: { 'retry-after': '1' } })
    const now = vi.spyOn(Date, 'now').mockReturnValueOnce(1_000_000).mockReturnValue(0)
    const call = at({ ...faulty([waiting]), timeout: 400 }).locales()
    await expect(call).rejects.toMatchObject({ name: 'timeout', status: 0 })
    now.mockRestore()
  })

  test('editor §14 kept answers are given while they are valid', async () => {
    const statuses: number[] = []
    const cache = memoryCache()
    const quire = createClient<typeof site>({
      url: service.address,
      cache,
      onAnswer: ({ status }) => statuses.push(status),
    })
    const first = await quire.type('topic').list()
    expect(await quire.type('topic').list()).toEqual(first)
    expect(statuses).toEqual([200, 304])
    // What known callers get is not kept.
    const url = `${service.address}/api/v1/memo?aposMode=draft`
    await at({ cache }).type('memo').list({}, { mode: 'draft' })
    expect(await cache.get(url)).toBeUndefined()
  })

  test('editor §14 a cache that fails does not make reads fail', async () => {
    const broken = { get: () => Promise.reject(new Error('closed')), set: () => Promise.reject(new Error('full')) }
    const throwing = {
      get: () => {
        throw new Error('closed')
      },
      set: () => {
        throw new Error('full')
      },
    }
    for (const cache of [broken, throwing]) {
      const quire = createClient<typeof site>({ url: service.address, cache })
      expect(await quire.type('topic').list()).toMatchObject({ results: expect.any(Array) })
    }
  })

  test('editor §14 a memory cache keeps what was used last', () => {
    const cache = memoryCache({ maxBytes: 100 })
    for (const key of ['a', 'b']) cache.set(key, { etag: key, body: 'x'.repeat(15) })
    cache.get('a')
    cache.set('c', { etag: 'c', body: 'x'.repeat(15) })
    expect(['a', 'b', 'c'].map((key) => cache.get(key) !== undefined)).toEqual([true, false, true])
  })

  describe('who is calling', () => {
    test('editor §14 a token is sent until signing out', async () => {
      await createClient({ url: service.address, key: 'key-admin' }).type('@cms/user').create({
        title: 'Ann',
        username: 'ann',
        password: 'correct horse battery',
        email: 'ann@example.org',
        role: 'editor',
      })
      const quire = createClient<typeof site>({ url: service.address })
      expect(await quire.me()).toBeNull()
      await quire.signIn({ username: 'ann', password: 'correct horse battery' })
      expect(await quire.in({ locale: 'fr' }).me()).toMatchObject({ username: 'ann', role: 'editor' })
      await quire.signOut()
      expect(await quire.me()).toBeNull()
      const wrong = quire.signIn({ email: 'ann@example.org', password: 'wrong' })
      await expect(wrong).rejects.toMatchObject({ name: 'unauthorized', status: 401 })
    })

    test('editor §14 a call says whom it expects', async () => {
      const line = faulty([])
      let expected: string | undefined
      const quire = at({ ...line, expectCaller: () => expected })
      await quire.locales()
      expected = (await quire.me())?._id
      await quire.locales()
      expect(line.sent.map(({ headers }) => headers.get('quire-expect-caller'))).toEqual([null, null, expected])
    })
  })

  test('editor §14 locale and mode are those of the client, or of the call', async () => {
    let sent = ''
    const onRequest = ({ url }: { readonly url: string }) => {
      sent = url
    }
    const quire = at({ onRequest }).in({ locale: 'fr', mode: 'draft' })
    await quire.type('topic').list({ title: 'a & b' }, { mode: 'published' })
    expect(sent.replace(service.address, '')).toBe('/api/v1/topic?aposLocale=fr&aposMode=published&title=a%20%26%20b')
  })
})
