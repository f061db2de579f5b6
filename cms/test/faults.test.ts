import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { referenceSite } from '../../conformance/site.ts'
import { createApp } from '../src/app.ts'
import { compileSite } from '../src/model/compile/site.ts'
import { inconsistencies } from './consistency.ts'
import { testDatabases } from './databases.ts'
import { isWhole } from './sample.ts'
import { type Answer, callerOf } from './service.ts'
import { startProxy } from './tcp-proxy.ts'

const KEYS = [{ key: 'key-editor', role: 'editor', name: 'editor' }] as const
const POOL = 4
const site = referenceSite({ QUIRE_ARTICLE_PUBLIC: '1' })
/** Longer than anything is waited for; a loaded machine takes its time. */
const SOON = { timeout: 90_000, interval: 100 }

/** A service whose way to its database can fail, and one beside it whose way does not. */
async function started() {
  const databases = testDatabases.find(({ name }) => name === 'PostgreSQL')
  if (!databases) throw new Error('There is no PostgreSQL to test on.')
  const database = await databases.createReady()
  const url = new URL(database.url)
  const proxy = await startProxy({ host: url.hostname, port: Number(url.port) })
  url.port = String(proxy.port)
  const app = await createApp(site, { database: url.href, keys: KEYS, poolSize: POOL })
  const other = await createApp(site, { database: database.url, keys: KEYS, poolSize: POOL })
  onTestFinished(async () => {
    proxy.mend()
    await app.close()
    await other.close()
    await proxy.close()
    expect(await inconsistencies(database.url, compileSite(site))).toEqual([])
    await database.drop()
  })
  const address = await app.listen(0, '127.0.0.1')
  return {
    proxy,
    databaseUrl: database.url,
    editor: callerOf(address, 'key-editor', null),
    anonymous: callerOf(address, null, null),
    beside: callerOf(await other.listen(0, '127.0.0.1'), 'key-editor', null),
  }
}

/** An answer that says the service cannot do it now, and when to come again (§0.2). */
function isRefusal({ status, body, headers }: Answer): boolean {
  return status === 503 && body.name === 'unavailable' && Number(headers.get('retry-after')) > 0
}

// Minutes of waiting; what is quick of it is in database-faults.test.ts.
describe.runIf(isWhole)('§0.11 faults between the service and PostgreSQL', { timeout: 300_000 }, () => {
  test.each(['cut', 'freeze'] as const)(
    '%s: every request is answered, readiness says so, and it heals by itself',
    async (fault) => {
      const { proxy, editor, anonymous, beside } = await started()
      const { body: before } = await editor.post('article', { title: 'Before' })
      expect((await anonymous.get(`article/${before._id}`)).status).toBe(200)
      proxy[fault]()
      const answers = await Promise.all([
        ...Array.from({ length: 2 * POOL }, (_, number) => editor.post('article', { title: `During ${number}` })),
        editor.get('article'),
        editor.patch(`article/${before._id}`, { title: 'Changed' }),
        editor.get('article', 'search=before'),
      ])
      expect(answers.filter((answer) => !isRefusal(answer)).map(({ status, body }) => [status, body])).toEqual([])
      await expect.poll(async () => isRefusal(await anonymous.get('ready')), SOON).toBe(true)
      // What is in memory cannot be known to be true any more.
      await expect.poll(async () => isRefusal(await anonymous.get(`article/${before._id}`)), SOON).toBe(true)
      expect((await beside.patch(`article/${before._id}`, { title: 'Changed beside' })).status).toBe(200)
      proxy.mend()
      await expect.poll(async () => (await anonymous.get('ready')).status, SOON).toBe(200)
      await expect.poll(async () => (await editor.post('article', { title: 'After' })).status, SOON).toBe(200)
      expect((await anonymous.get(`article/${before._id}`)).body.title).toBe('Changed beside')
      expect((await editor.get('article', 'search=before')).status).toBe(200)
    },
  )

  test('frozen in the middle of a transaction: no lock is left for others', async () => {
    const { proxy, editor, beside } = await started()
    const ids = await Promise.all(
      Array.from(
        { length: POOL },
        async (_, number) => (await editor.post('article', { title: `L${number}` })).body._id,
      ),
    )
    const writes = ids.flatMap((id) =>
      Array.from({ length: 4 }, (_, n) => editor.patch(`article/${id}`, { code: `${n}` })),
    )
    await Promise.race(writes)
    proxy.freeze()
    for (const id of ids) {
      await expect.poll(async () => (await beside.patch(`article/${id}`, { code: 'beside' })).status, SOON).toBe(200)
    }
    proxy.mend()
    for (const answer of await Promise.all(writes)) expect(answer.status === 200 || isRefusal(answer)).toBe(true)
    await expect.poll(async () => (await editor.patch(`article/${ids[0]}`, { code: 'healed' })).status, SOON).toBe(200)
  })

  test('a locked row holds up only those who write it, and not for ever', async () => {
    const { editor, anonymous, databaseUrl } = await started()
    const { body: locked } = await editor.post('article', { title: 'Locked' })
    const { body: free } = await editor.post('article', { title: 'Free' })
    const client = new Client({ connectionString: databaseUrl })
    await client.connect()
    await client.query('begin')
    await client.query('select * from documents where doc_id = $1 for update', [locked.aposDocId])
    const writes = Array.from({ length: 3 * POOL }, (_, n) => editor.patch(`article/${locked._id}`, { code: `${n}` }))
    const others = await Promise.all([anonymous.get('health'), anonymous.get('ready')])
    expect(others.map(({ status }) => status)).toEqual([200, 200])
    const refused = await Promise.all(writes)
    expect(refused.filter((answer) => !isRefusal(answer))).toEqual([])
    expect((await editor.patch(`article/${free._id}`, { code: 'x' })).status).toBe(200)
    await client.query('rollback')
    await client.end()
    expect((await editor.patch(`article/${locked._id}`, { code: 'x' })).status).toBe(200)
  })

  test('slow: everything is answered as ever', async () => {
    const { proxy, editor, anonymous } = await started()
    proxy.slow(15)
    const made = await Promise.all(Array.from({ length: 6 }, (_, n) => editor.post('article', { title: `Slow ${n}` })))
    expect(made.map(({ status }) => status)).toEqual(Array(6).fill(200))
    const [first] = made
    expect((await editor.patch(`article/${first?.body._id}`, { title: 'Slower' })).status).toBe(200)
    expect((await anonymous.get(`article/${first?.body._id}`)).body.title).toBe('Slower')
    expect((await anonymous.get('ready')).status).toBe(200)
  })
})
