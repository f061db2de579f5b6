import { createApp } from 'quire-cms'
import { describe, expect, onTestFinished, test } from 'vitest'
import { quietLog } from '../src/cli/command/json-log.ts'
import { compileSite } from '../src/model/compile/site.ts'
import { sql } from '../src/store/database/sql.ts'
import { open, openDatabase } from '../src/store/open-store.ts'
import { inconsistencies } from './consistency.ts'
import { testDatabases } from './databases.ts'
import { poolers } from './store-databases.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { site } from './tiny-site.ts'
import { startTransactionPooler } from './transaction-pooler.ts'

const KEY = 'abcdef0123456789abcdef0123456789abcdef'
const servers = testDatabases.filter(({ name }) => name === 'PostgreSQL')
const ways = [
  { way: 'listening to the server itself', listenAt: (url: string) => url },
  // Nothing answers at the other one.
  { way: 'listening to one of two servers', listenAt: (url: string) => url.replace('@', '@127.0.0.1:1,') },
  { way: 'asking', listenAt: () => 'none' },
]
const cases = servers.flatMap((databases) =>
  poolers.flatMap((one) => ways.map((way) => ({ databases, ...one, ...way }))),
)

describe.each(cases)('§0.11 behind $pooler, $way', ({ databases, start, listenAt }) => {
  async function opened() {
    const database = await databases.create()
    const pooler = await start(database.url)
    onTestFinished(async () => {
      await pooler.close()
      await database.drop()
    })
    return { url: pooler.url, direct: database.url, listenAt: listenAt(database.url) }
  }

  test('two services serve one database: what one saves the other answers next, and everything agrees', async () => {
    const { url, direct, listenAt } = await opened()
    const uploads = await temporaryFolder('quire-pooled')
    const keys = [{ role: 'editor' as const, key: KEY, name: 'Test' }]
    const options = { database: url, listenAt, keys, uploads, poolSize: 4 }
    const apps = await Promise.all([createApp(site, options), createApp(site, options)])
    onTestFinished(async () => {
      for (const app of apps) await app.close()
    })
    const [one = '', other = ''] = await Promise.all(apps.map((app) => app.listen(0, '127.0.0.1')))
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
    const save = async (address: string, title: string) => {
      const body = JSON.stringify({ title })
      const response = await fetch(`${address}/api/v1/note`, { method: 'POST', headers, body })
      expect(response.status).toBe(200)
      return response.headers.get('quire-revision') ?? ''
    }
    const total = async (address: string, revision: string) => {
      const after = revision === '' ? {} : { 'quire-revision': revision }
      const response = await fetch(`${address}/api/v1/note?perPage=1`, { headers: after })
      return ((await response.json()) as { total: number }).total
    }
    for (let count = 1; count <= 10; count += 1) {
      const [from, to] = count % 2 === 0 ? [one, other] : [other, one]
      expect(await total(to, await save(from, `Note ${count}`))).toBe(count)
    }
    // Cached answers, too, are those of now.
    for (let count = 0; count < 5; count += 1) await (await fetch(`${other}/api/v1/note?perPage=1`)).text()
    await Promise.all(
      Array.from({ length: 20 }, (_, count) => save(count % 2 === 0 ? one : other, `Together ${count}`)),
    )
    for (const address of [one, other]) await expect.poll(() => total(address, '')).toBe(30)
    expect(await inconsistencies(direct, compileSite(site))).toEqual([])
  })

  test('statements, snapshots and exclusive work do not depend on the connection that they had before', async () => {
    const { url, listenAt } = await opened()
    const store = await open(url, { log: quietLog, listenAt, poolSize: 4 })
    onTestFinished(() => store.close())
    const read = () => store.snapshot(async (reader) => reader.settings.get('nothing'))
    expect(await Promise.all(Array.from({ length: 20 }, read))).toEqual(Array(20).fill(null))
    const database = await openDatabase(url, { log: quietLog, listenAt, poolSize: 4 })
    onTestFinished(() => database.close())
    const order: string[] = []
    const alone = (name: string) =>
      database.startUp(async () => {
        order.push(`${name} begins`)
        await database.reader.all(sql`select pg_sleep(0.05)`)
        order.push(`${name} ends`)
      })
    await Promise.all([alone('one'), alone('two')])
    expect(order.map((line) => line.split(' ')[1])).toEqual(['begins', 'ends', 'begins', 'ends'])
    const version = (await database.reader.all(sql`select value from meta where name = ${'version'}`)).length
    expect(version).toBe(1)
  })
})

test('behind a pooler of transactions, a service that is told of none says what to set', async () => {
  const [databases] = servers
  if (databases === undefined) return
  const database = await databases.createReady()
  const pooler = await startTransactionPooler(database.url)
  onTestFinished(async () => {
    await pooler.close()
    await database.drop()
  })
  const use = async () => {
    const store = await open(pooler.url, { log: quietLog })
    onTestFinished(() => store.close())
    for (let count = 0; count < 20; count += 1) await store.settings.get('nothing')
  }
  await expect(use()).rejects.toThrow()
})
