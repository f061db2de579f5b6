import { expect, it } from 'vitest'
import { createKey } from '../src/engine/access/keys.ts'
import type { Route } from '../src/http/requests/route.ts'
import { defineSite, page, piece } from '../src/index.ts'
import { loginCall, makeUser, PASSWORD, tokenOf } from './people.ts'
import { sample } from './sample.ts'
import { describeService } from './service.ts'
import { send } from './wire.ts'

const site = defineSite({
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
  types: [
    piece('topic', { publicApiProjection: ['title'] }),
    page('open-page'),
    page('guarded-page', { editRole: 'admin', publishRole: 'admin' }),
    page('hidden-page', { viewRole: 'admin' }),
    piece('vault', { viewRole: 'admin' }),
  ],
})

describeService('§5 gates that others left open', { site, isLong: true }, (service) => {
  const clearThrottle = () => service.app.store.transaction((tx) => tx.throttle.removeBefore(Date.now() * 2))

  it('§4.2 nothing comes below a page of a type that the caller may not change', async () => {
    const made = async (type: string, title: string, _targetId = '_home') =>
      (await service.admin.post('@cms/page', { type, title, _targetId, _position: 'lastChild' })).body._id as string
    const [guarded, hidden, mine] = [
      await made('guarded-page', 'Guarded'),
      await made('hidden-page', 'Hidden'),
      await made('open-page', 'Mine'),
    ]
    const inside = await made('open-page', 'Inside', guarded)
    const tree = async () => JSON.stringify((await service.admin.get('@cms/page', 'all=1')).body)
    const before = await tree()
    for (const [_targetId, _position, status] of [
      [guarded, 'lastChild', 403],
      [guarded, 'firstChild', 403],
      [guarded, '0', 403],
      [inside, 'before', 403],
      [inside, 'after', 403],
      [hidden, 'lastChild', 404],
      [hidden, 'before', 404],
    ] as const) {
      const place = { _targetId, _position }
      const answers = [
        await service.editor.patch(`@cms/page/${mine}`, place),
        await service.editor.put(`@cms/page/${mine}`, { title: 'Mine', ...place }),
        await service.editor.post('@cms/page', { type: 'open-page', title: 'New', ...place }),
        await service.editor.post('@cms/page', { type: 'open-page', _copyingId: mine, ...place }),
      ]
      expect({ ...place, statuses: answers.map((answer) => answer.status) }).toEqual({
        ...place,
        statuses: [status, status, status, status],
      })
    }
    expect((await service.editor.patch(`@cms/page/${guarded}`, { _targetId: mine, _position: 0 })).status).toBe(403)
    expect(await tree()).toBe(before)
  })

  /** Documents by whom they are hidden from. */
  async function hiddenDocuments(): Promise<Record<string, readonly string[]>> {
    const made = async (path: string, body: object = {}, query = '') =>
      (await service.admin.post(path, { title: 'Hidden', ...body }, query)).body.aposDocId as string
    const place = { _targetId: '_home', _position: 'lastChild' }
    const known = [await made('@cms/page', { type: 'hidden-page', ...place }), await made('vault')]
    const archived = await made('topic')
    await service.admin.post(`topic/${archived}/archive`)
    const anonymous = [
      await made('topic', { visibility: 'loginRequired' }),
      await made('topic', {}, 'aposMode=draft'),
      await made('topic', {}, 'aposLocale=fr'),
      await made('@cms/page', { type: 'open-page', ...place }),
    ]
    const guest = [...known, archived]
    return { anonymous: [...guest, ...anonymous], guest, contributor: known, editor: known }
  }

  /** Names a document in every way that a route knows; the answer without its id. */
  async function answerOf(route: Route, role: string, id: string): Promise<string> {
    const place = { _targetId: '_home', _position: 'lastChild', type: 'open-page' }
    const many = { _ids: [id], toLocale: 'fr', toLocales: ['fr'] }
    const hasBody = route.method !== 'GET' && route.method !== 'DELETE'
    const { status, text } = await send(service.address, {
      method: route.method,
      path: `${route.path.replace(':_id', id)}?_ids[]=${id}&aposLocale=en`,
      headers: {
        'content-type': 'application/json',
        ...(role === 'anonymous' ? {} : { authorization: `ApiKey key-${role}` }),
      },
      ...(hasBody ? { body: JSON.stringify({ title: 'T', ...place, ...many, _copyingId: id }) } : {}),
    })
    return `${status} ${text.replaceAll(id, 'ID')}`
  }

  it('§5.8 by no route does what is hidden look other than what is not there', async () => {
    const told: string[] = []
    const routes = service.app.routes.filter(({ tag }) => tag === 'page' || service.app.site.types.has(tag))
    for (const [role, ids] of Object.entries(await hiddenDocuments())) {
      for (const route of sample(routes, Math.ceil(routes.length / 3))) {
        const missing = await answerOf(route, role, '01aaaaaaaaaaaaaaaaaaaaaaaa')
        for (const id of ids) {
          const hidden = await answerOf(route, role, id)
          if (hidden !== missing) told.push(`${route.operationId} tells ${role}: ${hidden} instead of ${missing}`)
        }
      }
    }
    expect(told).toEqual([])
  })

  it('§5.6 no other way to write the address of login is counted on its own', async () => {
    await makeUser(service.app, 'counted')
    const paths = ['/api/v1/@cms/login/login', '/fr/api/v1/@cms/login/login', '/api/v1/%40cms/login/login']
    const body = JSON.stringify({ username: 'counted', password: 'wrong password' })
    const statuses: number[] = []
    for (let n = 0; n < 6; n += 1) {
      const path = `${paths[n % paths.length]}?n=${n}`
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': `10.0.0.${n}`, cookie: `a=${n}` }
      statuses.push((await send(service.address, { method: 'POST', path, headers, body })).status)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    for (const path of ['/api/v1/@cms/login/LOGIN', '/API/v1/@cms/login/login', '//api/v1/@cms/login/login']) {
      const headers = { 'content-type': 'application/json' }
      // At another spelling there is no route, or one of pages, which takes no POST.
      expect([404, 405, 429]).toContain((await send(service.address, { method: 'POST', path, headers, body })).status)
    }
    await clearThrottle()
  })

  it('§5.4 tokens and sessions are never taken from an address', async () => {
    await makeUser(service.app, 'careful')
    const token = await tokenOf(service.address, 'careful')
    for (const name of ['apikey', 'apiKey']) {
      expect((await service.anonymous.get('topic', `${name}=${token}`)).status).toBe(401)
    }
    for (const name of ['token', 'access_token', 'bearer', 'sid', 'session', 'aposCrossDomainSessionToken']) {
      expect((await service.anonymous.get('topic', `aposMode=draft&${name}=${token}`)).status).toBe(401)
    }
    const answers = [
      await loginCall(service.address, 'login', { username: 'careful', password: PASSWORD, session: true }),
      await fetch(`${service.address}/api/v1/topic?username=careful&password=${encodeURIComponent(PASSWORD)}`),
    ]
    for (const { url, headers } of answers)
      expect([headers.get('location'), url.includes(token)]).toEqual([null, false])
  })

  it('§5.5 a key of a user never has more than the user', async () => {
    const userId = await makeUser(service.app, 'small', { role: 'contributor' })
    const operator = service.app.context({ kind: 'operator' })
    const { key } = await createKey(operator, { name: 'too much', role: 'admin', userId })
    const status = async (path: string, body?: object) => {
      const headers = { authorization: `ApiKey ${key}`, 'content-type': 'application/json' }
      const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) }
      return (await fetch(`${service.address}/api/v1/${path}`, init)).status
    }
    expect(await status('topic?aposMode=draft', { title: 'Draft' })).toBe(200)
    expect(await status('topic', { title: 'Published' })).toBe(403)
    expect(await status('@cms/user')).toBe(403)
  })
})
