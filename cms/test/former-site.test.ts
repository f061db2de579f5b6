import { describe, expect, onTestFinished, test } from 'vitest'
import { type App, type AppOptions, createApp, type SiteApp } from '../src/app.ts'
import { checkIndexRows } from '../src/engine/lists/check-index-rows.ts'
import { refreshSearch } from '../src/engine/lists/search-index.ts'
import { defineMigration } from '../src/index.ts'
import { defineSite } from '../src/model/compile/site.ts'
import { piece } from '../src/model/declared/content-type.ts'
import { testDatabases } from './databases.ts'

const text = { type: 'string' } as const
const noteWith = (add: object) => piece('note', { fields: { add }, publicApiProjection: ['title'] } as never)
const former = defineSite({ types: [noteWith({ words: text, size: { type: 'integer' } })] })
const later = defineSite({ types: [noteWith({ text, size: { type: 'float' } })] })
const heavy = defineSite({ types: [piece('note', { searchWeights: { title: 'low' } })] })

const migrations = [
  defineMigration({ name: '0001-words', up: (content) => content.renameField('note', 'words', 'text') }),
]

// biome-ignore lint/suspicious/noExplicitAny: the site is one of several.
type Some = SiteApp<any>

const operator = (app: App) => app.context({ kind: 'operator' })
const editor = (app: Some) => app.as({ role: 'editor', name: 'Test' })

async function started(declaration: object, database: string, options: Partial<AppOptions> = {}): Promise<Some> {
  // `as`: see `Some`.
  const app = (await createApp(declaration as never, { database, ...options })) as Some
  let isClosed = false
  const close = app.close.bind(app)
  app.close = async () => {
    if (!isClosed) await close()
    isClosed = true
  }
  onTestFinished(() => app.close())
  return app
}

describe.each(testDatabases)('§2.14 a process of the former site on $name', { timeout: 120_000 }, ({ create }) => {
  async function place(): Promise<string> {
    const { url, drop } = await create()
    onTestFinished(drop)
    return url
  }

  /** The titles that lists find. */
  async function titles(app: Some, query: object): Promise<string[]> {
    const { results } = await editor(app).find('note', { ...query, sort: 'title', perPage: 100 })
    return results.map(({ title }: { title: string }) => title)
  }

  test('saves what lists and searches of the new one find, although the index was rebuilt before', async () => {
    const url = await place()
    const old = await started(former, url)
    const ids: Record<string, string> = {}
    for (const title of ['Changed', 'Archived', 'Kept']) {
      ids[title] = (await editor(old).insert('note', { title, words: 'first', size: 1 }))._id
    }
    const fresh = await started(later, url, { contentMigrations: { migrations } })
    expect(await titles(fresh, { text: 'first', size: 1 })).toEqual(['Archived', 'Changed', 'Kept'])

    await editor(old).patch('note', ids.Changed ?? '', { words: 'second', size: 2 })
    await editor(old).insert('note', { title: 'New', words: 'second', size: 2 })
    await editor(old).archive('note', ids.Archived ?? '')
    await editor(old).restore('note', ids.Archived ?? '')
    expect(await refreshSearch(operator(old))).toBe(false)
    await expect.poll(() => titles(fresh, { text: 'second', size: 2 })).toEqual(['Changed', 'New'])
    await expect.poll(() => titles(fresh, { text: 'first' })).toEqual(['Archived', 'Kept'])
    expect(await titles(fresh, { search: 'second' })).toEqual(['Changed', 'New'])
    expect(await titles(old, { search: 'second' })).toEqual(['Changed', 'New'])
    await expect.poll(async () => (await checkIndexRows(operator(fresh), 'all')).wrong).toEqual([])
  })

  test('indexes by itself what nobody else does; the next start of the new one rebuilds the index', async () => {
    const url = await place()
    const warnings: string[] = []
    const warn = (_: object, message: string) => void warnings.push(message)
    const old = await started(former, url, { log: { info: () => {}, warn, error: () => {} } })
    await (await started(later, url, { contentMigrations: { migrations } })).close()
    await editor(old).insert('note', { title: 'New', words: 'second', size: 2 })
    await expect.poll(() => warnings).toEqual([expect.stringContaining('A process with other fields')])
    const waiting = async () => (await old.store.documents.unsearched(0, 10)).length
    expect(await waiting()).toBeGreaterThan(0)
    const ctx = operator(old)
    expect(await refreshSearch(ctx)).toBe(false)
    expect(await waiting()).toBeGreaterThan(0)
    expect(await refreshSearch({ ...ctx, now: () => new Date(ctx.now().getTime() + 61_000) })).toBe(false)
    expect(await waiting()).toBe(0)
    const fresh = await started(later, url, { contentMigrations: { migrations } })
    expect(await titles(fresh, { text: 'second', size: 2 })).toEqual(['New'])
    expect((await checkIndexRows(operator(fresh), 'all')).wrong).toEqual([])
  })

  test('is one with other words for search, too', async () => {
    const url = await place()
    const light = defineSite({ types: [piece('note', {})] })
    const old = await started(light, url)
    expect(await refreshSearch(operator(old))).toBe(true)
    const fresh = await started(heavy, url)
    await editor(old).insert('note', { title: 'One' })
    expect(await refreshSearch(operator(old))).toBe(false)
    expect(await refreshSearch(operator(fresh))).toBe(true)
    expect(await titles(fresh, { search: 'one' })).toEqual(['One'])
    await fresh.close()
    const again = await started(light, url)
    expect([await refreshSearch(operator(again)), await refreshSearch(operator(old))]).toEqual([true, true])
  })

  test('is none with the same fields, before whose migrations it has started', async () => {
    const url = await place()
    const first = await started(former, url)
    await editor(first).insert('note', { title: 'One', words: 'first', size: 1 })
    await first.close()
    const running = await started(later, url, { contentMigrations: { migrations, pending: 'log' } })
    expect(await titles(running, { text: 'first' })).toEqual([])
    await (await started(later, url, { contentMigrations: { migrations } })).close()
    expect(await refreshSearch(operator(running))).toBe(true)
    await expect.poll(() => titles(running, { text: 'first' })).toEqual(['One'])
  })

  test('that starts while the new one rebuilds the index waits, and rebuilds it for itself', async () => {
    const url = await place()
    const old = await started(former, url)
    for (let number = 0; number < 60; number += 1) {
      await editor(old).insert('note', { title: `Note ${number}`, words: 'first', size: 1 })
    }
    await old.close()
    let isBegun = () => {}
    const begun = new Promise<void>((resolve) => {
      isBegun = resolve
    })
    const log = { info: (_: object, message: string) => message.includes('rebuilding') && isBegun(), warn: () => {} }
    const starting = started(later, url, { log: { ...log, error: () => {} }, contentMigrations: { migrations } })
    await begun
    const [again, fresh] = await Promise.all([started(former, url), starting])
    expect([await refreshSearch(operator(again)), await refreshSearch(operator(fresh))]).toEqual([true, false])
    expect(await titles(again, { size: 1 })).toHaveLength(60)
    expect((await checkIndexRows(operator(again), 'all')).wrong).toEqual([])
  })
})
