import { afterAll, beforeAll, expect, it } from 'vitest'
import { referenceSite } from '../../../../conformance/site.ts'
import { makeUser } from '../../../test/people.ts'
import { describeService } from '../../../test/service.ts'
import { type App, createApp } from '../../app.ts'
import type { Actor } from '../permissions.ts'
import { findAccount, userActor } from './accounts.ts'
import { authentication, currentActor, namedActor } from './authenticate.ts'
import { createKey, revokeKey } from './keys.ts'
import { issuePreview } from './previews.ts'

describeService('§5.5 API keys', {}, (service) => {
  let other: App
  let otherAddress: string

  beforeAll(async () => {
    other = await createApp(referenceSite({}), { database: service.databaseUrl })
    otherAddress = await other.listen(0, '127.0.0.1')
  })
  afterAll(async () => {
    await other?.close()
  })

  const operator = () => service.app.context({ kind: 'operator' })
  const statusAt = async (address: string, query: string, headers: Record<string, string> = {}) =>
    (await fetch(`${address}/api/v1/article${query}`, { headers })).status
  const withKey = (key: string, address = service.address) => statusAt(address, '', { authorization: `Bearer ${key}` })

  it('§5 a key has 32 random bytes and is stored only as a hash', async () => {
    const { key, stored } = await createKey(operator(), { name: 'CI', role: 'editor' })
    expect(Buffer.from(key, 'base64url')).toHaveLength(32)
    expect(JSON.stringify(stored)).not.toContain(key)
    const listed = await service.app.store.keys.list()
    expect(JSON.stringify(listed)).not.toContain(key)
    expect(listed).toContainEqual(stored)
    expect(stored).toMatchObject({ name: 'CI', role: 'editor', ai: false, expiresAt: null, revokedAt: null })
    expect((await createKey(operator(), { name: 'CI', role: 'editor' })).key).not.toBe(key)
    expect(await withKey(key)).toBe(200)
    expect(service.statements.some((sql) => sql.includes(key))).toBe(false)
  })

  it('§5.4 a key can be sent in four ways', async () => {
    const { key } = await createKey(operator(), { name: 'ways', role: 'contributor' })
    expect(await statusAt(service.address, `?apikey=${key}`)).toBe(200)
    expect(await statusAt(service.address, `?apiKey=${key}`)).toBe(200)
    for (const scheme of ['Bearer', 'ApiKey', 'bearer', 'APIKEY']) {
      expect(await statusAt(service.address, '', { authorization: `${scheme} ${key}` })).toBe(200)
    }
    expect(await statusAt(service.address, `?apikey=${key}`, { authorization: `Bearer ${key}` })).toBe(200)
  })

  it.each([
    ['', { authorization: 'Bearer' }],
    ['', { authorization: 'Bearer ' }],
    ['', { authorization: 'ApiKey' }],
    ['', { authorization: 'key-editor' }],
    ['', { authorization: 'Basic a2V5LWVkaXRvcjo=' }],
    ['', { authorization: 'Bearer key-editor key-editor' }],
    ['', { authorization: 'Bearer key-editor, Bearer key-editor' }],
    ['', { authorization: 'Bearer KEY-EDITOR' }],
    ['', { authorization: 'Bearer key-edito' }],
    ['', { authorization: 'Bearer key-editorr' }],
    ['', { authorization: 'Bearer null' }],
    ['', { authorization: 'Bearer undefined' }],
    ['?apikey', {}],
    ['?apikey=', {}],
    ['?apiKey=', {}],
    ['?apikey=%20', {}],
    ['?apikey=wrong', {}],
    ['?apikey[]=key-editor', {}],
    ['?apikey[key]=key-editor', {}],
    ['?apikey=key-editor&apikey=key-editor', {}],
    ['?apikey=key-editor&apikey=wrong', {}],
    ['?apikey=key-editor&apiKey=wrong', {}],
    ['?apikey=key-editor', { authorization: 'Bearer wrong' }],
    ['?apikey=wrong', { authorization: 'Bearer key-editor' }],
  ])('§5 the query “%s” with headers %o is refused, on public routes too', async (query, headers) => {
    for (const path of ['article', 'topic', 'openapi.json']) {
      const response = await fetch(`${service.address}/api/v1/${path}${query}`, { headers })
      const body = (await response.json()) as { name: string }
      expect({ path, status: response.status, name: body.name }).toEqual({ path, status: 401, name: 'unauthorized' })
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
  })

  it('§5.5 a revoked key ends in every process', async () => {
    const { key, stored } = await createKey(operator(), { name: 'short', role: 'editor' })
    expect(await withKey(key)).toBe(200)
    expect(await withKey(key, otherAddress)).toBe(200)
    expect(await revokeKey(operator(), stored.id)).toBe(true)
    await expect.poll(() => withKey(key, otherAddress), { interval: 20 }).toBe(401)
    expect(await withKey(key)).toBe(401)
    expect(await revokeKey(operator(), stored.id)).toBe(false)
    expect(await revokeKey(operator(), 'no-such-key')).toBe(false)
  })

  it('§5 an expired key is refused, even one that expires while in use', async () => {
    const past = await createKey(operator(), { name: 'old', role: 'admin', expiresAt: '2020-01-01T00:00:00.000Z' })
    expect(await withKey(past.key)).toBe(401)
    const expiresAt = new Date(Date.now() + 60_000).toISOString()
    const { key } = await createKey(operator(), { name: 'soon', role: 'admin', expiresAt })
    let now = Date.now()
    const { authenticate } = authentication({ ...operator(), now: () => new Date(now) }, [])
    await expect(authenticate({ kind: 'bearer', secret: key })).resolves.toMatchObject({ role: 'admin', name: 'soon' })
    now = Date.parse(expiresAt) - 500
    await expect(authenticate({ kind: 'bearer', secret: key })).resolves.toMatchObject({ role: 'admin' })
    now = Date.parse(expiresAt)
    await expect(authenticate({ kind: 'bearer', secret: key })).rejects.toMatchObject({ name: 'unauthorized' })
  })

  it('§5.4 a key of the environment is sent as a key or a bearer token, and is no session and no preview', async () => {
    const { authenticate, cached } = authentication(operator(), [
      { key: 'of the environment', role: 'guest', name: 'E' },
    ])
    for (const kind of ['key', 'bearer'] as const) {
      const credential = { kind, secret: 'of the environment' }
      expect(await authenticate(credential)).toMatchObject({ kind: 'key', role: 'guest', name: 'E' })
      expect(cached(credential)).toMatchObject({ name: 'E' })
    }
    for (const kind of ['session', 'preview'] as const) {
      const credential = { kind, secret: 'of the environment' }
      expect(cached(credential)).toBe(null)
      await expect(authenticate(credential)).rejects.toMatchObject({ name: 'unauthorized' })
    }
  })

  it('§4.2b a preview ends at its last moment, whether or not it was used before', async () => {
    const maker = { role: 'editor', name: 'Makes previews' } as const
    const page = { docId: 'a-page', locale: 'en', mode: 'draft' } as const
    const { secret, expiresAt } = await issuePreview(service.app.context(namedActor(maker)), page)
    const at = (time: number) => {
      const ctx = { ...operator(), now: () => new Date(time) }
      return authentication(ctx, [{ ...maker, key: 'makes previews' }]).authenticate({ kind: 'preview', secret })
    }
    const end = Date.parse(expiresAt)
    expect(await at(end - 1)).toMatchObject({ kind: 'preview', docId: 'a-page', makerRole: 'editor' })
    await expect(at(end)).rejects.toMatchObject({ name: 'unauthorized' })
  })

  it('§5 a database key has the role it was created with', async () => {
    for (const [role, draftStatus, secretStatus] of [
      ['guest', 403, 404],
      ['contributor', 200, 404],
      ['editor', 200, 200],
      ['admin', 200, 200],
    ] as const) {
      const { key } = await createKey(operator(), { name: role, role })
      const headers = { authorization: `Bearer ${key}` }
      expect((await fetch(`${service.address}/api/v1/product?aposMode=draft`, { headers })).status).toBe(draftStatus)
      expect((await fetch(`${service.address}/api/v1/secret`, { headers })).status).toBe(secretStatus)
    }
  })

  it('§5 an AI key writes drafts, unless the key says otherwise', async () => {
    const post = async (key: string) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const response = await fetch(`${service.address}/api/v1/topic`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ title: 'Written' }),
      })
      return (await response.json()) as { aposMode: string }
    }
    const drafting = await createKey(operator(), { name: 'ai', role: 'editor', ai: true })
    expect(drafting.stored).toMatchObject({ ai: true, draftsOnly: true })
    expect((await post(drafting.key)).aposMode).toBe('draft')
    const publishing = await createKey(operator(), { name: 'ai', role: 'editor', ai: true, mayPublish: true })
    expect((await post(publishing.key)).aposMode).toBe('published')
  })

  it('§5.5 a key is made for a user who can sign in, and for nobody else', async () => {
    const id = await makeUser(service.app, 'ann')
    const forUser = (userId: string) => createKey(operator(), { name: 'of a user', role: 'admin', userId })
    expect((await forUser(id)).stored).toMatchObject({ userId: id })
    await service.admin.patch(`@cms/user/${id}`, { disabled: true })
    const { body: tag } = await service.admin.post('@cms/image-tag', { title: 'No user' })
    for (const userId of [id, tag.aposDocId, 'nobody']) {
      await expect(forUser(userId)).rejects.toMatchObject({ name: 'notfound' })
    }
  })

  it('§5.5 the rights that a caller has now are those of the key or the user as they are, and none when they are gone', async () => {
    const now = async (actor: Actor) => {
      const current = await currentActor(operator(), actor)
      return current && 'ai' in current ? [current.role, current.ai] : current
    }
    const id = await makeUser(service.app, 'bob', { role: 'guest' })
    const { key, stored } = await createKey(operator(), { name: 'ends', role: 'contributor', userId: id })
    const { authenticate } = authentication(operator(), [])
    const byKey = await authenticate({ kind: 'key', secret: key })
    const account = await findAccount(operator(), id)
    if (account === null) throw new Error('The user is not there.')
    const user = userActor(account)
    expect([await now(byKey), await now(user), await now({ ...user, ai: true })]).toEqual([
      ['guest', false],
      ['guest', false],
      ['guest', true],
    ])
    await service.admin.patch(`@cms/user/${id}`, { role: 'editor' })
    expect([await now(byKey), await now(user)]).toEqual([
      ['contributor', false],
      ['editor', false],
    ])
    await revokeKey(operator(), stored.id)
    await service.admin.patch(`@cms/user/${id}`, { disabled: true })
    expect([await now(byKey), await now(user), await now({ ...user, id: 'nobody' })]).toEqual([null, null, null])
    const ofCode = namedActor({ role: 'editor', name: 'Code of the site' })
    expect(await currentActor(operator(), ofCode)).toEqual(ofCode)
    expect(await currentActor(operator(), { kind: 'operator' })).toEqual({ kind: 'operator' })
  })

  it('§5 no key is ever logged', () => {
    expect(JSON.stringify(service.logged)).not.toMatch(/key-editor|apikey=\w/i)
  })
})
