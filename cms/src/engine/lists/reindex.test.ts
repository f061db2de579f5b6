import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sampledDatabases, type TestDatabase } from '../../../test/databases.ts'
import { type App, createApp } from '../../app.ts'
import { defineSite } from '../../model/compile/site.ts'
import { piece } from '../../model/declared/content-type.ts'
import { insert } from '../operations/insert.ts'
import { write } from '../write.ts'
import { reindex } from './reindex.ts'

const fields = { add: { color: { type: 'string' }, words: { type: 'string' } } } as const
const shy = defineSite({ types: [piece('note', { fields, publicApiProjection: ['title'] })] })
const open = defineSite({ types: [piece('note', { fields, publicApiProjection: ['title', 'color', 'words'] })] })

describe.each(sampledDatabases('reindex'))('§2.14 reindex on $name', (databases) => {
  let database: TestDatabase
  let app: App
  beforeEach(async () => {
    database = await databases.createReady()
    app = await createApp(shy, { database: database.url })
    const type = app.site.types.get('note')
    if (!type) throw new Error('The site has no notes.')
    await write(app.context({ kind: 'operator' }), async (ctx) => {
      for (let number = 0; number < 450; number += 1) {
        const body = { title: `Note ${number}`, color: number % 9 === 0 ? 'red' : 'blue', words: 'marmalade' }
        await insert(ctx, { type, locale: 'en', mode: 'published' }, body)
      }
    })
  })
  afterEach(async () => {
    await app.close()
    await database.drop()
  })

  async function total(query: string): Promise<number> {
    const address = await app.listen(0, '127.0.0.1')
    const response = await fetch(`${address}/api/v1/note?${query}`)
    const { total } = (await response.json()) as { total: number }
    return total
  }

  test('what a changed site shows to anonymous callers is found by them; every batch is reported', async () => {
    await app.close()
    app = await createApp(open, { database: database.url })
    const steps: [number, number][] = []
    const { count } = await reindex(app.context({ kind: 'operator' }), (...step) => steps.push(step))
    expect(count).toBeGreaterThanOrEqual(900)
    expect(steps.map(([done]) => done)).toEqual([200, 400, 600, 800, count])
    expect(new Set(steps.map(([, of]) => of))).toEqual(new Set([count]))
    expect(await total('search=marmalade')).toBe(450)
  })

  test('one that was interrupted goes on where it was, unless the declarations have changed meanwhile', async () => {
    const interrupted = () =>
      reindex(app.context({ kind: 'operator' }), (done) => {
        if (done === 400) throw new Error('interrupted')
      })
    const goneOn = async () => {
      const steps: number[] = []
      const { count } = await reindex(app.context({ kind: 'operator' }), (done) => steps.push(done))
      return { count, steps }
    }
    await expect(interrupted()).rejects.toThrow('interrupted')
    const { count, steps } = await goneOn()
    expect(steps).toEqual([600, 800, count])
    expect((await goneOn()).steps).toEqual([200, 400, 600, 800, count])
    await expect(interrupted()).rejects.toThrow('interrupted')
    await app.close()
    app = await createApp(open, { database: database.url })
    expect((await goneOn()).steps).toEqual([200, 400, 600, 800, count])
    expect(await total('search=marmalade')).toBe(450)
  })

  test('a start after changed declarations logs how far the index is', async () => {
    await app.close()
    const lines: { readonly data: object; readonly message: string }[] = []
    const note = (data: object, message: string) => void lines.push({ data, message })
    const log = { info: note, warn: note, error: note }
    const changed = { add: { ...fields.add, size: { type: 'integer' } } } as const
    const site = defineSite({ types: [piece('note', { fields: changed, publicApiProjection: ['title', 'color'] })] })
    app = await createApp(site, { database: database.url, log })
    const [first, ...others] = lines.filter(({ message }) => /index/.test(message))
    expect(first?.message).toContain('Field declarations have changed')
    const count = (others.at(-1)?.data as { count: number } | undefined)?.count ?? 0
    expect(count).toBeGreaterThanOrEqual(900)
    expect(others.slice(0, -1).map(({ data }) => data)).toEqual(
      [200, 400, 600, 800].map((done) => ({ done, total: count })),
    )
    expect(await total('color=red')).toBe(50)
  })

  test('a start with other weights or languages indexes the words again; one without changes does not', async () => {
    const publicApiProjection = ['title', 'color', 'words'] as const
    const silent = piece('note', { fields, publicApiProjection, searchWeights: { words: 'none' } })
    const german = { en: { label: 'Not English', language: 'de' } }
    for (const [site, query, expected, isRebuilt] of [
      [open, 'search=marmalades', 450, true],
      [open, 'search=marmalades', 450, false],
      [defineSite({ types: [silent] }), 'search=marmalade', 0, true],
      [defineSite({ types: [silent], locales: german }), 'search=noting', 0, true],
      [open, 'search=noting', 450, true],
    ] as const) {
      await app.close()
      const lines: string[] = []
      const note = (_: object, message: string) => void lines.push(message)
      app = await createApp(site, { database: database.url, log: { info: note, warn: note, error: note } })
      expect(await total(query)).toBe(expected)
      expect([query, lines.some((line) => line.includes('rebuilding the index'))]).toEqual([query, isRebuilt])
    }
  })

  test('done twice it changes nothing', async () => {
    await app.close()
    app = await createApp(open, { database: database.url })
    for (let time = 0; time < 2; time += 1) await reindex(app.context({ kind: 'operator' }), () => {})
    expect(await total('color=red')).toBe(50)
  })

  test('a document that is saved meanwhile keeps the index of that save', async () => {
    const [old] = await app.store.documents.following(0, 1)
    if (!old) throw new Error('There is no document.')
    const { row, titleChanges, document } = old
    const stale = { row, titleChanges, revision: document.revision - 1, words: 'marmalade' }
    const put = await app.store.transaction((tx) => tx.documents.putSearchWords([stale], { isRebuilt: true }))
    expect([...put]).toEqual([])
  })
})
