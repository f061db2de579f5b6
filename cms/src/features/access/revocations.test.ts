import { afterAll, beforeAll, expect, it } from 'vitest'
import { referenceSite } from '../../../../conformance/site.ts'
import { cookieOf, loginCall, makeUser, PASSWORD, tokenOf } from '../../../test/people.ts'
import { describeService } from '../../../test/service.ts'
import { type App, createApp } from '../../app.ts'
import { findAccount } from '../../engine/access/accounts.ts'
import { authentication } from '../../engine/access/authenticate.ts'
import { createKey } from '../../engine/access/keys.ts'
import { hashOf, newSecret } from '../../engine/access/secrets.ts'
import { issueToken, LIFETIME } from '../../engine/access/tokens.ts'

const HOUR = 60 * 60 * 1000

describeService('§5.6 the end of tokens, sessions and keys', { isLong: true }, (service) => {
  let other: App
  let otherAddress: string
  let count = 0

  beforeAll(async () => {
    other = await createApp(referenceSite({}), { database: service.databaseUrl })
    otherAddress = await other.listen(0, '127.0.0.1')
  })
  afterAll(async () => {
    await other?.close()
  })

  const operator = () => service.app.context({ kind: 'operator' })
  const statusAt = async (address: string, headers: Record<string, string>) =>
    (await fetch(`${address}/api/v1/article?aposMode=draft`, { headers })).status
  const statuses = (address: string, all: readonly Record<string, string>[]) =>
    Promise.all(all.map((headers) => statusAt(address, headers)))

  /** A user with a token, a session and a key, each used on both processes. */
  async function signedIn(fields: object = {}) {
    count += 1
    const username = `user${count}`
    const id = await makeUser(service.app, username, { role: 'editor', ...fields })
    const token = await tokenOf(service.address, username)
    const cookie = await cookieOf(otherAddress, username)
    const { key } = await createKey(operator(), { name: username, role: 'admin', userId: id })
    const all = [{ authorization: `Bearer ${token}` }, { cookie }, { authorization: `ApiKey ${key}` }]
    expect(await statuses(service.address, all)).toEqual([200, 200, 200])
    expect(await statuses(otherAddress, all)).toEqual([200, 200, 200])
    return { id, username, token, cookie, key, all }
  }

  async function expectEnded(all: readonly Record<string, string>[]) {
    expect(await statuses(service.address, all)).toEqual([401, 401, 401])
    await expect.poll(() => statuses(otherAddress, all)).toEqual([401, 401, 401])
  }

  it.each([
    ['another password', { password: 'another password' }],
    ['the same password again', { password: PASSWORD }],
    ['disabling', { disabled: true }],
    ['archiving', { archived: true }],
  ])(
    '§5 %s revokes all of a user’s credentials at once in this process and within a second in others',
    async (_name, change) => {
      const { id, all } = await signedIn()
      const bystander = await signedIn()
      const answer = await service.admin.patch(`@cms/user/${id}`, change)
      expect(answer.status).toBe(200)
      await expectEnded(all)
      expect(await statuses(otherAddress, bystander.all)).toEqual([200, 200, 200])
    },
  )

  it('§5 deleting a user revokes all their credentials', async () => {
    const { id, all } = await signedIn()
    expect((await service.admin.delete(`@cms/user/${id}`)).status).toBe(200)
    await expectEnded(all)
  })

  it('§5 a user enabled again has to sign in: revoked credentials stay revoked', async () => {
    const { id, username, all } = await signedIn()
    await service.admin.patch(`@cms/user/${id}`, { disabled: true })
    await service.admin.patch(`@cms/user/${id}`, { disabled: false })
    await expectEnded(all)
    expect(await tokenOf(service.address, username)).toHaveLength(43)
  })

  it('§5 other changes of a user revoke nothing, and a new role applies at once', async () => {
    const { id, all, key } = await signedIn()
    await service.admin.patch(`@cms/user/${id}`, { lastName: 'Changed' })
    expect(await statuses(service.address, all)).toEqual([200, 200, 200])
    await service.admin.patch(`@cms/user/${id}`, { role: 'guest' })
    expect(await statuses(service.address, all)).toEqual([403, 403, 403])
    await service.admin.patch(`@cms/user/${id}`, { role: 'editor' })
    // The key was made for an admin's work, and has no more than its user.
    const users = await fetch(`${service.address}/api/v1/@cms/user`, { headers: { authorization: `ApiKey ${key}` } })
    expect(users.status).toBe(403)
  })

  it('§5 logout revokes the credential that was sent and no other, in all processes', async () => {
    const { token, cookie, all } = await signedIn()
    await loginCall(service.address, 'logout', {}, { authorization: `Bearer ${token}` })
    expect(await statuses(service.address, all)).toEqual([401, 200, 200])
    await expect.poll(() => statuses(otherAddress, all)).toEqual([401, 200, 200])
    await loginCall(otherAddress, 'logout', {}, { cookie, origin: otherAddress })
    expect(await statuses(otherAddress, all)).toEqual([401, 401, 200])
    await expect.poll(() => statuses(service.address, all)).toEqual([401, 401, 200])
  })

  it('§5 a half-finished sign-in is refused', async () => {
    const { id } = await signedIn()
    const secret = newSecret()
    const now = Date.now()
    const times = { createdAt: new Date(now).toISOString(), expiresAt: new Date(now + HOUR).toISOString() }
    await service.app.store.transaction((tx) =>
      tx.tokens.add({ hash: hashOf(secret), userId: id, kind: 'token', state: 'pending', ...times }),
    )
    expect(await statusAt(service.address, { authorization: `Bearer ${secret}` })).toBe(401)
  })

  it('§5 a token lives 14 days from its last use, and is written at most once an hour', async () => {
    const { token } = await signedIn()
    let now = Date.now()
    const at = (app: App) =>
      authentication({ ...app.context({ kind: 'operator' }), now: () => new Date(now) }, []).authenticate
    const use = () => at(service.app)({ kind: 'bearer', secret: token })
    const ends = async () => Date.parse((await service.app.store.tokens.byHash(hashOf(token)))?.expiresAt ?? '')
    const first = await ends()
    now = first - LIFETIME + HOUR - 1
    await use()
    expect(await ends()).toBe(first)
    now += 1
    await use()
    expect(await ends()).toBe(now + LIFETIME)
    now += LIFETIME - 1000
    await expect(use()).resolves.toMatchObject({ kind: 'user' })
    now += LIFETIME
    await expect(use()).rejects.toMatchObject({ name: 'unauthorized' })
  })

  it('§5 a password that is changed, or a user who is disabled, while it is checked signs nobody in', async () => {
    for (const change of [{ password: 'another password' }, { disabled: true }]) {
      const id = await makeUser(service.app, `meanwhile${Object.keys(change)}`)
      const account = await findAccount(operator(), id)
      if (account === null) throw new Error('The user is not there.')
      expect(await issueToken(operator(), account, 'token')).toEqual(expect.any(String))
      expect(await service.admin.patch(`@cms/user/${id}`, change)).toMatchObject({ status: 200 })
      expect(await issueToken(operator(), account, 'token')).toBe(null)
    }
  })

  it('§5 a credential seen within a second is not looked up again', async () => {
    const { all } = await signedIn()
    for (const headers of all) {
      await statusAt(service.address, headers)
      const before = service.statements.length
      await statusAt(service.address, headers)
      const sent = service.statements.slice(before)
      expect(sent.filter((sql) => /tokens|api_keys/.test(sql))).toEqual([])
    }
  })
})
