import { beforeAll, expect, it } from 'vitest'
import { testDatabases } from '../../../test/databases.ts'
import { cookieOf, hashesDuring, loginCall, makeUser, PASSWORD, tokenOf } from '../../../test/people.ts'
import { describeService } from '../../../test/service.ts'
import { createApp } from '../../app.ts'
import { defineSite } from '../../model/compile/site.ts'

describeService('§5.6', { isLong: true }, (service) => {
  let annId: string

  beforeAll(async () => {
    annId = await makeUser(service.app, 'Ann', { firstName: 'Ann', lastName: 'Lee', email: 'ann@example.org' })
  })

  const login = (body: unknown, headers?: Record<string, string>) => loginCall(service.address, 'login', body, headers)
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${service.address}/api/v1/${path}`, { headers })
  const whoAmI = (headers: Record<string, string> = {}) => get('@cms/login/whoami', headers)
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const post = (headers: Record<string, string>) =>
    fetch(`${service.address}/api/v1/topic`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ title: 'By cookie' }),
    })

  it('§5 a token identifies its user until logout', async () => {
    const token = await tokenOf(service.address, 'ann')
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    const response = await whoAmI(bearer(token))
    expect(response.headers.get('cache-control')).toBe('no-store')
    const person = { _id: annId, username: 'Ann', title: 'Ann Lee', email: 'ann@example.org', role: 'editor' }
    expect(await response.json()).toEqual({ ...person, firstName: 'Ann', lastName: 'Lee' })
    expect((await get('article?aposMode=draft', bearer(token))).status).toBe(200)
    const out = await loginCall(service.address, 'logout', {}, bearer(token))
    expect([out.status, await out.json()]).toEqual([200, {}])
    expect((await whoAmI(bearer(token))).status).toBe(401)
    expect((await get('article', bearer(token))).status).toBe(401)
  })

  it('§2 documents a user saves carry the user’s name and nothing else', async () => {
    const response = await post(bearer(await tokenOf(service.address, 'ann@EXAMPLE.org')))
    const { updatedBy, ...saved } = (await response.json()) as { _id: string; updatedBy: object }
    expect(updatedBy).toEqual({ _id: annId, firstName: 'Ann', lastName: 'Lee', username: 'Ann', title: 'Ann Lee' })
    // What a person saves is published, and not marked as made by an AI.
    expect(saved).toMatchObject({ aposMode: 'published' })
    const versions = await service.admin.get('@cms/document-versions', `docId=${saved._id}`)
    expect(versions.body.results).toMatchObject([{ ai: false, author: 'Ann Lee' }])
  })

  it('§5 a session is a cookie hidden from scripts', async () => {
    const response = await login({ email: 'ANN@example.org', password: PASSWORD, session: true })
    expect([response.status, await response.json()]).toEqual([200, {}])
    expect(response.headers.get('cache-control')).toBe('no-store')
    const [sid = '', mark = ''] = response.headers.getSetCookie()
    expect(sid).toMatch(/^[a-z0-9-]+\.sid=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(mark).toMatch(/^[a-z0-9-]+\.loggedIn=true; Max-Age=\d+; Path=\/; SameSite=Lax$/)
    const cookie = sid.split(';')[0] ?? ''
    const read = await get('article?aposMode=draft', { cookie })
    expect([read.status, read.headers.get('cache-control')]).toEqual([200, 'no-store'])
    // A session is no token, nor a key.
    const secret = cookie.split('=')[1] ?? ''
    for (const headers of [bearer(secret), { authorization: `ApiKey ${secret}` }]) {
      expect((await whoAmI(headers)).status).toBe(401)
    }
    expect((await whoAmI({ cookie: cookie.replace(secret, await tokenOf(service.address, 'ann')) })).status).toBe(404)
  })

  it('§5 a stale session cookie is cleared and its caller anonymous; other anonymous answers set no cookies', async () => {
    const cookie = await cookieOf(service.address, 'ann')
    const headers = { cookie, origin: service.address }
    const out = await loginCall(service.address, 'logout', {}, headers)
    expect([out.status, out.headers.getSetCookie().length]).toEqual([200, 2])
    expect(out.headers.getSetCookie().every((one) => one.includes('Max-Age=0'))).toBe(true)
    for (const response of [await get('topic', { cookie }), await whoAmI({ cookie })]) {
      expect(response.headers.getSetCookie().join()).toMatch(/\.sid=; Max-Age=0; Path=\/; HttpOnly/)
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
    expect((await get('topic?aposMode=draft', { cookie })).status).toBe(401)
    for (const other of [{}, { cookie: 'theme=dark' }]) {
      const response = await get('topic', other)
      expect([response.headers.getSetCookie(), response.status]).toEqual([[], 200])
    }
  })

  it.each([
    [{}, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'SELF', 'sec-fetch-site': 'cross-site' }, 403],
    [{ origin: 'SELF', 'sec-fetch-site': 'same-site' }, 403],
    [{ origin: 'SELF.evil.example' }, 403],
    [{ referer: 'SELF/' }, 403],
    [{ origin: 'SELF' }, 200],
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{ 'sec-fetch-site': 'none' }, 200],
  ])('§5 cookie-authenticated changes are accepted from this site’s pages only: %j → %i', async (given, status) => {
    const cookie = await cookieOf(service.address, 'ann')
    const own = Object.entries({ ...given }).map(([name, value]) => [name, value.replace('SELF', service.address)])
    const headers = { cookie, ...Object.fromEntries(own) }
    expect((await post(headers)).status).toBe(status)
    expect((await get('article?aposMode=draft', headers)).status).toBe(200)
    // A token in the header cannot be sent by a foreign page unawares; it outweighs the cookie.
    const token = bearer(await tokenOf(service.address, 'ann'))
    expect((await post({ ...headers, ...token })).status).toBe(200)
    expect((await post({ ...headers, authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await post({ ...headers, authorization: 'ApiKey key-guest' })).status).toBe(403)
  })

  it.each([
    [{}, 200],
    [{ origin: 'SELF' }, 200],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
  ])('§5 what can change nothing needs no such header, but no other site either: %j → %i', async (given, status) => {
    const cookie = await cookieOf(service.address, 'ann')
    const own = Object.entries({ ...given }).map(([name, value]) => [name, value.replace('SELF', service.address)])
    const headers = { cookie, 'content-type': 'application/json', ...Object.fromEntries(own) }
    const { body } = await service.admin.post('article', { title: 'Drawn' })
    const widget = { type: '@cms/rich-text', content: '<p>New</p>' }
    for (const [path, sent] of [
      ['styles/render', { data: {} }],
      ['styles/preview', { data: {} }],
      ['area/render-widget', { _docId: body._id, areaFieldId: 'doc.article.body', widget }],
    ] as const) {
      const url = `${service.address}/api/v1/@cms/${path}`
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(sent) })
      expect({ path, status: response.status }).toEqual({ path, status })
    }
  })

  it('§5 a page of another site cannot start a session, and every session has a new secret', async () => {
    const body = { username: 'ann', password: PASSWORD, session: true }
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const response = await login(body, headers)
      expect([response.status, response.headers.getSetCookie()]).toEqual([403, []])
    }
    const first = await cookieOf(service.address, 'ann')
    const again = await login(body, { cookie: first, origin: service.address })
    expect(again.status).toBe(200)
    const second = again.headers.getSetCookie().join('; ')
    expect(second).not.toContain(/sid=([^;]+)/.exec(first)?.[1])
    expect((await whoAmI({ cookie: first })).status).toBe(404)
    expect((await whoAmI({ cookie: second })).status).toBe(200)
    const name = first.split('=')[0] ?? ''
    const fixed = await login(body, { cookie: `${name}=${'A'.repeat(43)}`, origin: service.address })
    expect(fixed.headers.getSetCookie().join()).not.toContain('A'.repeat(43))
  })

  it('§5 a wrong password, an unknown user, a disabled user and a user without a password get the same answer at the same cost', async () => {
    await makeUser(service.app, 'gone', { disabled: true })
    await makeUser(service.app, 'mute', { password: null })
    const answers: string[] = []
    await login({ username: 'warm', password: 'up' })
    for (const [username, password] of [
      ['ann', 'wrong password'],
      ['nobody', PASSWORD],
      ['gone', PASSWORD],
      ['mute', PASSWORD],
    ]) {
      const work = async () => {
        const response = await login({ username, password })
        answers.push(`${response.status} ${await response.text()}`)
      }
      expect(await hashesDuring(work)).toBe(1)
      await service.app.store.transaction((tx) => tx.throttle.removeBefore(Date.now() * 2))
    }
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toMatch(/^401 \{"name":"unauthorized","message":"[^"]+","data":\{\}\}$/)
  })

  it.each([
    {},
    { username: 'ann' },
    { password: PASSWORD },
    { username: 'ann', password: {} },
    { username: 'ann', password: [PASSWORD] },
    { username: 'ann', password: { $ne: null } },
    { username: ['ann'], password: PASSWORD },
    { username: { toString: 'ann' }, password: PASSWORD },
    { username: 'ann', password: true },
    { username: 'ann', password: 5 },
    { username: 'ann', password: 'x'.repeat(1001) },
    { username: 'ann', password: PASSWORD, session: 'maybe' },
    { username: 'ann', password: PASSWORD, session: {} },
    { email: ['ann@example.org'], password: PASSWORD },
  ])('§5 a malformed sign-in is `invalid` and nothing is hashed: %j', async (body) => {
    let status = 0
    const hashes = await hashesDuring(async () => {
      status = (await login(body)).status
    })
    expect([status, hashes]).toEqual([400, 0])
  })

  it('§5 whoami is `notfound` for anonymous callers and answers keys; the login context has the site’s name', async () => {
    expect((await whoAmI()).status).toBe(404)
    expect((await loginCall(service.address, 'whoami', {})).status).toBe(404)
    expect((await loginCall(service.address, 'logout', {})).status).toBe(200)
    expect(await (await get('@cms/login/context')).json()).toEqual({ name: service.app.site.name })
    expect((await service.wrong.get('@cms/login/whoami')).status).toBe(401)
    expect((await service.anonymous.post('@cms/login/login', { username: 'ann', password: PASSWORD })).status).toBe(200)
  })

  it('§5.6 whoami leaves out what the caller lacks, by GET and POST', async () => {
    const key = { _id: expect.any(String), title: 'editor key', role: 'editor' }
    expect((await service.editor.get('@cms/login/whoami')).body).toEqual(key)
    expect((await service.editor.post('@cms/login/whoami')).body).toEqual(key)
    const id = await makeUser(service.app, 'bare')
    const bare = await whoAmI(bearer(await tokenOf(service.address, 'bare')))
    expect(await bare.json()).toEqual({ _id: id, title: 'bare', username: 'bare', role: 'editor' })
  })

  it('logging out with a key revokes nothing', async () => {
    expect((await service.editor.post('@cms/login/logout')).status).toBe(200)
    expect((await service.editor.get('article', 'aposMode=draft')).status).toBe(200)
  })
})

it('§0 namespace and prefix of the site appear in paths and in the cookie, which is Secure over https', async () => {
  const [databases] = testDatabases
  const database = await databases?.create()
  if (!database) throw new Error('There are no databases.')
  const site = defineSite({
    name: 'My Site!',
    namespace: '@apostrophecms',
    prefix: '/site',
    baseUrl: 'https://example.org',
  })
  const app = await createApp(site, { database: database.url })
  try {
    const id = await makeUser(app, 'ann')
    const address = await app.listen(0, '127.0.0.1')
    const login = `${address}/site/api/v1/@apostrophecms/login`
    const body = JSON.stringify({ username: 'ann', password: PASSWORD, session: true })
    const response = await fetch(`${login}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://example.org' },
      body,
    })
    const [sid = ''] = response.headers.getSetCookie()
    expect(sid).toMatch(/^my-site\.sid=[\w-]+; Max-Age=\d+; Path=\/site; HttpOnly; Secure; SameSite=Lax$/)
    const cookie = sid.split(';')[0] ?? ''
    expect(await (await fetch(`${login}/whoami`, { headers: { cookie } })).json()).toMatchObject({ _id: id })
    const out = (origin: string) => fetch(`${login}/logout`, { method: 'POST', headers: { cookie, origin } })
    expect((await out('http://example.org')).status).toBe(403)
    expect((await out('https://example.org')).status).toBe(200)
    expect((await fetch(`${login}/whoami`, { headers: { cookie } })).status).toBe(404)
  } finally {
    await app.close()
    await database.drop()
  }
})
