import { createApp } from 'quire-cms'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type TestDatabases, testDatabases } from '../../../test/databases.ts'
import { site } from '../../../test/tiny-site.ts'
import { isLeased } from '../../engine/lease.ts'
import { aloneWith } from './run-seed.ts'

const silentLog = { info: () => {}, warn: () => {}, error: () => {} }

async function start(databases: TestDatabases) {
  const database = await databases.createReady()
  const app = await createApp(site, { database: database.url, log: silentLog })
  onTestFinished(async () => {
    await app.close()
    await database.drop()
  })
  return app.context({ kind: 'operator' })
}

describe.each(testDatabases)('§0.11 what one process at a time does, on $name', (databases) => {
  test('is done by one after the other, and is free again when it fails', async () => {
    const ctx = await start(databases)
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const seen: string[] = []
    const first = aloneWith(ctx, 'content', async () => {
      seen.push('first begins')
      await mayEnd
      seen.push('first ends')
      throw new Error('no paper')
    })
    await expect.poll(() => seen).toEqual(['first begins'])
    expect(await isLeased(ctx, 'content')).toBe(true)
    const second = aloneWith(ctx, 'content', async () => seen.push('second'))
    expect(await aloneWith(ctx, 'something else', async () => 'done')).toBe('done')
    end()
    await expect(first).rejects.toThrow('no paper')
    expect(await second).toBe(3)
    expect(seen).toEqual(['first begins', 'first ends', 'second'])
    expect(await isLeased(ctx, 'content')).toBe(false)
  })

  test('is kept while it takes long, and fails at once when another process has taken it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const real = await start(databases)
    let ahead = 0
    const ctx = { ...real, now: () => new Date(Date.now() + ahead) }
    const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>()
    const endless = aloneWith(ctx, 'content', () => {
      begin()
      return new Promise(() => {})
    })
    const failure = expect(endless).rejects.toThrow('Another process has taken over “content”')
    await hasBegun
    const untilAtFirst = (await ctx.store.jobs.get('content'))?.until ?? 0
    ahead = 8_000
    await vi.advanceTimersByTimeAsync(3_000)
    await expect
      .poll(async () => (await ctx.store.jobs.get('content'))?.until)
      .toBeGreaterThanOrEqual(untilAtFirst + 8_000)
    const lease = { holder: 'another', now: Date.now() + 60_000, until: Date.now() + 120_000 }
    expect(await ctx.store.transaction(({ jobs }) => jobs.claim('content', lease, true))).toBe(true)
    await vi.advanceTimersByTimeAsync(3_000)
    await failure
    expect(await ctx.store.jobs.get('content')).toMatchObject({ holder: 'another' })
  })
})
