import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { quire } from '../../../test/command.ts'
import { sampledDatabases } from '../../../test/databases.ts'
import { site as edgeSite } from '../../../test/edge-site.ts'
import { small } from '../../../test/edge-small-site.ts'
import { PASSWORD } from '../../../test/people.ts'
import { startPurgeReceiver } from '../../../test/purge-receiver.ts'
import { startService } from '../../../test/service.ts'
import { createApp } from '../../app.ts'
import { EVERYTHING, Tags } from '../../engine/tags.ts'
import { compileSite } from '../../model/compile/site.ts'
import type { SitePurge } from '../../model/declared/purge.ts'
import { purgeRequests } from './purge-requests.ts'

const SITE = fileURLToPath(new URL('../../../test/edge-site.ts', import.meta.url))
const TINY_SITE = fileURLToPath(new URL('../../../test/tiny-site.ts', import.meta.url))
/** Nothing is sent: the test takes what commits have recorded. */
const NEVER_MS = 2 ** 30
/** As `QUIRE_PURGE_TOKEN` gives it. */
const TOKEN = 'token-of-the-cache'

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
    await expect.poll(() => JSON.stringify(service.logged), { timeout: 20_000 }).toContain('Could not purge')
    expect(receiver.received[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`)
    expect(JSON.stringify(service.logged)).not.toContain(TOKEN)
    for (const path of ['openapi.json', 'note', 'metrics'])
      expect(JSON.stringify((await service.admin.get(path)).body)).not.toContain(TOKEN)
  })

  test('are recorded by commands as well, and of everything by `quire purge`', async () => {
    const [databases] = sampledDatabases('commands')
    if (databases === undefined) return
    const service = await startService(databases, { site: edgeSite, timeouts: { background: NEVER_MS } })
    onTestFinished(() => service.stop())
    const { store } = service.app
    const waiting = async () => (await store.purges.listDue(Date.now(), 1_000)).map(({ names }) => names)
    const environment = { QUIRE_DATABASE: service.databaseUrl, QUIRE_USER_PASSWORD: PASSWORD }
    const run = (...args: string[]) => quire(tmpdir(), args, environment)
    await store.transaction(({ purges }) => purges.clear())
    expect(await run('user', 'create', 'erin', '--role', 'guest', '--site', SITE)).toMatchObject({ code: 0 })
    expect((await waiting()).flat().length).toBeGreaterThan(0)
    expect(await run('purge', '--site', SITE)).toMatchObject({
      code: 0,
      out: expect.stringContaining('will be emptied'),
    })
    expect(await waiting()).toEqual([null])
    expect(await run('purge', '--site', TINY_SITE)).toMatchObject({ code: 1, err: expect.stringContaining('"purge"') })
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
    expect(await service.app.store.purges.firstDue()).toBe(null)
  })
})
