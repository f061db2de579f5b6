import { join } from 'node:path'
import { Client } from 'pg'
import { createApp } from 'quire-cms'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { quietLog } from '../src/cli/command/json-log.ts'
import { openDatabase } from '../src/store/open-store.ts'
import { quire } from './command.ts'
import { testDatabases } from './databases.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { site } from './tiny-site.ts'

const KEY = 'abcdef0123456789abcdef0123456789abcdef'
const SITE = join(import.meta.dirname, 'tiny-site.ts')
const servers = testDatabases.filter(({ name }) => name === 'PostgreSQL')

describe.each(servers)('§0.11 several services in one database of $name, each in a schema', (databases) => {
  async function inDatabase(...statements: readonly string[]) {
    const { url, drop } = await databases.create()
    onTestFinished(drop)
    const client = new Client(url)
    await client.connect()
    onTestFinished(() => client.end())
    for (const statement of statements) await client.query(statement)
    const urlOf = (schema: string) => `${url}${url.includes('?') ? '&' : '?'}schema=${schema}`
    return { client, urlOf }
  }

  async function serve(database: string) {
    const outdated = vi.fn()
    const uploads = await temporaryFolder('quire-schema')
    const keys = [{ role: 'editor' as const, key: KEY, name: 'Test' }]
    const app = await createApp(site, { database, uploads, keys, whenOutdated: outdated })
    const address = await app.listen(0, '127.0.0.1')
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
    let isOpen = true
    const close = async () => {
      if (isOpen) await app.close()
      isOpen = false
    }
    onTestFinished(close)
    return {
      outdated,
      close,
      save: async (title: string) => {
        const body = JSON.stringify({ title })
        expect((await fetch(`${address}/api/v1/note`, { method: 'POST', headers, body })).status).toBe(200)
      },
      titles: async (): Promise<string[]> => {
        const response = await fetch(`${address}/api/v1/note?sort[title]=1`, { headers })
        // `as`: what a list answers.
        const { results } = (await response.json()) as { results: { title: string }[] }
        return results.map(({ title }) => title)
      },
    }
  }

  test('they share nothing, and each is backed up, restored and checked by itself while the other goes on', async () => {
    const { client, urlOf } = await inDatabase('create schema blog', 'create schema shop')
    const [blog, shop] = [await serve(urlOf('blog')), await serve(urlOf('shop'))]
    await blog.save('Of the blog')
    await shop.save('Of the shop')
    expect([await blog.titles(), await shop.titles()]).toEqual([['Of the blog'], ['Of the shop']])
    const folder = await temporaryFolder('quire-schemas')
    const command = (schema: string, ...args: readonly string[]) =>
      quire(folder, [...args], { QUIRE_DATABASE: urlOf(schema), QUIRE_UPLOADS: join(folder, schema), QUIRE_SITE: SITE })
    expect(await command('blog', 'backup', 'blog.backup')).toMatchObject({ code: 0 })
    await blog.save('Saved later')
    const whileItRuns = await command('blog', 'restore', 'blog.backup', '--force')
    expect(whileItRuns).toMatchObject({ code: 1, err: expect.stringContaining('in use') })
    await blog.close()
    expect(await command('blog', 'restore', 'blog.backup', '--force')).toMatchObject({ code: 0 })
    for (const schema of ['blog', 'shop']) expect(await command(schema, 'doctor')).toMatchObject({ code: 0 })
    await shop.save('Another one')
    const again = await serve(urlOf('blog'))
    expect([await again.titles(), await shop.titles()]).toEqual([['Of the blog'], ['Another one', 'Of the shop']])
    const { rows } = await client.query("select 1 from pg_tables where schemaname = 'public'")
    expect(rows).toEqual([])
  })

  test('a migration of one does not end the other', async () => {
    const { client, urlOf } = await inDatabase('create schema blog', 'create schema shop')
    const [blog, shop] = [await serve(urlOf('blog')), await serve(urlOf('shop'))]
    await client.query("update blog.meta set value = '9999' where name = 'version'")
    await client.query("select pg_notify('quire_documents', 'tables 9999')")
    await expect.poll(() => blog.outdated.mock.calls.length).toBe(1)
    await shop.save('Still there')
    expect(await shop.titles()).toEqual(['Still there'])
    expect(shop.outdated).not.toHaveBeenCalled()
  })

  test('a schema that is not there, or cannot be one, is named', async () => {
    const { urlOf } = await inDatabase()
    const opened = (schema: string) => openDatabase(urlOf(schema), { log: quietLog })
    await expect(opened('blog')).rejects.toThrow('Create it: create schema blog')
    await expect(opened('public,blog')).rejects.toThrow('30 small letters')
  })
})
