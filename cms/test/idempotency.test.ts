import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { unavailable } from '../src/base/errors.ts'
import type { Context } from '../src/engine/context.ts'
import { insert } from '../src/engine/operations/insert.ts'
import { route } from '../src/http/requests/route.ts'
import { defineSite, type Feature, piece, write } from '../src/index.ts'
import { TABLES_VERSION } from '../src/store/migrations/index.ts'
import { tablesAt } from '../src/store/open-store.ts'
import { rowsOf } from './consistency.ts'
import { type TestDatabase, testDatabases } from './databases.ts'

/** What the routes of the test's own do next. */
const control = { fails: 0, runs: 0, wait: 0 }

async function makeNote(ctx: Context): Promise<void> {
  const type = ctx.site.types.get('note')
  if (type === undefined) throw new Error('There are notes.')
  const { locale, mode } = ctx
  await write(ctx, (ctx) => insert(ctx, { type, locale, mode }, { title: 'Made' }))
}

const own: Feature = {
  name: 'own',
  routes: () =>
    (['before', 'after'] as const).map((when) =>
      route({
        method: 'POST',
        path: `/api/v1/fails-${when}`,
        summary: 'Fails sometimes',
        tag: 'test',
        operationId: `fails-${when}`,
        answer: {},
        handle: async (ctx) => {
          control.runs += 1
          await pause(control.wait)
          if (when === 'after') await makeNote(ctx)
          control.fails -= 1
          if (control.fails >= 0) throw unavailable('Not now.')
          return { runs: control.runs }
        },
      }),
    ),
}

const site = defineSite({
  types: [piece('note', { fields: { add: { code: { type: 'string', max: 5 } } } })],
  features: [own],
})
const KEYS = (['editor', 'contributor', 'admin'] as const).map((role) => ({ key: `key-${role}`, role, name: role }))

describe.each(testDatabases)('§0.9 Idempotency-Key, on $name', (databases) => {
  let database: TestDatabase
  let apps: App[]
  let addresses: string[]

  beforeAll(async () => {
    database = await databases.createReady()
    apps = []
    for (let n = 0; n < 2; n += 1) apps.push(await createApp(site, { database: database.url, keys: KEYS }))
    addresses = await Promise.all(apps.map((app) => app.listen(0, '127.0.0.1')))
  })
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()))
    await database.drop()
  })

  async function sent(
    path: string,
    body: object,
    key: string,
    given: { role?: string; method?: string; at?: number } = {},
  ) {
    const { role = 'editor', method = 'POST', at = 0 } = given
    const headers = { authorization: `ApiKey key-${role}`, 'content-type': 'application/json', 'idempotency-key': key }
    const response = await fetch(`${addresses[at]}/api/v1/${path}`, { method, headers, body: JSON.stringify(body) })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const notes = async () => {
    const answer = await fetch(`${addresses[0]}/api/v1/note?perPage=1&apikey=key-editor`)
    return ((await answer.json()) as { total: number }).total
  }

  it('the same request again gets the same answer, and does nothing', async () => {
    const before = await notes()
    const [first, second] = [
      await sent('note', { title: 'Once' }, 'one'),
      await sent('note', { title: 'Once' }, 'one', { at: 1 }),
    ]
    expect(first.status).toBe(200)
    expect([second.status, second.text]).toEqual([first.status, first.text])
    for (const name of ['etag', 'content-type', 'cache-control'])
      expect(second.headers.get(name)).toBe(first.headers.get(name))
    expect(await notes()).toBe(before + 1)
    const { aposDocId } = JSON.parse(first.text)
    const patch = { $push: { tags: 'x' }, title: 'Patched' }
    const patched = await sent(`note/${aposDocId}`, patch, 'patch', { method: 'PATCH' })
    expect((await sent(`note/${aposDocId}`, patch, 'patch', { method: 'PATCH' })).text).toBe(patched.text)
  })

  it('requests at once, in two processes, are carried out once: all wait for the answer', async () => {
    const before = await notes()
    control.wait = 0
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) => sent('note', { title: 'At once' }, 'two', { at: n % 2 })),
    )
    expect(new Set(all.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(await notes()).toBe(before + 1)
  })

  it('another body or query is a conflict; another caller, path or method is another request', async () => {
    const first = await sent('note', { title: 'A' }, 'three')
    expect((await sent('note', { title: 'B' }, 'three')).status).toBe(409)
    expect((await sent('note?aposMode=draft', { title: 'A' }, 'three')).status).toBe(409)
    const others = [
      await sent('note', { title: 'A' }, 'three', { role: 'admin' }),
      await sent('note', { title: 'A' }, 'four'),
    ]
    expect(new Set([first, ...others].map(({ text }) => JSON.parse(text)._id)).size).toBe(3)
    expect((await sent('note', { title: 'A' }, 'a key')).status).toBe(400)
    expect((await sent('note', { title: 'A' }, 'k'.repeat(256))).status).toBe(400)
  })

  it('an answer is not repeated to a caller whose role was lowered, and is to one whose role was raised', async () => {
    const first = await sent('note?aposMode=draft', { title: 'Then' }, 'roles')
    for (const [role, status] of [
      ['contributor', 409],
      ['admin', 200],
    ] as const) {
      const keys = [{ key: 'key-editor', role, name: 'editor' }]
      const app = await createApp(site, { database: database.url, keys })
      addresses[2] = await app.listen(0, '127.0.0.1')
      const again = await sent('note?aposMode=draft', { title: 'Then' }, 'roles', { at: 2 })
      await app.close()
      expect([role, again.status, again.text === first.text]).toEqual([role, status, status === 200])
    }
  })

  it('of a body with a password nothing is kept; of others a digest that no backup can check', async () => {
    const bodies = async () => {
      const [rows = []] = await rowsOf(database.url, ['select body from idempotency order by since, id'])
      return rows.map(({ body }) => body)
    }
    const user = { title: 'Ann', username: 'ann', role: 'guest' }
    const before = (await bodies()).length
    const first = await sent('@cms/user', { ...user, password: 'a first pass phrase' }, 'user', { role: 'admin' })
    expect(first.status).toBe(200)
    const again = await sent('@cms/user', { ...user, password: 'another pass phrase' }, 'user', { role: 'admin' })
    expect(again.text).toBe(first.text)
    expect((await bodies()).slice(before)).toEqual([''])
    await sent('note', { title: 'Compared' }, 'compared')
    const [[row] = []] = await rowsOf(database.url, ['select value from secrets'])
    const secret = Buffer.from(String(row?.value), 'base64')
    const text = JSON.stringify(['en', {}, { title: 'Compared' }])
    expect(secret).toHaveLength(32)
    expect(await bodies()).toContain(createHmac('sha256', secret).update(text).digest('base64url'))
    expect((await tablesAt(TABLES_VERSION)).map(({ name }) => name)).not.toContain('secrets')
  })

  it('refusals are kept; failures of ours are not', async () => {
    const refused = await sent('note', { title: 'Long', code: 'too long' }, 'five')
    expect(refused.status).toBe(400)
    expect((await sent('note', { title: 'Long', code: 'too long' }, 'five')).text).toBe(refused.text)
    Object.assign(control, { fails: 1, runs: 0 })
    expect((await sent('fails-before', {}, 'six')).status).toBe(503)
    expect((await sent('fails-before', {}, 'six')).status).toBe(200)
    expect((await sent('fails-before', {}, 'six')).text).toBe('{"runs":2}')
  })

  it('what failed after it was committed is not done again', async () => {
    const before = await notes()
    Object.assign(control, { fails: 1, runs: 0 })
    expect((await sent('fails-after', {}, 'seven')).status).toBe(503)
    const again = await sent('fails-after', {}, 'seven')
    expect([again.status, JSON.parse(again.text).message]).toEqual([409, expect.stringMatching(/was carried out/)])
    expect([control.runs, await notes()]).toEqual([1, before + 1])
  })

  it('who may not do it is not told what another request was answered', async () => {
    await sent('note', { title: 'Mine' }, 'eight')
    expect((await sent('note', { title: 'Mine' }, 'eight', { role: 'contributor' })).status).toBe(403)
    expect((await sent('note', { title: 'Mine' }, 'eight', { role: 'nobody' })).status).toBe(401)
  })

  it('a process that stood still, while another one has taken the request over, commits nothing', async () => {
    const before = await notes()
    control.wait = 1_500
    const still = sent('fails-after', {}, 'still')
    await expect.poll(() => rowsOf(database.url, ['select id from idempotency where answer is null'])).not.toEqual([[]])
    await pause(200)
    // As if it had not renewed its lease.
    await apps[0]?.store.transaction((tx) => tx.idempotency.removeBefore(Date.now()))
    const taken = sent('fails-after', {}, 'still', { at: 1 })
    const [refused, answered] = await Promise.all([still, taken])
    control.wait = 0
    expect([refused.status, answered.status]).toEqual([503, 200])
    expect(refused.text).toContain('taken over')
    expect(await notes()).toBe(before + 1)
    expect((await sent('fails-after', {}, 'still')).text).toBe(answered.text)
  })

  it('after a day a key is new; what a process left before it committed anything, soon', async () => {
    const store = apps[0]?.store
    const now = Date.now()
    const first = JSON.parse((await sent('note', { title: 'Day' }, 'nine')).text)
    await store?.transaction((tx) => tx.idempotency.removeBefore(now - 1))
    expect(JSON.parse((await sent('note', { title: 'Day' }, 'nine')).text)._id).toBe(first._id)
    await store?.transaction((tx) => tx.idempotency.removeBefore(Date.now() + 1))
    expect(JSON.parse((await sent('note', { title: 'Day' }, 'nine')).text)._id).not.toBe(first._id)
    const request = { id: 'left', body: 'x', until: now + 1_000 }
    const claim = (at: number) => store?.transaction((tx) => tx.idempotency.claim(request, at, at - 1_000_000))
    expect([await claim(now), await claim(now + 500), await claim(now + 1_500)]).toEqual([true, false, true])
    const commit = (since: number) => store?.transaction((tx) => tx.idempotency.commit({ id: 'left', since }))
    expect([await commit(now), await commit(now + 1_500)]).toEqual([false, true])
    expect([await claim(now + 5_000), await claim(now + 2_000_000)]).toEqual([false, true])
  })
})
