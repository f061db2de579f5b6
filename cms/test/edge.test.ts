import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ANYTHING, EVERYTHING, Tags } from '../src/engine/tags.ts'
import { purgeRequests } from '../src/features/purging/purge-requests.ts'
import { createApp, defineSite, page, piece } from '../src/index.ts'
import { compileSite } from '../src/model/compile/site.ts'
import type { SitePurge } from '../src/model/declared/purge.ts'
import { sampledDatabases } from './databases.ts'
import { Dice } from './dice.ts'
import { comparedText, EdgeCache, keptAnswer } from './edge-cache.ts'
import { site as edgeSite } from './edge-site.ts'
import { PASSWORD } from './people.ts'
import { startPurgeReceiver } from './purge-receiver.ts'
import { RandomRequests } from './random-requests.ts'
import { isWhole, seed } from './sample.ts'
import { describeService, startService } from './service.ts'
import { SERVING_KEYS, serve } from './serving.ts'
import { type Processes, startProcesses } from './two-processes.ts'

const SITE = fileURLToPath(new URL('./edge-site.ts', import.meta.url))
const WRITES = isWhole ? 60 : 5
const READS = 40
/** As `QUIRE_PURGE_TOKEN` gives it. */
const TOKEN = 'token-of-the-cache'

const withPurge = (purge: object) => ({ ...edgeSite, options: { ...edgeSite.options, purge } })

/** A cache in front of two processes, which keeps what they allow until it is purged. */
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
    const processes = await startProcesses(databases, false, { declaration, background: 0 })
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

const note = piece('note', {
  publicApiProjection: ['title', '_others'],
  fields: { add: { _others: { type: 'relationship', withType: 'note' } } },
})
const small = (purge?: object) =>
  defineSite({
    baseUrl: 'https://site.example',
    sitemap: true,
    types: [note, page('landing')],
    ...(purge === undefined ? {} : { purge: purge as { url: string; kind: 'http' } }),
  })

const receiving = await startPurgeReceiver()

describeService(
  '§6.8 the cache in front',
  {
    site: small({ kind: 'http', url: receiving.url, allowPrivate: true, sharedMaxAge: 3600 }),
    isLong: true,
    timeout: 60_000,
  },
  (service) => {
    const headersOf = async (path: string, headers: Record<string, string> = {}) =>
      (await fetch(service.address + path, { headers, redirect: 'manual' })).headers
    const tagsOf = async (path: string, headers: Record<string, string> = {}) =>
      (await headersOf(path, headers)).get('cache-tag')?.split(',') ?? null
    const waiting = () => service.app.store.purges.countWaiting()
    const isTold = () => expect.poll(waiting, { timeout: 20_000 }).toBe(0)

    test('gets answers to anonymous callers with their tags, and says for how long it keeps them', async () => {
      const { body } = await service.admin.post('note', { title: 'One' })
      for (const path of ['/api/v1/note', `/api/v1/note/${body.aposDocId}`, '/sitemap.xml', '/api/v1/note?perPage=1']) {
        const headers = await headersOf(path)
        expect([path, headers.get('cache-control')]).toEqual([path, 'public, max-age=0, s-maxage=3600'])
        expect(headers.get('surrogate-key')).toBe(headers.get('cache-tag')?.replaceAll(',', ' '))
        expect(headers.get('cache-tag')?.split(',')[0]).toBe(EVERYTHING)
        const etag = headers.get('etag') ?? ''
        const again = await fetch(service.address + path, { headers: { 'if-none-match': etag } })
        expect([again.status, again.headers.get('cache-tag')]).toEqual([304, headers.get('cache-tag')])
      }
      expect(await tagsOf('/api/v1/note')).not.toBe(null)
    })

    test('gets no tags with what is for one caller, with drafts, failures, redirects and writes', async () => {
      const known = { authorization: 'ApiKey key-editor' }
      const untagged: [string, Record<string, string>][] = [
        ['/api/v1/note', known],
        ['/', known],
        ['/api/v1/note?aposMode=draft', known],
        ['/?aposMode=draft', {}],
        ['/no-such-page', {}],
        ['/api/v1/note/none', {}],
        ['/api/v1/@cms/login/whoami', {}],
        ['/api/v1/health', {}],
      ]
      for (const [path, headers] of untagged) {
        const answered = await headersOf(path, headers)
        expect([path, answered.get('cache-tag'), answered.get('surrogate-key')]).toEqual([path, null, null])
        expect(answered.get('cache-control')).not.toContain('s-maxage')
      }
      await service.admin.post('@cms/user', { title: 'erin', username: 'erin', password: PASSWORD, role: 'editor' })
      const cookie = 'site.sid=none'
      expect((await headersOf('/api/v1/note', { cookie })).get('cache-control')).toMatch(/s-maxage|no-store/)
    })

    test('learns names with at most two kilobytes, those of a list where there are more', async () => {
      const others: { _id: string }[] = []
      const content = service.app.context({ kind: 'operator' }).as({ role: 'editor', name: 'Test' })
      await content.transaction(async (content) => {
        for (let count = 0; count < 260; count += 1) {
          const { _id } = await content.insert('note', { title: `Note ${count}` })
          others.push({ _id: String(_id) })
        }
      })
      const { body } = await service.admin.post('note', { title: 'Many', _others: others })
      const path = `/api/v1/note/${body.aposDocId}?withRelationships=_others`
      const header = (await headersOf(path)).get('surrogate-key') ?? ''
      expect(header.length).toBeLessThanOrEqual(2048)
      expect(header.split(' ')).not.toContain(ANYTHING)
      await isTold()
      receiving.received.length = 0
      await service.admin.patch(`note/${others.at(-1)?._id}`, { title: 'Another title' })
      await isTold()
      const told = receiving.received.flatMap(({ tags }) => tags)
      expect(header.split(' ').some((tag) => told.includes(tag))).toBe(true)
      expect(told).not.toContain(EVERYTHING)
    })

    test('is told again of what it has not taken, once it takes it, and then once more', async () => {
      await isTold()
      const path = '/api/v1/note?sort=title'
      const before = await tagsOf(path)
      receiving.state.status = 503
      receiving.received.length = 0
      await service.admin.post('note', { title: 'While it is away' })
      await expect.poll(() => receiving.received.length, { timeout: 20_000 }).toBeGreaterThan(0)
      expect(await waiting()).toBeGreaterThan(0)
      receiving.state.status = 200
      receiving.received.length = 0
      await isTold()
      const told = new Set(receiving.received.flatMap(({ tags }) => tags))
      expect(before?.some((tag) => told.has(tag))).toBe(true)
      const metrics = await (
        await fetch(`${service.address}/api/v1/metrics`, { headers: { authorization: 'ApiKey key-admin' } })
      ).text()
      expect(metrics).toMatch(/quire_purges_total\{result="failed"\} [1-9]/)
      expect(metrics).toMatch(/quire_purges_total\{result="sent"\} [1-9]/)
      expect(metrics).toContain('quire_purges_waiting 0')
      const repeats = await service.app.store.purges.listDue(Date.now() + 60_000, 100)
      expect(repeats.every(({ isRepeated }) => isRepeated)).toBe(true)
    })

    test('is told to forget everything where that is less than all that waits', async () => {
      await isTold()
      receiving.received.length = 0
      const names = [1, 2, 3]
      await service.app.store.transaction(async ({ purges }) => {
        for (let count = 0; count < 1_001; count += 1) await purges.add({ names, due: Date.now(), isRepeated: false })
      })
      await isTold()
      expect(receiving.received.map(({ tags }) => tags)).toContainEqual([EVERYTHING])
    })

    test('hears nothing of what was rolled back', async () => {
      await isTold()
      receiving.received.length = 0
      const content = service.app.context({ kind: 'operator' }).as({ role: 'editor', name: 'Test' })
      const work = content.transaction(async (content) => {
        await content.insert('note', { title: 'Rolled back' })
        throw new Error('no')
      })
      await expect(work).rejects.toThrow('no')
      expect(await waiting()).toBe(0)
    })
  },
)

describe('§6.8 purges', () => {
  const tags = new Tags(Buffer.alloc(32, 1))
  const purgeOf = (kind: SitePurge['kind'], headers = {}): SitePurge => ({
    ...{ kind, headers, url: 'https://cache.example/purge', allowPrivate: false },
    ...{ atStart: true, maxAge: 0, sharedMaxAge: null },
  })

  test.each([
    ['fastly', 'POST', 'surrogate-key', 256],
    ['cloudflare', 'POST', 'content-type', 30],
    ['varnish', 'PURGE', 'surrogate-key', 500],
    ['http', 'POST', 'content-type', 1_000],
  ] as const)('are sent as %s takes them: all names, some at a time, or everything', (kind, method, header, most) => {
    const names = Array.from({ length: most + 10 }, (_, index) => index)
    const requests = purgeRequests(purgeOf(kind, { 'X-Own': 'own' }), tags, names)
    expect(requests).toHaveLength(2)
    for (const request of requests) {
      expect(request).toMatchObject({ method, url: 'https://cache.example/purge' })
      expect(request.headers).toMatchObject({ 'X-Own': 'own', [header]: expect.any(String) })
    }
    const told = requests.flatMap(({ headers, body }) =>
      body === '' ? (headers['surrogate-key'] ?? '').split(' ') : JSON.parse(body).tags,
    )
    expect(told).toEqual(expect.arrayContaining(tags.of(names)))
    const all = [
      purgeRequests(purgeOf(kind), tags, null),
      purgeRequests(
        purgeOf(kind),
        tags,
        Array.from({ length: most * 11 }, (_, index) => index),
      ),
    ]
    for (const [request, ...more] of all) {
      expect(more).toEqual([])
      expect(`${request?.headers['surrogate-key'] ?? ''}${request?.body}`).toContain(EVERYTHING)
    }
  })

  test('say nothing of names to those without the secret, and the same in all processes', () => {
    const others = new Tags(Buffer.alloc(32, 2))
    expect(tags.of([1, 2, 1])).toEqual(new Tags(Buffer.alloc(32, 1)).of([1, 2, 1]))
    expect(tags.of([1, 2])).not.toEqual(others.of([1, 2]))
    expect(tags.of([-1, 2 ** 31 - 1]).every((tag) => /^[\da-z]{1,7}$/.test(tag))).toBe(true)
  })

  const problemsOf = (purge: object) => {
    try {
      compileSite(small(purge))
      return []
    } catch (error) {
      return error instanceof Error && 'problems' in error ? error.problems : error
    }
  }

  test.each([
    [{}, 'purge.url'],
    [{ url: 'https://cache.example/', kind: 'nginx' }, 'purge.kind'],
    [{ url: 'http://cache.example/', kind: 'http' }, 'purge.url'],
    [{ url: 'https://me:secret@cache.example/', kind: 'http' }, 'purge.url'],
    [{ url: 'https://cache.example/', kind: 'http', headers: { 'a b': 'c' } }, 'purge.headers.a b'],
    [{ url: 'https://cache.example/', kind: 'http', headers: { Host: 'c' } }, 'purge.headers.Host'],
    [{ url: 'https://cache.example/', kind: 'http', headers: { 'X-Key': 'a\nb' } }, 'purge.headers.X-Key'],
    [{ url: 'https://cache.example/', kind: 'http', sharedMaxAge: -1 }, 'purge.sharedMaxAge'],
    [{ url: 'https://cache.example/', kind: 'http', maxage: 1 }, 'purge.maxage'],
  ])('are declared soundly: not %j', (purge, path) => {
    expect(problemsOf(purge)).toEqual(expect.arrayContaining([expect.objectContaining({ path })]))
    expect(JSON.stringify(problemsOf(purge))).not.toContain('secret@')
  })

  test.each(['fastly', 'cloudflare'] as const)('need the credential that %s asks for', async (kind) => {
    const [databases] = sampledDatabases('credential')
    if (databases === undefined) return
    const database = await databases.createReady()
    onTestFinished(() => database.drop())
    const declaration = small({ kind, url: 'https://cache.example/' })
    const app = await createApp(declaration, { database: database.url })
    onTestFinished(() => app.close())
    await expect(app.listen(0, '127.0.0.1')).rejects.toThrow(/QUIRE_PURGE_TOKEN/)
    const right = await createApp(declaration, { database: database.url, purgeToken: TOKEN })
    onTestFinished(() => right.close())
    expect(await right.listen(0, '127.0.0.1')).toContain('http://')
  })

  test('are sent with the credential, which no log and no answer has', async () => {
    const receiver = await startPurgeReceiver()
    onTestFinished(() => receiver.close())
    receiver.state.status = 500
    const [databases] = sampledDatabases('tokens')
    if (databases === undefined) return
    const service = await startService(databases, {
      site: small({ kind: 'http', url: receiver.url, allowPrivate: true }),
      purgeToken: TOKEN,
    })
    onTestFinished(() => service.stop())
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBeGreaterThan(0)
    await expect.poll(() => JSON.stringify(service.logged), { timeout: 20_000 }).toContain('was not told')
    expect(receiver.received[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`)
    expect(JSON.stringify(service.logged)).not.toContain(TOKEN)
    for (const path of ['openapi.json', 'note', 'metrics'])
      expect(JSON.stringify((await service.admin.get(path)).body)).not.toContain(TOKEN)
  })

  test('are neither recorded nor named where the site does not ask for them', async () => {
    const [databases] = sampledDatabases('without')
    if (databases === undefined) return
    const service = await startService(databases, { site: small() })
    onTestFinished(() => service.stop())
    await service.admin.post('note', { title: 'One' })
    const answered = await fetch(`${service.address}/api/v1/note`)
    expect(answered.headers.get('cache-control')).toBe('public, no-cache')
    expect(answered.headers.get('surrogate-key') ?? answered.headers.get('cache-tag')).toBe(null)
    await pause(10)
    expect(await service.app.store.purges.firstDue()).toBe(null)
  })
})
