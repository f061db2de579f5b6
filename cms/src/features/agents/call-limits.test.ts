import { defineSite, piece } from 'quire-cms'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { agentOf } from '../../../test/agent-caller.ts'
import { rowsOf } from '../../../test/consistency.ts'
import { describeService } from '../../../test/service.ts'
import { type App, createApp } from '../../app.ts'
import { quietLog } from '../../cli/command/json-log.ts'
import { createKey } from '../../engine/access/keys.ts'
import { storeWith } from '../../store/contract/store.ts'
import { CallCounter } from './call-limits.ts'

const site = defineSite({ types: [piece('book')], mcp: { limits: { calls: 40, characters: 2000 } } })

describeService('§4.10 limits of agents', { site }, (service) => {
  let addresses: string[]
  let other: App
  beforeAll(async () => {
    other = await createApp(site, { database: service.databaseUrl, uploads: service.uploads, log: quietLog })
    addresses = [service.address, await other.listen(0, '127.0.0.1')]
  })
  afterAll(() => other.close())
  const operator = () => service.app.context({ kind: 'operator' })
  const newKey = async () => (await createKey(operator(), { name: 'Agent', role: 'contributor', ai: true })).key
  const callers = (key: string) => addresses.map((address) => agentOf(() => address, key))

  it('calls are counted for all processes together', async () => {
    const both = callers(await newKey())
    let done = 0
    for (let count = 0; count < 30; count += 1) {
      const answers = await Promise.all(both.map((call) => call('describe_site')))
      done += answers.filter(({ isError }) => !isError).length
    }
    // A process that took a part which it did not use keeps it.
    expect([done > 36, done <= 40]).toEqual([true, true])
    for (const call of both) {
      const { data } = await call('describe_site')
      expect([data.name, data.retryAfter > 0, data.retryAfter <= 60]).toEqual(['toomany', true, true])
    }
    expect((await callers(await newKey())[1]?.('describe_site'))?.isError).toBe(false)
  })

  it('so are the characters that are written, and reading goes on', async () => {
    const [one, other] = callers(await newKey())
    const write = { type: 'book', values: { title: 'x'.repeat(450) } }
    const answers = []
    for (const call of [one, other, one, other, one, other])
      answers.push((await call?.('write_draft', write))?.data.name)
    expect(answers.filter((name) => name === 'toomany')).toHaveLength(2)
    expect((await other?.('find'))?.isError).toBe(false)
  })

  it('a minute ends, and then there is a new one', async () => {
    const counter = new CallCounter({ calls: 2, characters: 10 })
    let now = Date.now()
    const ctx = { ...operator(), now: () => new Date(now) }
    const count = () => counter.count(ctx, 'one', 0)
    await count()
    await count()
    await expect(count()).rejects.toMatchObject({ name: 'toomany', data: { retryAfter: 60 } })
    now += 59_000
    await expect(count()).rejects.toMatchObject({ data: { retryAfter: 1 } })
    now += 1000
    await count()
    // One that alone has more than a minute's characters is let through as the first of its minute.
    await counter.count(ctx, 'two', 11)
    await expect(counter.count(ctx, 'two', 1)).rejects.toMatchObject({ name: 'toomany' })
  })

  it('reading needs a transaction for each twentieth of the limit only', async () => {
    const counter = new CallCounter({ calls: 100, characters: 10 })
    let transactions = 0
    const { store, ...rest } = operator()
    const transaction: typeof store.transaction = (work) => {
      transactions += 1
      return store.transaction(work)
    }
    const ctx = { ...rest, store: storeWith(store, { transaction }) }
    for (let count = 0; count < 100; count += 1) await counter.count(ctx, 'reader', 0)
    expect(transactions).toBe(20)
    // Nor do those that are refused, but the first.
    for (let count = 0; count < 3; count += 1)
      await expect(counter.count(ctx, 'reader', count)).rejects.toMatchObject({ name: 'toomany' })
    expect(transactions).toBe(21)
  })

  it('what was counted a day ago is forgotten', async () => {
    const kept = async () => (await rowsOf(service.databaseUrl, ['select key_id from agent_minutes']))[0]?.length
    expect(await kept()).toBeGreaterThan(0)
    await service.app.store.transaction(({ agentMinutes }) => agentMinutes.removeBefore(Date.now() + 120_000))
    expect(await kept()).toBe(0)
  })
})
