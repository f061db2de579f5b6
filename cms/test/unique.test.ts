import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import type { SiteDeclaration } from '../src/index.ts'
import { defineSite } from '../src/model/compile/site-options.ts'
import { page, piece } from '../src/model/declared/content-type.ts'
import { type Caller, callerOf } from './caller.ts'
import { quire } from './command.ts'
import { sampledDatabases, type TestDatabase } from './databases.ts'
import { describeService } from './service.ts'
import { temporaryFolder } from './temporary-folder.ts'

const sku = { type: 'string', unique: true } as const
const site = defineSite({
  types: [
    page('product', { fields: { add: { sku } } }),
    page('plain', { fields: { add: { text: { type: 'string' } } } }),
  ],
})

describeService('unique values of pages', { site, on: sampledDatabases('unique pages') }, (service) => {
  it('are free once the page has a type without them, and are not taken back', async () => {
    const made = (title: string, more: object) =>
      service.editor.post('@cms/page', { title, type: 'product', _targetId: '_home', _position: 'lastChild', ...more })
    const { body: first } = await made('First', { sku: 'one' })
    expect(await made('Second', { sku: 'one' })).toMatchObject({ status: 409 })
    await service.editor.patch(`@cms/page/${first._id}`, { type: 'plain' })
    expect(await made('Second', { sku: 'one' })).toMatchObject({ status: 200, body: { sku: 'one' } })
    const back = await service.editor.patch(`@cms/page/${first._id}`, { type: 'product' })
    expect(back).toMatchObject({ status: 200, body: { sku: '' } })
  })
})

/** The same with a unique field, as a module. */
const MODULE = `import { defineSite, piece } from '${join(import.meta.dirname, '../src/index.ts')}'
const fields = { add: { sku: { type: 'string', unique: true }, note: { type: 'string' } } } as const
export const site = defineSite({ types: [piece('product', { fields })] })`

/** A site whose field is declared unique, or not. */
function siteWith(unique: boolean): SiteDeclaration {
  const fields = { add: { sku: { type: 'string', unique }, note: { type: 'string' } } } as const
  return defineSite({ types: [piece('product', { fields })] })
}

describe.each(sampledDatabases('unique later'))('a field that is declared unique later, on $name', (databases) => {
  let database: TestDatabase
  let app: App
  let editor: Caller
  const warned: object[] = []
  beforeEach(async () => {
    database = await databases.createReady()
  })
  afterEach(async () => {
    await app.close()
    await database.drop()
  })
  const serve = async (unique: boolean) => {
    await app?.close()
    warned.length = 0
    app = await createApp(siteWith(unique), {
      database: database.url,
      keys: [{ key: 'key-editor', role: 'editor', name: 'editor' }],
      log: { info: () => {}, warn: (data) => warned.push(data), error: () => {} },
    })
    editor = callerOf(await app.listen(0, '127.0.0.1'), 'key-editor', null)
  }
  const made = async (sku: string) => (await editor.post('product', { title: sku, sku })).body.aposDocId as string
  const saved = (id: string, body: object) => editor.patch(`product/${id}`, body)

  it('holds for what is stored, from the next start on, whatever was changed meanwhile', async () => {
    await serve(true)
    const [one, two] = [await made('one'), await made('two')]
    await serve(false)
    await saved(one, { sku: 'three' })
    await saved(two, { sku: 'one' })
    await saved(one, { sku: 'two' })
    await serve(true)
    expect(warned).toEqual([])
    for (const taken of ['one', 'two']) {
      expect(await editor.post('product', { title: 'New', sku: taken })).toMatchObject({
        status: 409,
        body: { data: { errors: [{ path: 'sku', name: 'unique' }] } },
      })
    }
    for (const id of [one, two]) expect(await saved(id, { note: 'saved' })).toMatchObject({ status: 200 })
  })

  it('leaves documents that share a value as they are, and tells of them', async () => {
    await serve(false)
    const [one, two] = [await made('same'), await made('same')]
    await serve(true)
    const second = { _id: expect.stringContaining(two), field: 'sku' }
    expect(warned).toEqual([{ documents: [second, second] }])
    for (const id of [one, two]) {
      expect(await saved(id, { note: 'saved' })).toMatchObject({ status: 200, body: { sku: 'same', note: 'saved' } })
      expect(await editor.post(`product/${id}/publish`)).toMatchObject({ status: 200 })
    }
    expect(await editor.post('product', { title: 'Third', sku: 'same' })).toMatchObject({ status: 409 })
    expect(await saved(two, { sku: 'other' })).toMatchObject({ status: 200 })
    expect(await saved(two, { sku: 'same' })).toMatchObject({ status: 409 })
    for (const sku of ['Same', 'Other'])
      expect(await editor.post('product', { title: 'New', sku })).toMatchObject({ status: 409 })
  })

  it('is told by `quire reindex`, which fails while documents share a value', async () => {
    await serve(false)
    const [one, two] = [await made('same'), await made('same')]
    await serve(true)
    const folder = await temporaryFolder('quire-unique')
    await writeFile(join(folder, 'site.ts'), MODULE)
    const reindex = () => quire(folder, ['reindex'], { QUIRE_DATABASE: database.url })
    const { code, err } = await reindex()
    expect(code).toBe(1)
    for (const mode of ['draft', 'published'])
      expect(err).toContain(`${two}:en:${mode}: another document has the same sku. Give one of them another.`)
    await saved(one, { sku: 'other' })
    expect(await reindex()).toMatchObject({ code: 0, out: expect.stringMatching(/^Indexed \d+ copies/) })
  })
})
