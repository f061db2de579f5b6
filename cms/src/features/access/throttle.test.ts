import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { referenceSite } from '../../../../conformance/site.ts'
import { hashesDuring, loginCall, makeUser, PASSWORD } from '../../../test/people.ts'
import { describeService } from '../../../test/service.ts'
import { type App, createApp } from '../../app.ts'
import { afterFailure } from '../../engine/access/throttle.ts'
import { networkOf } from './sign-in.ts'

const MINUTE = 60_000

describeService('§5.6 throttling', { isLong: true }, (service) => {
  let other: App
  let otherAddress: string
  let trusting: App
  let trustingAddress: string

  beforeAll(async () => {
    await makeUser(service.app, 'ann', { email: 'ann@example.org' })
    await makeUser(service.app, 'bob')
    other = await createApp(referenceSite({}), { database: service.databaseUrl })
    otherAddress = await other.listen(0, '127.0.0.1')
    const site = referenceSite({})
    const behindProxy = { ...site, options: { ...site.options, trustProxy: true } }
    trusting = await createApp(behindProxy, { database: service.databaseUrl })
    trustingAddress = await trusting.listen(0, '127.0.0.1')
  })
  afterAll(async () => {
    await trusting?.close()
    await other?.close()
  })
  afterEach(() => service.app.store.transaction((tx) => tx.throttle.removeBefore(Date.now() * 2)))

  const from = (address: string) => ({ 'x-forwarded-for': address })
  const attempt = (username: string, password = 'wrong password', address = trustingAddress, sender = '') =>
    loginCall(address, 'login', { username, password }, sender === '' ? {} : from(sender))
  const statusOf = async (response: Promise<Response>) => (await response).status

  it('§5 five failures block a name in all processes, from all addresses, for the right password too', async () => {
    for (let n = 1; n <= 5; n += 1) expect(await statusOf(attempt('ann', 'wrong', undefined, `10.0.0.${n}`))).toBe(401)
    const hashes = await hashesDuring(async () => {
      const blocked = await attempt('ANN', PASSWORD, undefined, '10.0.0.77')
      expect(blocked.status).toBe(429)
      const seconds = Number(blocked.headers.get('retry-after'))
      expect(seconds).toBeGreaterThan(50)
      expect(seconds).toBeLessThanOrEqual(60)
      expect(await blocked.json()).toMatchObject({ name: 'toomany', data: { retryAfter: seconds } })
      expect(await statusOf(attempt('ann', PASSWORD, otherAddress))).toBe(429)
    })
    expect(hashes).toBe(0)
    expect(await statusOf(attempt('bob', PASSWORD, undefined, '10.0.0.78'))).toBe(200)
  })

  it('§5 refused attempts write nothing, whatever names they try', async () => {
    for (let n = 1; n <= 5; n += 1) await attempt(`first${n}`, 'wrong', service.address)
    const before = service.statements.length
    for (let n = 1; n <= 10; n += 1) expect(await statusOf(attempt(`further${n}`, 'wrong', service.address))).toBe(429)
    const statements = service.statements.slice(before)
    expect(statements.filter((text) => /(?:insert into|update) throttle/.test(text))).toEqual([])
  })

  it('§5 unknown names are blocked like known ones', async () => {
    for (let n = 1; n <= 5; n += 1) await attempt('nobody', 'wrong', undefined, `10.0.1.${n}`)
    expect(await statusOf(attempt('nobody', 'wrong', undefined, '10.0.1.9'))).toBe(429)
  })

  it('§5 five failures block an address, whatever the names; a success does not reset it', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await attempt(name, 'wrong', service.address)
    expect(await statusOf(attempt('bob', PASSWORD, otherAddress))).toBe(200)
    expect(await statusOf(attempt('e', 'wrong', otherAddress))).toBe(401)
    expect(await statusOf(attempt('bob', PASSWORD, service.address))).toBe(429)
    expect(await statusOf(attempt('bob', PASSWORD, undefined, '10.9.9.9'))).toBe(200)
  })

  it('§5 a success resets the failures of the name', async () => {
    for (let round = 0; round < 3; round += 1) {
      for (let n = 1; n <= 4; n += 1) await attempt('ann', 'wrong', undefined, `10.2.${round}.${n}`)
      expect(await statusOf(attempt('ann', PASSWORD, undefined, `10.2.${round}.9`))).toBe(200)
    }
  })

  it('§5 forwarded addresses count only where a proxy is trusted, and then the one the proxy saw', async () => {
    const statuses: number[] = []
    for (let n = 1; n <= 6; n += 1) {
      statuses.push(await statusOf(attempt(`x${n}`, 'wrong', service.address, `10.3.0.${n}`)))
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    const trusted: number[] = []
    for (let n = 1; n <= 6; n += 1) {
      trusted.push(await statusOf(attempt(`y${n}`, 'wrong', undefined, `10.4.0.${n}, 10.5.0.1`)))
    }
    expect(trusted).toEqual([401, 401, 401, 401, 401, 429])
  })

  it('§5 concurrent attempts get no more tries than sequential ones, on two processes', async () => {
    let statuses: number[] = []
    const hashes = await hashesDuring(async () => {
      statuses = await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          statusOf(attempt('ann', `guess ${n}`, n % 2 ? otherAddress : service.address)),
        ),
      )
    })
    expect(statuses.filter((status) => status === 401)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(35)
    expect(hashes).toBe(5)
  })

  it('§5 many users with the right password sign in at the same moment', async () => {
    const all = Array.from({ length: 12 }, () => statusOf(attempt('bob', PASSWORD, service.address)))
    expect(new Set(await Promise.all(all))).toEqual(new Set([200]))
  })

  it('§5 throttling stores no name and no address', async () => {
    await attempt('somebody@secret.example', 'wrong', undefined, '10.6.0.1')
    const all = await service.app.store.transaction((tx) => tx.throttle.lock(['a']))
    expect(all).toEqual([{ key: 'a', failures: 0, since: 0, blocks: 0, until: 0 }])
    expect(service.statements.join('\n')).not.toContain('somebody@')
  })

  it('§5 no other route reveals whether a password is right', async () => {
    const hashes = await hashesDuring(async () => {
      for (let n = 0; n < 20; n += 1) {
        const headers = { authorization: `Bearer ${PASSWORD.replaceAll(' ', '-')}${n}` }
        const response = await fetch(`${service.address}/api/v1/@cms/login/whoami`, { headers })
        expect(response.status).toBe(401)
      }
      expect((await service.editor.patch('@cms/user/ann', { password: PASSWORD })).status).toBe(403)
      expect((await service.anonymous.get('@cms/user', `password=${PASSWORD}`)).status).toBe(401)
    })
    expect(hashes).toBe(0)
  })
})

describe('§5 what is counted', () => {
  const fresh = { key: 'k', failures: 0, since: 0, blocks: 0, until: 0 }

  it('§5 five failures within a minute block for a minute, then for longer, at most an hour; a quiet day resets', () => {
    let now = 1_000_000_000
    let attempts = fresh
    const blocks: number[] = []
    for (let round = 0; round < 9; round += 1) {
      for (let n = 0; n < 5; n += 1) attempts = afterFailure(attempts, now)
      blocks.push((attempts.until - now) / MINUTE)
      now = attempts.until + 1
    }
    expect(blocks).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
    now += 25 * 60 * MINUTE
    for (let n = 0; n < 5; n += 1) attempts = afterFailure(attempts, now)
    expect(attempts.until - now).toBe(MINUTE)
  })

  it('§5 five failures in more than a minute do not block', () => {
    let attempts = fresh
    for (let n = 0; n < 20; n += 1) attempts = afterFailure(attempts, 1_000_000_000 + n * 16_000)
    expect(attempts.until).toBe(0)
  })

  it.each([
    ['10.1.2.3', '10.1.2.3'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
  ])('§5 the address %s counts as %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})
