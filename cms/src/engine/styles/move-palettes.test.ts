import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Caller, callerOf, documented } from '../../../test/caller.ts'
import { sampledDatabases, type TestDatabase } from '../../../test/databases.ts'
import { type App, createApp } from '../../app.ts'
import { newId } from '../../base/ids.ts'
import { defineSite, type SiteDeclaration } from '../../model/compile/site.ts'
import { piece } from '../../model/declared/content-type.ts'
import { movePalettes } from './move-palettes.ts'

const PALETTE = '@apostrophecms-pro/palette'
const locales = { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } } as const
const former = defineSite({
  locales,
  types: [
    piece(PALETTE, {
      singleton: true,
      fields: {
        add: { ink: { type: 'color' }, font: { type: 'string' }, gone: { type: 'integer' }, size: { type: 'integer' } },
      },
    }),
  ],
  global: { fields: { add: { footer: { type: 'string' }, paletteStylesheet: { type: 'string' } } } },
})
const now = defineSite({
  locales,
  styles: {
    add: {
      ink: { type: 'color', selector: 'body', property: 'color' },
      font: { type: 'string', selector: 'body', property: 'font-family' },
      size: { type: 'range', min: 10, max: 20, def: 12, unit: 'px', selector: 'body', property: 'font-size' },
    },
  },
  global: { fields: { add: { footer: { type: 'string' } } } },
})

async function served(
  site: SiteDeclaration,
  database: TestDatabase,
  work: (app: App, editor: Caller) => Promise<void>,
) {
  const uploads = join(tmpdir(), `quire-uploads-${newId()}`)
  const keys = [{ key: 'key-admin', role: 'admin', name: 'admin' }] as const
  const app = await createApp(site, { database: database.url, uploads, keys })
  try {
    await work(app, await callerAt(app))
  } finally {
    await app.close()
    await rm(uploads, { recursive: true, force: true })
  }
}

async function callerAt(app: App): Promise<Caller> {
  const address = await app.listen(0, '127.0.0.1')
  return callerOf(address, 'key-admin', documented(address, 'key-admin'))
}

const move = (app: App, force = false) => movePalettes(app.context({ kind: 'operator' }), new Set([PALETTE]), { force })
const first = async (caller: Caller, path: string, query = '') => (await caller.get(path, query)).body.results[0]

describe.each(sampledDatabases('palettes'))('§9 palettes on $name', (databases) => {
  test('become styles of their locale and mode, once, and leave nothing behind', async () => {
    const database = await databases.createReady()
    try {
      await served(former, database, async (_app, editor) => {
        const { _id } = await first(editor, PALETTE)
        await editor.patch(`${PALETTE}/${_id}`, { ink: '#123456', font: 'Arial', gone: 3 })
        await editor.patch(`${PALETTE}/${_id}`, { ink: '#654321', font: '' }, 'aposMode=draft')
        await editor.patch(`${PALETTE}/${_id}`, { ink: '#aaaaaa', font: 'a} b{c: d' }, 'aposLocale=fr')
        const global = await first(editor, '@cms/global')
        await editor.patch(`@cms/global/${global._id}`, { footer: 'Bottom', paletteStylesheet: 'body{color: red;}' })
      })
      await served(now, database, async (app, editor) => {
        const { _id } = await first(editor, '@cms/styles', 'aposLocale=fr')
        await editor.patch(`@cms/styles/${_id}`, { ink: '#bbbbbb' })
        const before = await app.store.documents.following(0, 100)
        const font = 'font: This is not a CSS value: it must not contain "}".'
        const ink = 'ink: The styles have another value already.'
        const gone = 'gone: The site declares no style field of this name.'
        const leftOut = [
          `en:draft ${gone}`,
          `en:published ${gone}`,
          `fr:draft ${font}`,
          `fr:draft ${ink}`,
          `fr:published ${font}`,
          `fr:published ${ink}`,
        ]
        const refused = await move(app)
        expect([refused.moved, refused.leftOut.toSorted()]).toEqual([[], leftOut])
        expect(await app.store.documents.following(0, 100)).toEqual(before)

        const { moved, leftOut: lost } = await move(app, true)
        expect(moved.map(({ locale, mode }) => `${locale}:${mode}`).toSorted()).toEqual([
          'en:draft',
          'en:published',
          'fr:draft',
          'fr:published',
        ])
        expect(lost.toSorted()).toEqual(leftOut)
        expect(await first(editor, '@cms/styles')).toMatchObject({ ink: '#123456', font: 'Arial', size: 12 })
        expect(await first(editor, '@cms/styles', 'aposMode=draft')).toMatchObject({ ink: '#654321', font: '' })
        expect(await first(editor, '@cms/styles', 'aposLocale=fr')).toMatchObject({ ink: '#bbbbbb', font: '' })
        const global = await first(editor, '@cms/global')
        const stylesStylesheet = 'body{color: #123456;font-family: Arial;font-size: 12px;}'
        expect(global).toMatchObject({ footer: 'Bottom', stylesStylesheet })
        const stored = await app.store.documents.following(0, 100)
        expect(JSON.stringify(stored)).not.toMatch(/palette/i)
        expect(await move(app)).toEqual({ moved: [], leftOut: [] })
      })
    } finally {
      await database.drop()
    }
  }, 60_000)
})
