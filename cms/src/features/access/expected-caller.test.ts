import { beforeAll, expect, test } from 'vitest'
import { cookieOf, loginCall, makeUser, tokenOf } from '../../../test/people.ts'
import { describeService } from '../../../test/service.ts'
import { send } from '../../../test/wire.ts'

describeService('§5.4 the caller that a request expects', { isLong: true }, (service) => {
  let ann = ''
  let bob = ''
  let session = ''

  beforeAll(async () => {
    ann = await makeUser(service.app, 'Ann')
    bob = await makeUser(service.app, 'Bob')
    session = await cookieOf(service.address, 'Ann')
  })

  const KEY = { authorization: 'ApiKey key-editor' }
  const call = (headers: Record<string, string>, path = 'article', method = 'GET', body?: object) =>
    send(service.address, {
      method,
      path: `/api/v1/${path}`,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const nameOf = async (headers: Record<string, string>, path?: string) =>
    (await call(headers, path)).headers['quire-caller']

  test('answers name who asked, by the _id that whoami tells, cached ones too', async () => {
    const tokens = await Promise.all(['Ann', 'Bob'].map((name) => tokenOf(service.address, name)))
    for (let round = 0; round < 3; round += 1) {
      const names = await Promise.all([
        nameOf({ cookie: session }),
        ...tokens.map((token) => nameOf({ authorization: `Bearer ${token}` })),
        nameOf(KEY),
        nameOf({}),
      ])
      expect(names).toEqual([ann, ann, bob, (await service.editor.get('@cms/login/whoami')).body._id, undefined])
    }
    expect(await nameOf({ cookie: session }, 'none')).toBe(ann)
    expect(await nameOf({ cookie: session }, 'article/none')).toBe(ann)
    const { headers } = await call({ ...KEY, 'if-none-match': '*' }, 'openapi.json')
    expect(headers).toMatchObject({ 'cache-control': 'private, no-cache', 'quire-caller': await nameOf(KEY) })
  })

  test('what anybody may store names nobody', async () => {
    const page = await send(service.address, { method: 'GET', path: '/api/v1/docs', headers: KEY })
    const [, script = ''] = /src="([^"]+)"/.exec(page.text) ?? []
    const file = await send(service.address, { method: 'GET', path: script, headers: KEY })
    expect(file.headers['cache-control']).toContain('public')
    expect(file.headers['quire-caller']).toBeUndefined()
  })

  test('a request that expects another caller is refused before anything is read or written', async () => {
    const expecting = (headers: Record<string, string>, expected: string) => ({
      ...headers,
      'quire-expect-caller': expected,
    })
    expect((await call(expecting({ cookie: session }, ann))).status).toBe(200)
    expect((await call(expecting({}, 'anonymous'), 'openapi.json')).status).toBe(200)
    const refused: readonly [Record<string, string>, string][] = [
      [{ cookie: session }, bob],
      [{ cookie: session }, 'anonymous'],
      [{ cookie: session }, `${ann}, ${ann}`],
      [{ cookie: session }, ''],
      [KEY, ann],
      [{}, ann],
    ]
    for (const [headers, expected] of refused) {
      const { status, text } = await call(expecting(headers, expected))
      expect({ expected, status, name: JSON.parse(text).name }).toEqual({ expected, status: 401, name: 'unauthorized' })
    }
    const title = 'Under another name'
    await service.quiet()
    const before = service.statements.length
    for (const [path, method] of [
      ['article', 'POST'],
      ['article/none', 'GET'],
      ['none', 'GET'],
    ] as const)
      expect((await call(expecting(KEY, bob), path, method, method === 'POST' ? { title } : undefined)).status).toBe(
        401,
      )
    expect(service.statements.slice(before).filter((sql) => /insert|update|documents/i.test(sql))).toEqual([])
    const answer = await call(expecting(KEY, ann), 'article', 'POST', { __aposGetWithQuery: { search: title } })
    expect(answer.status).toBe(401)
    expect((await service.editor.get('article', `search=${title}`)).body.results).toEqual([])
  })

  test('a session that is over answers 401 where its caller is expected, and takes the cookie away', async () => {
    const cookie = await cookieOf(service.address, 'Bob')
    expect((await call({ cookie, 'quire-expect-caller': bob })).status).toBe(200)
    await loginCall(service.address, 'logout', {}, { cookie, 'sec-fetch-site': 'same-origin' })
    const silent = await call({ cookie }, 'openapi.json')
    expect([silent.status, silent.headers['quire-caller']]).toEqual([200, undefined])
    const answer = await call({ cookie, 'quire-expect-caller': bob })
    expect([answer.status, answer.headers['cache-control']]).toEqual([401, 'no-store'])
    expect(answer.headers['set-cookie']?.join()).toContain('.sid=;')
  })

  test('pages of other sites may send it and read the name', async () => {
    const { headers } = await call({}, 'article', 'OPTIONS')
    expect(headers['access-control-allow-headers']).toContain('Quire-Expect-Caller')
    expect(headers['access-control-expose-headers']).toContain('Quire-Caller')
  })
})
