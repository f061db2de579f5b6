import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { referenceSite } from '../../../../conformance/site.ts'
import { rowsOf } from '../../../test/consistency.ts'
import { cookieOf, hashesDuring, loginCall, makeUser, PASSWORD } from '../../../test/people.ts'
import { describeService } from '../../../test/service.ts'
import { type App, createApp } from '../../app.ts'
import { afterFailure, countAttempt, forgetOldAttempts, undoAttempt } from '../../engine/access/throttle.ts'
import { networkOf } from './sign-in.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

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

  it('§5.6 on a device where its user has signed in, a name is not blocked by others; but the device is', async () => {
    const deviceOf = async (username: string) => {
      const cookies = (await cookieOf(service.address, username)).split('; ')
      return { cookie: cookies.find((one) => /[.]device=/.test(one)) ?? '' }
    }
    const [anns, bobs] = [await deviceOf('ann'), await deviceOf('bob')]
    const signIn = (password: string, device: { cookie: string }, n: number) => {
      const headers = { ...from(`10.9.0.${n}`), ...device }
      return statusOf(loginCall(trustingAddress, 'login', { username: 'ann', password }, headers))
    }
    for (let n = 1; n <= 5; n += 1) await attempt('ann', 'wrong', undefined, `10.8.0.${n}`)
    expect(await signIn(PASSWORD, { cookie: '' }, 1)).toBe(429)
    expect(await signIn(PASSWORD, bobs, 2)).toBe(429)
    expect(await signIn(PASSWORD, { cookie: `${anns.cookie}A` }, 3)).toBe(429)
    expect(await signIn(PASSWORD, anns, 4)).toBe(200)
    for (let n = 11; n <= 15; n += 1) expect(await signIn('wrong', anns, n)).toBe(401)
    expect(await signIn(PASSWORD, anns, 16)).toBe(429)
  })

  it('§5.6 an attempt that fails leaves a row for the name and one for the network, a refused one none', async () => {
    const rows = async () => (await rowsOf(service.databaseUrl, ['select key from throttle'])).flat().length
    for (let n = 1; n <= 5; n += 1) {
      expect(await statusOf(attempt('nobody', 'wrong', undefined, `10.10.0.${n}`))).toBe(401)
      expect(await rows()).toBe(1 + n)
    }
    expect(await statusOf(attempt('nobody', 'wrong', undefined, '10.10.0.6'))).toBe(429)
    expect(await rows()).toBe(6)
  })

  it('§5 unknown names are blocked like known ones', async () => {
    for (let n = 1; n <= 5; n += 1) await attempt('nobody', 'wrong', undefined, `10.0.1.${n}`)
    expect(await statusOf(attempt('nobody', 'wrong', undefined, '10.0.1.9'))).toBe(429)
    for (let n = 1; n <= 5; n += 1) await attempt('10.0.1.77', 'wrong', undefined, `10.0.2.${n}`)
    expect(await statusOf(attempt('10.0.1.77', 'wrong', undefined, '10.0.1.9'))).toBe(429)
    // An address is no name.
    expect(await statusOf(attempt('bob', PASSWORD, undefined, '10.0.1.77'))).toBe(200)
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

  it('§5 a success gives the address its attempt back: five failures are still allowed', async () => {
    const address = '10.7.0.1'
    for (let n = 1; n <= 4; n += 1) expect(await statusOf(attempt('bob', PASSWORD, undefined, address))).toBe(200)
    const statuses: number[] = []
    for (let n = 1; n <= 6; n += 1) statuses.push(await statusOf(attempt(`z${n}`, 'wrong', undefined, address)))
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
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

describeService('§5.6 counting attempts', {}, (service) => {
  const START = Date.parse('2026-03-01T12:00:00Z')
  const at = (time: number) => ({ ...service.app.context({ kind: 'operator' }), now: () => new Date(time) })
  const stored = async (key: string) => {
    const [attempts] = await service.app.store.transaction((tx) => tx.throttle.lock([key]))
    return attempts
  }
  /** Counts so many attempts that fail. */
  const fail = async (time: number, keys: readonly string[], count: number) => {
    for (let n = 0; n < count; n += 1) await countAttempt(at(time), keys)
  }

  it('§5 a success takes back its own attempt, none that was counted meanwhile, and resets the name', async () => {
    const [name, address] = ['name a', 'address a']
    await fail(START, [name, address], 1)
    const counted = await countAttempt(at(START + 1), [name, address])
    await fail(START + 2, [name, address], 1)
    expect(await stored(address)).toEqual({ key: address, failures: 3, since: START, blocks: 0, until: 0 })
    await undoAttempt(at(START + 3), counted, name)
    expect(await stored(address)).toEqual({ key: address, failures: 2, since: START, blocks: 0, until: 0 })
    expect(await stored(name)).toEqual({ key: name, failures: 0, since: 0, blocks: 0, until: 0 })
  })

  it('§5 a success lifts the block that it began itself, and no other one', async () => {
    const [name, address] = ['name b', 'address b']
    await fail(START, [address], 4)
    const fifth = await countAttempt(at(START), [name, address])
    expect(await stored(address)).toMatchObject({ failures: 0, blocks: 1, until: START + MINUTE })
    await undoAttempt(at(START), fifth, name)
    expect(await stored(address)).toEqual({ key: address, failures: 4, since: START, blocks: 0, until: 0 })
    const slow = await countAttempt(at(START), [name, address])
    await fail(START + 2 * MINUTE, [address], 5)
    await undoAttempt(at(START + 2 * MINUTE), slow, name)
    expect(await stored(address)).toMatchObject({ failures: 0, blocks: 2, until: START + 4 * MINUTE })
  })

  it('§5 a block ends at its last moment, and says how many seconds are left, rounded up', async () => {
    await fail(START, ['free'], 1)
    await fail(START, ['c'], 5)
    const before = service.statements.length
    const until = START + MINUTE
    for (const [time, retryAfter] of [
      [START, 60],
      [until - 1001, 2],
      [until - 1000, 1],
      [until - 1, 1],
    ] as const) {
      // With a key that is not blocked, too; nothing is written.
      for (const keys of [['c'], ['c', 'free'], ['free', 'c']]) {
        await expect(countAttempt(at(time), keys)).rejects.toMatchObject({ name: 'toomany', data: { retryAfter } })
      }
    }
    expect(service.statements.slice(before).filter((text) => text.includes('into throttle'))).toEqual([])
    await fail(until, ['c'], 1)
    expect(await stored('c')).toMatchObject({ failures: 1, blocks: 1 })
  })

  it('§5 of attempts that are counted at the same moment, five are', async () => {
    const count = (_: unknown, n: number) => countAttempt(at(START), n % 2 ? ['d', `other ${n}`] : [`other ${n}`, 'd'])
    const all = await Promise.allSettled(Array.from({ length: 20 }, count))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect(await stored('d')).toMatchObject({ failures: 0, blocks: 1, until: START + MINUTE })
  })

  it('§5 what was counted is forgotten a day after the last failure and the end of the last block', async () => {
    await fail(START, ['failed'], 1)
    await fail(START, ['blocked'], 5)
    const kept = async (time: number) => {
      await forgetOldAttempts(at(time))
      const found = await Promise.all(['failed', 'blocked'].map(stored))
      return found.filter((attempts) => attempts?.since === START).map((attempts) => attempts?.key)
    }
    expect(await kept(START + DAY)).toEqual(['failed', 'blocked'])
    expect(await kept(START + DAY + 1)).toEqual(['blocked'])
    expect(await kept(START + DAY + MINUTE)).toEqual(['blocked'])
    expect(await kept(START + DAY + MINUTE + 1)).toEqual([])
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
    // What was counted, when the next failure comes, and what is counted then.
    ['the last moment of a minute', { failures: 2, since: 0 }, MINUTE, { failures: 3, since: 0, until: 0 }],
    ['the next moment', { failures: 2, since: 0 }, MINUTE + 1, { failures: 1, since: MINUTE + 1, until: 0 }],
    [
      'the fifth failure',
      { failures: 4, since: 0 },
      MINUTE,
      { failures: 0, since: MINUTE, blocks: 1, until: 2 * MINUTE },
    ],
    ['the end of a block', { blocks: 1, until: MINUTE }, MINUTE, { failures: 1, blocks: 1, until: MINUTE }],
    ['a day after a block', { blocks: 3, until: DAY }, 2 * DAY, { failures: 1, blocks: 3, until: DAY }],
    ['more than a day after a block', { blocks: 3, until: DAY }, 2 * DAY + 1, { failures: 1, blocks: 0 }],
    ['a day after a failure', { blocks: 3, since: DAY, until: 1 }, 2 * DAY, { failures: 1, blocks: 3 }],
    ['more than a day after it', { blocks: 3, since: DAY, until: 1 }, 2 * DAY + 1, { failures: 1, blocks: 0 }],
  ])('§5 a failure at %s', (_what, before, now, after) => {
    expect(afterFailure({ ...fresh, ...before }, now)).toMatchObject(after)
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
