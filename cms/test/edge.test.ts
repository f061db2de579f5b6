import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { EVERYTHING } from '../src/engine/tags.ts'
import { sampledDatabases } from './databases.ts'
import { Dice } from './dice.ts'
import { comparedText, EdgeCache, keptAnswer } from './edge-cache.ts'
import { site as edgeSite } from './edge-site.ts'
import { startPurgeReceiver } from './purge-receiver.ts'
import { RandomRequests } from './random-requests.ts'
import { isWhole, seed } from './sample.ts'
import { SERVING_KEYS, serve } from './serving.ts'
import { type Processes, startProcesses } from './two-processes.ts'

const SITE = fileURLToPath(new URL('./edge-site.ts', import.meta.url))
const WRITES = isWhole ? 60 : 5
const READS = 40

const withPurge = (purge: object) => ({ ...edgeSite, options: { ...edgeSite.options, purge } })

/** A cache in front of three processes, which keeps what they allow until it is purged. */
class StandIn {
  readonly cache = new EdgeCache()
  readonly #dice = new Dice(seed)
  /** What was purged, in order: answers that were asked for before are not kept. */
  readonly #purges: ReadonlySet<string>[] = []
  hits = 0
  misses = 0

  readonly purge = (tags: readonly string[]): void => {
    this.#purges.push(new Set(tags))
    this.cache.purge(tags)
  }

  async get({ ask, addresses }: Processes, path: string): Promise<string> {
    const kept = this.cache.get(path)
    if (kept !== undefined) {
      this.hits += 1
      return kept.text
    }
    this.misses += 1
    const asked = this.#purges.length
    const [answer = ''] = await ask(this.#dice.pick(addresses), [{ caller: 'anonymous', path }])
    const made = keptAnswer(answer)
    const isPurged = this.#purges.slice(asked).some((tags) => made?.tags.some((tag) => tags.has(tag)))
    if (made !== null && !isPurged) this.cache.keep(path, made)
    return comparedText(answer)
  }
}

describe.each(sampledDatabases('the edge'))('a cache in front, on $name', { timeout: 600_000 }, (databases) => {
  test('§6.8 keeps answers of several processes for a day, and none is stale once a purge was answered', async () => {
    const standIn = new StandIn()
    const receiver = await startPurgeReceiver(standIn.purge)
    onTestFinished(() => receiver.close())
    const declaration = withPurge({ ...edgeSite.options.purge, url: receiver.url })
    const processes = await startProcesses(databases, false, { declaration, background: 0, caching: 3 })
    onTestFinished(() => processes.stop(), 60_000)
    const requests = new RandomRequests(processes, seed)
    await requests.prepare()
    const dice = new Dice(seed)
    for (let write = 0; write < WRITES; write += 1) {
      const paths = requests.publicQuestions().map(({ path }) => path)
      const read = () => standIn.get(processes, dice.pick(paths))
      await Promise.all([requests.change(), ...Array.from({ length: READS }, read)])
      await expect.poll(() => processes.plain.store.purges.countWaiting(), { timeout: 60_000 }).toBe(0)
      const { entries } = standIn.cache
      const now = await processes.askPlain(entries.map(([path]) => ({ caller: 'anonymous', path })))
      const stale = entries.filter(([, { text }], index) => comparedText(now[index] ?? '') !== text)
      expect(stale.map(([path]) => path)).toEqual([])
    }
    expect(receiver.state.mostRunning).toBe(1)
    expect(receiver.received[0]?.tags).toEqual([EVERYTHING])
    expect(standIn.cache.size).toBeGreaterThan(0)
  })
})

describe.each(sampledDatabases('a sender'))('§6.8 a process that dies, on $name', { timeout: 120_000 }, (databases) => {
  test('leaves what it has not told to another one', async () => {
    const receiver = await startPurgeReceiver()
    onTestFinished(() => receiver.close())
    const database = await databases.createReady()
    onTestFinished(() => database.drop())
    const environment = { PURGE_URL: receiver.url, PURGE_AT_START: '0' }
    const start = () => serve(database.url, environment, SITE)
    const first = await start()
    const path = '/api/v1/topic'
    const before = (await fetch(first.address + path)).headers.get('cache-tag')?.split(',') ?? []
    receiver.state.status = 503
    const headers = { authorization: `ApiKey ${SERVING_KEYS.admin}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ title: 'Made before it died' })
    expect((await fetch(first.address + path, { method: 'POST', headers, body })).status).toBe(200)
    const tells = (tags: readonly string[]) => before.some((tag) => tags.includes(tag))
    await expect.poll(() => receiver.received.some(({ tags }) => tells(tags)), { timeout: 30_000 }).toBe(true)
    await first.end('SIGKILL')
    receiver.received.length = 0
    receiver.state.status = 200
    const second = await start()
    onTestFinished(() => void second.end('SIGTERM'))
    await expect.poll(() => receiver.received.some(({ tags }) => tells(tags)), { timeout: 60_000 }).toBe(true)
    expect(receiver.received.flatMap(({ tags }) => tags)).not.toContain(EVERYTHING)
  })
})
