import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createApp, defineSite, piece } from 'quire-cms'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { SiteApp } from '../src/app.ts'
import { LEASE_MS } from '../src/engine/lease.ts'
import { type Job, type JobOutcome, runJob, runWhenDue, startJobs } from '../src/engine/run-jobs.ts'
import { compileSite } from '../src/model/compile/site.ts'
import { ConfigurationError } from '../src/model/terms/configuration-error.ts'
import { quire } from './command.ts'
import { type TestDatabases, testDatabases } from './databases.ts'
import { site as jobSite } from './job-site.ts'
import { serve } from './serving.ts'

const SITE = fileURLToPath(new URL('./job-site.ts', import.meta.url))
const MINUTE = 60_000
/** The promise, and what a busy machine may add. */
const [TAKEN_UP_MS, SLACK_MS] = [10_000, 5_000]

/** What the job of a test does. */
let work: (job: { readonly signal: AbortSignal }) => unknown = () => {}
const note = piece('note')
const site = defineSite({
  types: [note],
  jobs: [
    {
      name: 'digest',
      every: '10m',
      as: { role: 'editor', name: 'Digest' },
      run: async (job) => {
        const { content, log } = job
        await content.insert('note', { title: 'Digest' })
        log.info({}, 'Made.')
        await work(job)
      },
    },
    {
      name: 'report',
      daily: '03:30',
      timeZone: 'Europe/Berlin',
      as: { user: 'nobody' },
      run: ({ content }) => content.count('note'),
    },
  ],
})

async function start(databases: TestDatabases) {
  const database = await databases.createReady()
  const logged: { readonly data: object; readonly message: string }[] = []
  const log = (data: object, message: string) => void logged.push({ data, message })
  const app = await createApp(site, { database: database.url, log: { info: log, warn: log, error: log } })
  onTestFinished(async () => {
    await app.close()
    await database.drop()
  })
  const begun = Date.now()
  const at = (ms: number) => ({ ...app.context({ kind: 'operator' }), now: () => new Date(begun + ms) })
  const job = (name: string) => app.jobs.find((one) => one.name === name) as Job
  const run = (name: string, ms: number, signal?: AbortSignal): Promise<JobOutcome> =>
    runWhenDue(at(ms), job(name), signal)
  const force = (name: string, ms: number) =>
    runJob(at(ms), job(name), { signal: new AbortController().signal, isForced: true })
  const count = (app: SiteApp<never>) =>
    app.context({ kind: 'operator' }).as({ role: 'editor', name: 'Test' }).count('note')
  return { app: app as never as SiteApp<never>, logged, at, run, force, count, begun, databaseUrl: database.url }
}

describe.each(testDatabases)(
  '§6.4 jobs on $name',
  (databases) => {
    it('run when they are due, once for all processes, and then at their next time', async () => {
      work = () => {}
      const { app, run, count, logged, begun } = await start(databases)
      expect(await run('digest', 0)).toBe('not due')
      expect(await run('digest', 9 * MINUTE)).toBe('not due')
      const outcomes = await Promise.all([10, 10, 10].map((minutes) => run('digest', minutes * MINUTE)))
      expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
      expect(await count(app)).toBe(1)
      expect(logged.map(({ message }) => message)).toContain('Made.')
      expect(await app.store.jobs.get('digest')).toMatchObject({
        due: begun + 20 * MINUTE,
        failures: 0,
        error: null,
        holder: null,
      })
      expect(await run('digest', 19 * MINUTE)).toBe('not due')
      expect(await run('digest', 45 * MINUTE)).toBe('done')
      expect((await app.store.jobs.get('digest'))?.due).toBe(begun + 55 * MINUTE)
      const author = await app.context({ kind: 'operator' }).as({ role: 'admin', name: 'x' }).find('note')
      expect(author.results[0]?.updatedBy).toMatchObject({ title: 'Digest' })
    })

    it('wait no longer than their schedule says, whatever it was and whatever the clock showed before', async () => {
      work = () => {}
      const { app, run, at, begun } = await start(databases)
      const due = async () => ((await app.store.jobs.get('digest'))?.due ?? 0) - begun
      await run('digest', 24 * 60 * MINUTE)
      expect(await run('digest', 0)).toBe('not due')
      expect(await due()).toBe(10 * MINUTE)
      const [digest] = app.jobs.filter(({ name }) => name === 'digest')
      const shorter: Job = { ...digest, schedule: { kind: 'interval', ms: MINUTE } } as Job
      expect(await runWhenDue(at(2 * MINUTE), shorter)).toBe('not due')
      expect(await due()).toBe(3 * MINUTE)
      expect(await runWhenDue(at(2.5 * MINUTE), shorter)).toBe('not due')
      expect(await runWhenDue(at(3 * MINUTE), shorter)).toBe('done')
    })

    it('that are due when a service starts do not wait for their interval again', async () => {
      const { app, run, at } = await start(databases)
      await run('digest', 0)
      const { promise: ran, resolve } = Promise.withResolvers<void>()
      work = () => resolve()
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      onTestFinished(() => void vi.useRealTimers())
      const stop = await startJobs(at(60 * MINUTE), app.jobs)
      await vi.advanceTimersByTimeAsync(MINUTE)
      vi.useRealTimers()
      await ran
      await stop()
    })

    it('that are done often go on soon after the database was away', async () => {
      const { at } = await start(databases)
      const ctx = at(0)
      let isAway = true
      let asked = 0
      const jobs = new Proxy(ctx.store.jobs, {
        get: (target, name) => {
          if (name === 'get') asked += 1
          if (isAway) throw new Error('away')
          const value = Reflect.get(target, name)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
      const store = new Proxy(ctx.store, {
        get: (target, name) => (name === 'jobs' ? jobs : Reflect.get(target, name)),
      })
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      onTestFinished(() => void vi.useRealTimers())
      const often: Job = { name: 'often', schedule: { kind: 'interval', ms: 4_000 }, run: async () => {} }
      const stop = await startJobs({ ...ctx, store }, [often])
      await vi.advanceTimersByTimeAsync(401)
      expect(asked).toBe(1)
      await vi.advanceTimersByTimeAsync(4_000)
      expect(asked).toBe(2)
      isAway = false
      await vi.advanceTimersByTimeAsync(4_000)
      vi.useRealTimers()
      await expect.poll(async () => (await ctx.store.jobs.get('often'))?.due).toBeGreaterThan(0)
      await stop()
    })

    it('that fail are logged and counted, and tried again after rising delays, unless they are due before', async () => {
      const { app, run, logged, begun } = await start(databases)
      work = () => Promise.reject(new Error('no paper'))
      await run('digest', 0)
      const dues: number[] = []
      for (let at = 10; dues.length < 6; at = dues.at(-1) ?? 0) {
        expect(await run('digest', at * MINUTE)).toBe('failed')
        dues.push((((await app.store.jobs.get('digest'))?.due ?? 0) - begun) / MINUTE)
      }
      expect(dues).toEqual([11, 13, 17, 25, 35, 45])
      expect(await app.store.jobs.get('digest')).toMatchObject({ failures: 6, error: 'no paper' })
      expect(logged.filter(({ message }) => message === 'A job failed. It will be tried again.')).toHaveLength(6)
      work = () => {}
      expect(await run('digest', 45 * MINUTE)).toBe('done')
      expect(await app.store.jobs.get('digest')).toMatchObject({ failures: 0, error: null })
      await run('report', 0)
      expect(await run('report', 2 * 24 * 60 * MINUTE)).toBe('failed')
      expect((await app.store.jobs.get('report'))?.error).toContain('no user nobody')
    })

    it('that are cut off by a stop are due as before; one that runs is not begun again', async () => {
      const { app, run, force, begun } = await start(databases)
      const stop = new AbortController()
      let begin: () => void = () => {}
      const hasBegun = new Promise<void>((resolve) => {
        begin = resolve
      })
      work = ({ signal }) => {
        begin()
        return new Promise((resolve) => signal.addEventListener('abort', resolve))
      }
      await run('digest', 0)
      const running = run('digest', 10 * MINUTE, stop.signal)
      await hasBegun
      expect(await run('digest', 10 * MINUTE)).toBe('running elsewhere')
      expect(await force('digest', 10 * MINUTE)).toBe('running elsewhere')
      stop.abort()
      await running
      expect(await app.store.jobs.get('digest')).toMatchObject({ due: begun + 10 * MINUTE, holder: null })
      work = () => {}
      expect(await run('digest', 10 * MINUTE)).toBe('done')
      expect(await force('digest', 12 * MINUTE)).toBe('done')
      expect((await app.store.jobs.get('digest'))?.due).toBe(begun + 22 * MINUTE)
    })

    it('that another process has taken are told to stop, and note nothing', async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      onTestFinished(() => void vi.useRealTimers())
      const { app, run, logged, begun } = await start(databases)
      const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>()
      work = ({ signal }) => {
        begin()
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
      }
      await run('digest', 0)
      const running = run('digest', 10 * MINUTE)
      await hasBegun
      const lease = { holder: 'another', now: begun + 12 * MINUTE, until: begun + 13 * MINUTE }
      expect(await app.store.transaction(({ jobs }) => jobs.claim('digest', lease, false))).toBe(true)
      await vi.advanceTimersByTimeAsync(20_000)
      expect(await running).toBe('failed')
      expect(logged.map(({ message }) => message)).toContain(
        'Another process has taken over a job that was running here. It was stopped here.',
      )
      expect(await app.store.jobs.get('digest')).toMatchObject({ holder: 'another', failures: 0, error: null })
    })

    it('run in one process at a time, and what a killed one leaves is begun again when its lease is over', async () => {
      const database = await databases.createReady()
      onTestFinished(() => database.drop())
      const app = await createApp(jobSite, { database: database.url })
      onTestFinished(() => app.close())
      const content = app.as({ role: 'editor', name: 'Test' })
      const runsOf = async (title: string) =>
        (await content.find('run', { title, sort: { begun: 1 }, perPage: 50 })).results
      const serving = await serve(database.url, {}, SITE)
      onTestFinished(async () => void (await serving.end('SIGKILL')))
      await app.listen(0, '127.0.0.1')
      await expect.poll(async () => (await runsOf('tick')).length).toBeGreaterThan(3)
      const runs = await runsOf('tick')
      for (const [index, { begun }] of runs.entries()) {
        if (index > 0) expect(begun).toBeGreaterThanOrEqual(runs[index - 1]?.ended ?? 0)
      }
      expect(await runsOf('endless')).toHaveLength(1)
      await serving.end('SIGKILL')
      await app.close()
      const other = await createApp(jobSite, { database: database.url })
      onTestFinished(() => other.close())
      const endless = other.jobs.find(({ name }) => name === 'endless') as Job
      const state = await other.store.jobs.get('endless')
      // The last one to have it was either killed, or has given it back.
      const after = (ms: number) => ({ ...other.context({ kind: 'operator' }), now: () => new Date(Date.now() + ms) })
      const stop = new AbortController()
      if (state?.holder !== null) expect(await runWhenDue(after(0), endless)).toBe('running elsewhere')
      const again = runWhenDue(after(2 * MINUTE), endless, stop.signal)
      const count = () => other.as({ role: 'editor', name: 'Test' }).count('run', { title: 'endless' })
      await expect.poll(count).toBe(2)
      stop.abort()
      await again
    })

    it('that a killed process was running are taken up within ten seconds, by another one or after a restart', async () => {
      const database = await databases.createReady()
      onTestFinished(() => database.drop())
      const open = async () => {
        const app = await createApp(jobSite, { database: database.url })
        onTestFinished(() => app.close())
        return app
      }
      const watching = await open()
      const begun = () => watching.as({ role: 'editor', name: 'Test' }).count('run', { title: 'endless' })
      const soon = { timeout: TAKEN_UP_MS + SLACK_MS, interval: 50 }
      const first = await serve(database.url, {}, SITE)
      onTestFinished(async () => void (await first.end('SIGKILL')))
      await expect.poll(begun, { timeout: 30_000 }).toBe(1)
      const second = await serve(database.url, {}, SITE)
      onTestFinished(async () => void (await second.end('SIGKILL')))
      // Longer than a lease: it is renewed.
      await pause(LEASE_MS + 5_500)
      expect(await begun()).toBe(1)
      await first.end('SIGKILL')
      await expect.poll(begun, soon).toBe(2)
      await second.end('SIGKILL')
      const again = await open()
      await again.listen(0, '127.0.0.1')
      await expect.poll(begun, soon).toBe(3)
    })
  },
  120_000,
)

describe('§6.4 quire job', () => {
  it('lists jobs, and runs one now', async () => {
    const [databases] = testDatabases
    const database = await databases?.createReady()
    if (database === undefined) throw new Error('There is no database.')
    onTestFinished(() => database.drop())
    await (await createApp(jobSite, { database: database.url })).close()
    const run = (...args: string[]) =>
      quire(tmpdir(), ['job', ...args, '--site', SITE], { QUIRE_DATABASE: database.url })
    expect((await run('list')).out).toContain('tick: next when the service runs; last ended never')
    expect((await run('run', 'tick')).out).toContain('"tick" is done.')
    expect((await run('list')).out).toMatch(/tick: next 20\S+Z; last ended 20\S+Z\n/)
    expect(await run('run', 'tock')).toMatchObject({ code: 1, err: expect.stringContaining('There is no job "tock"') })
  })
})

describe('§6.4 declared jobs', () => {
  it('are checked', () => {
    const run = async () => {}
    const as = { role: 'editor', name: 'Job' }
    const jobs = [
      { name: 'a b', every: '1m', as, run },
      { name: 'twice', every: '1m', as, run },
      { name: 'twice', every: '1m', as, run },
      { name: 'odd', every: '1 minute', as, run },
      { name: 'late', daily: '25:00', as, run },
      { name: 'where', daily: '03:00', timeZone: 'Nowhere', as, run },
    ]
    const mistakesOf = (declared: unknown[]) => {
      try {
        compileSite(defineSite({ jobs: declared as never }))
        return []
      } catch (error) {
        if (!(error instanceof ConfigurationError)) throw error
        return error.problems.map(({ path }) => path)
      }
    }
    expect(mistakesOf(jobs.slice(1))).toEqual(['jobs.1.name', 'jobs.2.every', 'jobs.3.daily', 'jobs.4.daily'])
    expect(mistakesOf(jobs.slice(0, 1))).toEqual(['jobs.0.name'])
    expect(mistakesOf([{ name: 'none', as, run }])).toEqual(['jobs.0'])
    expect(mistakesOf([{ name: 'both', every: '1m', daily: '03:00', as, run }])).toEqual(['jobs.0'])
    expect(mistakesOf([{ name: 'nobody', every: '1m', run }])).toEqual(['jobs.0.as'])
  })
})
