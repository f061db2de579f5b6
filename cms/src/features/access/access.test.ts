import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDatabases } from '../../../test/databases.ts'
import { cookieOf, loginCall, makeUser, PASSWORD, tokenOf } from '../../../test/people.ts'
import { type Service, startService } from '../../../test/service.ts'

describe.each(testDatabases)('decisions 1, Login on $name', (databases) => {
  let service: Service
  let annId: string

  beforeAll(async () => {
    service = await startService(databases)
    annId = await makeUser(service.app, 'Ann', { firstName: 'Ann', lastName: 'Lee', email: 'ann@example.org' })
  })
  afterAll(() => service?.stop())

  const login = (body: unknown, headers?: Record<string, string>) => loginCall(service.address, 'login', body, headers)
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${service.address}/api/v1/${path}`, { headers })
  const whoAmI = (headers: Record<string, string> = {}) => get('@cms/login/whoami', headers)
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

  it('decisions 1: a token says who somebody is until they log out', async () => {
    const token = await tokenOf(service.address, 'ann')
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    const response = await whoAmI(bearer(token))
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toEqual({
      _id: annId,
      username: 'Ann',
      title: 'Ann Lee',
      email: 'ann@example.org',
      role: 'editor',
      firstName: 'Ann',
      lastName: 'Lee',
    })
    expect((await get('article?aposMode=draft', bearer(token))).status).toBe(200)
    const out = await loginCall(service.address, 'logout', {}, bearer(token))
    expect([out.status, await out.json()]).toEqual([200, {}])
    expect((await whoAmI(bearer(token))).status).toBe(401)
    expect((await get('article', bearer(token))).status).toBe(401)
  })

  it('decisions 1: a session is a cookie that scripts do not see', async () => {
    const response = await login({ email: 'ANN@example.org', password: PASSWORD, session: true })
    expect([response.status, await response.json()]).toEqual([200, {}])
    const [sid = '', mark = ''] = response.headers.getSetCookie()
    expect(sid).toMatch(/^[a-z0-9-]+\.sid=[\w-]{43}; Path=\/; Max-Age=\d+; SameSite=Lax; HttpOnly$/)
    expect(mark).toMatch(/^[a-z0-9-]+\.loggedIn=true; Path=\/; Max-Age=\d+; SameSite=Lax$/)
    const cookie = sid.split(';')[0] ?? ''
    expect((await whoAmI({ cookie })).status).toBe(200)
    // The session is no token, and the other way round.
    expect((await whoAmI(bearer(cookie.split('=')[1] ?? ''))).status).toBe(401)
  })

  it('strangers are nobody', async () => {
    expect((await whoAmI()).status).toBe(404)
    expect((await loginCall(service.address, 'whoami', {})).status).toBe(404)
    expect((await loginCall(service.address, 'logout', {})).status).toBe(200)
    expect(await (await get('@cms/login/context')).json()).toEqual({ name: service.app.site.name })
  })

  it('cookies', async () => {
    const cookie = await cookieOf(service.address, 'ann')
    expect((await get('article?aposMode=draft', { cookie })).status).toBe(200)
  })
})
