import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { json, testLocale, testRoute, testServer } from '../../../test/http-server.ts'
import { conflict, unavailable } from '../../base/errors.ts'
import type { Actor } from '../../engine/permissions.ts'
import { Reply } from '../requests/route.ts'

/** Shows what a route gets. */
const echo = testRoute({
  path: '/api/v1/echo/:_id',
  handle: async ({ actor, locale, mode, explicit }, { params, query }) => {
    return { caller: 'role' in actor ? actor.role : actor.kind, locale, mode, explicit, params, query }
  },
})
const save = testRoute({ method: 'POST', path: '/api/v1/save', handle: async (_, { body }) => ({ body }) })

describe('§0.2 Errors', () => {
  test.each<[string, RequestInit | undefined, number, string]>([
    ['/api/v1/nothing', undefined, 404, 'notfound'],
    ['/api/v1/nothing', { headers: { authorization: 'ApiKey wrong' } }, 401, 'unauthorized'],
    ['/api/v1/nothing?apikey=wrong', json({}), 401, 'unauthorized'],
    ['/elsewhere', undefined, 404, 'notfound'],
    ['/api/v1/echo/a', { method: 'DELETE' }, 405, 'notallowed'],
    ['/api/v1/echo/a', { method: 'PROPFIND' }, 405, 'notallowed'],
    ['/api/v1/nothing', { method: 'DELETE' }, 404, 'notfound'],
    ['/api/v1/nothing', { method: 'PROPFIND' }, 404, 'notfound'],
    ['/api/v1/echo/%E0%A4%A', undefined, 400, 'invalid'],
    ['/api/v1/echo/a?x=%', undefined, 400, 'invalid'],
    ['/api/v1/echo/a', json({}), 405, 'notallowed'],
    ['/api/v1/save', { ...json({}), body: '{"a":' }, 400, 'invalid'],
    ['/api/v1/save', json('text'), 400, 'invalid'],
    ['/api/v1/save', json([1]), 400, 'invalid'],
    ['/api/v1/save', json(null), 400, 'invalid'],
    ['/api/v1/save', { ...json({}), body: new Uint8Array([123, 34, 0xff, 34, 58, 49, 125]) }, 400, 'invalid'],
    ['/api/v1/save', { ...json({}), body: `${'{"a":'.repeat(101)}1${'}'.repeat(101)}` }, 400, 'invalid'],
    ['/api/v1/save', { ...json({}), body: '['.repeat(50_000) }, 400, 'invalid'],
    ['/api/v1/save', { method: 'POST', body: 'plain text' }, 415, 'unsupported'],
    ['/api/v1/save', { method: 'POST', body: new FormData() }, 415, 'unsupported'],
    ['/api/v1/save', { method: 'POST', body: new Uint8Array([1]) }, 415, 'unsupported'],
    ['/api/v1/save', { method: 'POST', body: 'x', headers: { 'content-type': ';;' } }, 415, 'unsupported'],
    ['/api/v1/save', json({ text: 'x'.repeat(200_000) }), 413, 'toolarge'],
  ])('%s %o is %i %s, as JSON', async (path, init, status, name) => {
    const { call } = await testServer([echo, save])
    const response = await call(path, init)
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const data: { allow?: string[] } = status === 405 ? { allow: ['OPTIONS', 'HEAD', 'GET'] } : {}
    expect(response.headers.get('allow')).toBe(data.allow?.join(', ') ?? null)
    expect(await response.json()).toEqual({ name, message: expect.stringMatching(/^[A-Z"].*[.…]$|…/), data })
  })

  test('a bug is 500 without internals; the log has it under the same id', async () => {
    const bug = testRoute({
      path: '/api/v1/bug',
      handle: async () => {
        throw new Error('select * from secrets')
      },
    })
    const { call, lines } = await testServer([bug])
    const response = await call('/api/v1/bug?apiKey=editor&page=2&%61pikey=editor')
    const requestId = response.headers.get('x-request-id')
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({ name: 'error', message: expect.any(String), data: { requestId } })
    expect(lines).toEqual([
      expect.objectContaining({ requestId, method: 'GET', path: '/api/v1/bug?page=2', status: 500 }),
    ])
    expect(JSON.stringify(lines)).toContain('select * from secrets')
    expect(JSON.stringify(lines)).not.toContain('editor')
  })

  test('errors carry their data, and no header a route makes can break an answer', async () => {
    const clash = testRoute({
      path: '/api/v1/clash',
      handle: async () => Promise.reject(conflict('Taken.', { path: 'slug' })),
    })
    const inject = testRoute({
      path: '/api/v1/inject',
      handle: async (_, { query }) => new Reply({}, { 'X-Name': String(query.name) }),
    })
    const { call } = await testServer([clash, inject])
    expect(await (await call('/api/v1/clash')).json()).toEqual({
      name: 'conflict',
      message: 'Taken.',
      data: { path: 'slug' },
    })
    const injected = await call('/api/v1/inject?name=a%0d%0aSet-Cookie:%20b')
    expect(injected.status).toBe(500)
    expect(injected.headers.get('set-cookie')).toBeNull()
    expect((await call('/api/v1/inject?name=fine')).headers.get('x-name')).toBe('fine')
  })

  test('an outage is one line a second and kind, and every 503 says when to try again', async () => {
    const down = testRoute({
      path: '/api/v1/down/:_id',
      handle: async (_, { params }) => Promise.reject(unavailable(`The ${params._id} is gone.`)),
    })
    const { call, lines } = await testServer([down])
    for (let n = 0; n < 20; n += 1) {
      const answers = await Promise.all(['disk', 'net'].map((name) => call(`/api/v1/down/${name}`)))
      for (const { status, headers } of answers) expect([status, headers.get('retry-after')]).toEqual([503, '5'])
    }
    expect(lines.length).toBeLessThan(20)
    expect(new Set(lines.map((line) => /The \w+ is gone/.exec(JSON.stringify(line))?.[0])).size).toBe(2)
    await pause(1_000)
    await call('/api/v1/down/disk')
    expect(lines.at(-1)).toMatchObject({ repeated: expect.any(Number) })
  })

  test('slow requests are logged', async () => {
    const { call, lines } = await testServer([echo], { slowMs: 0 })
    await call('/api/v1/echo/a?apikey=editor')
    await expect
      .poll(() => lines)
      .toEqual([expect.objectContaining({ path: '/api/v1/echo/a', status: 200, ms: expect.any(Number) })])
  })
})

describe('§0.6 Methods and bodies', () => {
  test('JSON, forms and no body at all', async () => {
    const { call } = await testServer([save])
    const form = { method: 'POST', body: new URLSearchParams('a=1&b[c]=2&d[]=3') }
    expect(await (await call('/api/v1/save', json({ a: [1] }))).json()).toEqual({ body: { a: [1] } })
    expect(await (await call('/api/v1/save', form)).json()).toEqual({ body: { a: '1', b: { c: '2' }, d: ['3'] } })
    expect(await (await call('/api/v1/save', { method: 'POST' })).json()).toEqual({ body: {} })
    expect(await (await call('/api/v1/save', { ...json({}), body: '' })).json()).toEqual({ body: {} })
  })

  test('`__proto__` in a body reaches no prototype; `constructor` is data', async () => {
    const { call } = await testServer([save])
    const body = '{"__proto__":{"admin":true},"a":[{"__proto__":{"admin":true}}],"constructor":{"prototype":{"x":1}}}'
    const response = await call('/api/v1/save', { ...json({}), body })
    expect(await response.text()).toBe('{"body":{"a":[{}],"constructor":{"prototype":{"x":1}}}}')
    expect('admin' in {} || 'x' in {}).toBe(false)
  })

  test('HEAD is GET without the body', async () => {
    const { call } = await testServer([echo])
    const get = await call('/api/v1/echo/a')
    const head = await call('/api/v1/echo/a', { method: 'HEAD' })
    expect(await head.text()).toBe('')
    expect(head.status).toBe(200)
    for (const name of ['content-length', 'content-type', 'etag', 'cache-control']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name))
    }
  })

  test('OPTIONS names the methods; any origin may call, without credentials', async () => {
    const { call } = await testServer([echo, save])
    const response = await call('/api/v1/echo/a', { method: 'OPTIONS', headers: { origin: 'https://a.example' } })
    expect(response.status).toBe(200)
    expect(response.headers.get('allow')).toBe('OPTIONS, HEAD, GET')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    expect(response.headers.get('access-control-allow-methods')).toContain('PATCH')
    expect(response.headers.get('access-control-allow-headers')).toBe(
      'Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Quire-Expect-Caller, Quire-Revision',
    )
    // What is not there looks like what a caller may not know of.
    const unknown = await call('/api/v1/nothing', { method: 'OPTIONS' })
    expect([unknown.status, unknown.headers.get('allow')]).toEqual([200, 'OPTIONS'])
    const failed = await call('/api/v1/nothing')
    expect(failed.headers.get('access-control-allow-origin')).toBe('*')
    expect(failed.headers.get('access-control-expose-headers')).toContain('ETag')
  })

  test('OPTIONS works at uploads and pages, too; other origins may not read pages', async () => {
    const page = testRoute({ path: '/*', page: { fail: async () => new Reply('') }, handle: async () => ({}) })
    const { call } = await testServer([echo, page])
    const optionsAt = async (path: string) => {
      const { status, headers } = await call(path, { method: 'OPTIONS', headers: { origin: 'https://a.example' } })
      const cors = [headers.get('access-control-allow-origin'), headers.get('access-control-allow-methods') !== null]
      return [status, headers.get('allow'), ...cors]
    }
    for (const path of ['/uploads/attachments/x.jpg', '/uploads/x/y']) {
      expect(await optionsAt(path)).toEqual([200, 'OPTIONS, HEAD, GET', '*', true])
    }
    for (const path of ['/', '/about/team', '/login']) {
      expect(await optionsAt(path)).toEqual([200, 'OPTIONS, HEAD, GET', null, false])
    }
  })

  test('without the option `cors` no other origin may', async () => {
    const { call } = await testServer([echo], { site: { cors: false } })
    expect((await call('/api/v1/echo/a')).headers.get('access-control-allow-origin')).toBeNull()
  })

  test('every answer has nosniff and an id, and none says what made it', async () => {
    const { call } = await testServer([echo])
    const { headers } = await call('/api/v1/echo/a')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-request-id')).toMatch(/^[a-z0-9-]+$/)
    expect([headers.get('x-powered-by'), headers.get('server')]).toEqual([null, null])
  })
})

describe('§5.4 Credentials', () => {
  const caller = async (path: string, headers: Record<string, string> = {}) => {
    const { call } = await testServer([echo])
    const response = await call(`/api/v1/echo/a${path}`, { headers })
    return response.ok ? ((await response.json()) as { caller: string }).caller : response.status
  }

  test.each<[string, Record<string, string>, string | number]>([
    ['', {}, 'anonymous'],
    ['', { cookie: 'other=1' }, 'anonymous'],
    ['?apikey=editor', {}, 'editor'],
    ['?apiKey=editor', {}, 'editor'],
    ['?%61pikey=editor', {}, 'editor'],
    ['', { authorization: 'Bearer editor' }, 'editor'],
    ['', { authorization: 'ApiKey editor' }, 'editor'],
    ['', { authorization: 'apikey  editor' }, 'editor'],
    ['?apikey=editor', { authorization: 'Bearer editor' }, 'editor'],
    ['?apikey=editor', { authorization: 'Bearer admin' }, 401],
    ['?apikey=editor&apiKey=admin', {}, 401],
    ['?apikey=editor&apikey=editor', {}, 401],
    ['?apikey[]=editor', {}, 401],
    ['?apikey[a]=editor', {}, 401],
    ['?apikey=', {}, 401],
    ['?apikey=wrong', {}, 401],
    ['', { authorization: 'Basic ZWRpdG9yOg==' }, 401],
    ['', { authorization: 'Bearer' }, 401],
    ['', { authorization: 'Bearer editor admin' }, 401],
    ['', { authorization: 'editor' }, 401],
  ])('%s %o', async (path, headers, expected) => {
    expect(await caller(path, headers)).toBe(expected)
  })
})

describe('§0.4 locale and mode', () => {
  const contextOf = async (path: string, options = {}) => {
    const { call } = await testServer([echo], options)
    const response = await call(path)
    const { locale, mode, explicit, message } = (await response.json()) as Record<string, unknown>
    return response.ok ? { locale, mode, explicit } : { status: response.status, message }
  }

  test.each<[string, unknown]>([
    ['/api/v1/echo/a', { locale: 'en', mode: 'published', explicit: { locale: null, mode: null } }],
    ['/api/v1/echo/a?aposLocale=fr', { locale: 'fr', mode: 'published', explicit: { locale: 'fr', mode: null } }],
    ['/api/v1/echo/a?aposLocale=fr:draft', { locale: 'fr', mode: 'draft', explicit: { locale: 'fr', mode: 'draft' } }],
    ['/fr/api/v1/echo/a', { locale: 'fr', mode: 'published', explicit: { locale: null, mode: null } }],
    ['/fr/api/v1/echo/a?aposLocale=en', { locale: 'en', mode: 'published', explicit: { locale: 'en', mode: null } }],
    [
      '/api/v1/echo/a?aposLocale=fr:draft&aposMode=published',
      { locale: 'fr', mode: 'published', explicit: { locale: 'fr', mode: 'published' } },
    ],
    ['/de/api/v1/echo/a?apikey=guest', { locale: 'de', mode: 'published', explicit: { locale: null, mode: null } }],
  ])('%s', async (path, expected) => {
    expect(await contextOf(path)).toEqual(expected)
  })

  test.each(['aposLocale=xx', 'aposLocale=', 'aposLocale=fr:', 'aposLocale=fr:draft:x', 'aposLocale=__proto__'])(
    '%s is invalid',
    async (query) => {
      expect(await contextOf(`/api/v1/echo/a?${query}`)).toMatchObject({ status: 400 })
    },
  )

  test.each([
    'aposMode=live',
    'aposMode[]=draft',
    'aposMode[x]=draft',
    'aposLocale[]=fr',
    'aposMode=draft&aposMode=draft',
  ])('%s is invalid', async (query) => {
    expect(await contextOf(`/api/v1/echo/a?${query}`)).toMatchObject({ status: 400 })
  })

  test('an unknown locale names the others, but no private one to anonymous callers', async () => {
    expect(await contextOf('/api/v1/echo/a?aposLocale=xx')).toMatchObject({
      message: expect.stringMatching(/: en, fr\.$/),
    })
    expect(await contextOf('/api/v1/echo/a?aposLocale=xx&apikey=guest')).toMatchObject({
      message: expect.stringMatching(/: en, fr, de\.$/),
    })
    expect(await contextOf('/api/v1/echo/a?aposLocale=de')).toMatchObject({ status: 404 })
    expect(await contextOf('/de/api/v1/echo/a')).toMatchObject({ status: 404 })
  })

  test('an _id outweighs the prefix of a private locale, as the query does', async () => {
    const english = { locale: 'en', explicit: { locale: null, mode: null } }
    expect(await contextOf('/de/api/v1/echo/a:en:published')).toMatchObject(english)
    expect(await contextOf('/fr/api/v1/echo/a:en:published')).toMatchObject(english)
    expect(await contextOf('/de/api/v1/echo/a?aposLocale=en')).toMatchObject({ locale: 'en' })
    expect(await contextOf('/fr/api/v1/echo/a:en:published?aposLocale=fr')).toMatchObject({ locale: 'fr' })
    for (const path of ['/api/v1/echo/a:de:published', '/de/api/v1/echo/a:xx:published', '/de/api/v1/echo/a:en']) {
      expect(await contextOf(path)).toMatchObject({ status: 404 })
    }
    expect(await contextOf('/de/api/v1/echo/a:en:published?aposLocale=de')).toMatchObject({ status: 404 })
  })

  test('the address is the connection’s own, or what the one trusted proxy saw', async () => {
    const seen: string[] = []
    const note = async (_: unknown, { address }: { address: string }): Promise<Actor> => {
      seen.push(address)
      return { kind: 'anonymous' }
    }
    const headers = { authorization: 'Bearer x', 'x-forwarded-for': '1.1.1.1, 2.2.2.2' }
    for (const trustProxy of [false, true]) {
      const { call } = await testServer([echo], { authenticate: note, site: { trustProxy } })
      await call('/api/v1/echo/a', { headers })
    }
    expect(seen).toEqual(['127.0.0.1', '2.2.2.2'])
  })

  test('the site prefix stands before everything, the host name may name the locale', async () => {
    const locales = new Map([
      ['en', testLocale('en', { hostname: 'localhost' })],
      ['fr', testLocale('fr', { hostname: '127.0.0.1', prefix: '/fr' })],
    ])
    expect(await contextOf('/site/api/v1/echo/a', { site: { prefix: '/site', locales } })).toMatchObject({
      locale: 'fr',
    })
    expect(await contextOf('/api/v1/echo/a', { site: { prefix: '/site', locales } })).toMatchObject({ status: 404 })
  })
})

describe('§4.3 POST-as-GET', () => {
  const answered = async (path: string, init: RequestInit) => {
    const { call } = await testServer([
      echo,
      save,
      testRoute({ path: '/api/v1/save', handle: async () => ({ read: true }) }),
    ])
    const response = await call(path, init)
    return { status: response.status, ...((await response.json()) as object) }
  }

  test('the content becomes the query and joins the one in the URL', async () => {
    const content = { page: 2, _ids: ['a'], aposLocale: 'fr' }
    const got = await answered('/api/v1/echo/a?aposMode=draft&page=1', json({ __aposGetWithQuery: content, other: 1 }))
    expect(got).toMatchObject({ status: 200, locale: 'fr', mode: 'draft', params: { _id: 'a' } })
    expect(got).toMatchObject({ query: { page: '2', _ids: ['a'], aposMode: 'draft', aposLocale: 'fr' } })
  })

  test('a key in the content counts as one in the URL', async () => {
    const got = await answered('/api/v1/echo/a', json({ __aposGetWithQuery: { apikey: 'editor' } }))
    expect(got).toMatchObject({ caller: 'editor' })
    expect(await answered('/api/v1/echo/a', json({ __aposGetWithQuery: { apikey: 'no' } }))).toMatchObject({
      status: 401,
    })
  })

  test('where a POST route has the same path too, only an object makes it a GET', async () => {
    expect(await answered('/api/v1/save', json({ __aposGetWithQuery: {} }))).toEqual({ status: 200, read: true })
    const body = { __aposGetWithQuery: 'x' }
    expect(await answered('/api/v1/save', json(body))).toEqual({ status: 200, body })
    expect(await answered('/api/v1/echo/a', json(body))).toMatchObject({ status: 405 })
  })
})
