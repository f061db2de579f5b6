import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createApp } from '../src/app.ts'
import { newId } from '../src/base/ids.ts'
import { checkContent } from '../src/cli/check-command.ts'
import { removeLocale, renameLocale } from '../src/cli/locales/locale-content.ts'
import { insertMany } from '../src/engine/operations/insert.ts'
import { archiveId } from '../src/engine/pages/parked.ts'
import { write } from '../src/engine/write.ts'
import { defineSite } from '../src/model/compile/site-options.ts'
import { page, piece } from '../src/model/declared/content-type.ts'
import { callerOf } from './caller.ts'
import { inconsistencies } from './consistency.ts'
import { sampledDatabases } from './databases.ts'
import { jpeg, upload } from './media.ts'
import { readTrees, unsound } from './trees.ts'

const ENGLISH = { en: { label: 'English' } }
const siteWith = (locales: object) =>
  defineSite({
    locales: { ...ENGLISH, ...locales },
    types: [
      piece('word', { fields: { add: { code: { type: 'string', unique: true } } }, publicApiProjection: ['title'] }),
      page('leaf'),
    ],
    pages: { parked: [{ parkedId: 'news', type: 'leaf', title: 'News', slug: '/news' }] },
  })
const former = siteWith({ de: { label: 'Deutsch', prefix: '/de' } })
const renamed = siteWith({ 'de-CH': { label: 'Deutsch', prefix: '/de' } })
const without = siteWith({})
const PLACE = { type: 'leaf', _targetId: '_home', _position: 0 }

describe.each(sampledDatabases('locale-names'))('§4.5 locales of a site with content, on $name', (databases) => {
  /** Serves a site on a database for as long as `work` takes. */
  const serving = async (url: string, site: typeof former, work: (send: ReturnType<typeof callerOf>) => unknown) => {
    const logged: object[] = []
    const log = { info: () => {}, warn: (data: object) => void logged.push(data), error: () => {} }
    const app = await createApp(site, { database: url, keys: [{ key: 'k', role: 'admin', name: 'K' }], log })
    try {
      await work(callerOf(await app.listen(0, '127.0.0.1'), 'k', null))
    } finally {
      await app.close()
    }
    return { logged, site: app.site }
  }

  test('content is kept and not served, moved with all that belongs to it, or deleted, and never by mistake', async () => {
    const database = await databases.createReady()
    const content = (declaration: typeof former) => ({ declaration, env: { QUIRE_DATABASE: database.url } })
    const shown: number[] = []
    const options = { force: false, onProgress: (done: number) => void shown.push(done) }
    const forced = { ...options, force: true }
    try {
      let [word, leaf] = ['', '']
      await serving(database.url, former, async (admin) => {
        word = (await admin.post('word', { title: 'Wort', code: 'a' }, 'aposLocale=de')).body.aposDocId
        await admin.patch(`word/${word}:de:published`, { title: 'Wörter' })
        leaf = (await admin.post('@cms/page', { title: 'Blatt', ...PLACE }, 'aposLocale=de')).body.aposDocId
        await admin.patch(`@cms/page/${leaf}:de:published`, { slug: '/laub' })
      })
      const { logged } = await serving(database.url, renamed, async (admin) => {
        const known = await admin.get(`word/${word}`, 'aposLocale=de-CH')
        const unknown = await admin.get(`word/${word}:de:published`)
        const home = await admin.get('@cms/page/_home', 'aposLocale=de-CH')
        const parked = home.body._children.map(({ title }: { title: string }) => title)
        expect([known.status, unknown.status, parked]).toEqual([404, 404, ['News']])
      })
      // Home, archive, news, the global settings, the styles, the word and the leaf.
      const kept = [{ locale: 'de', documents: 7 }]
      expect(logged).toContainEqual({ locales: { de: 7 } })
      expect((await checkContent(renamed, content(renamed).env)).locales).toEqual(kept)

      await expect(renameLocale(content(former), { from: 'de', to: 'en' }, options)).rejects.toThrow('still has')
      await expect(renameLocale(content(renamed), { from: 'de', to: 'fr' }, options)).rejects.toThrow('no locale fr')
      await expect(renameLocale(content(renamed), { from: 'xx', to: 'de-CH' }, options)).rejects.toThrow('no documents')
      await expect(removeLocale(content(renamed), 'de', options)).rejects.toThrow('has content: 2 documents')
      expect(await renameLocale(content(renamed), { from: 'de', to: 'de-CH' }, options)).toEqual({
        documents: 7,
        kept: [],
      })
      expect(shown.at(-1)).toBe(14)

      const after = await serving(database.url, renamed, async (admin) => {
        const list = await admin.get('word', 'aposLocale=de-CH&search=wörter&code=a')
        expect(list.body.results).toMatchObject([{ _id: `${word}:de-CH:published`, title: 'Wörter' }])
        const { body } = await admin.get(`@cms/page/${leaf}`, 'aposLocale=de-CH')
        expect(body).toMatchObject({ rank: 0, slug: '/laub', historicUrls: ['/de/blatt'] })
        expect((await admin.post('word', { title: 'B', code: 'A' }, 'aposLocale=de-CH')).status).toBe(409)
      })
      expect(after.logged).toEqual([])
      expect(await inconsistencies(database.url, after.site)).toEqual([])
      expect([...(await readTrees(database.url)).keys()].some((key) => key.startsWith('de:'))).toBe(false)

      await expect(removeLocale(content(without), 'de-CH', options)).rejects.toThrow('--force')
      expect(await removeLocale(content(without), 'de-CH', forced)).toBe(7)
      expect((await checkContent(without, content(without).env)).locales).toEqual([])
      expect(await inconsistencies(database.url, after.site)).toEqual([])
    } finally {
      await database.drop()
    }
  }, 30_000)

  test('thousands of copies are moved and removed some at a time, while another process serves, and release their files', async () => {
    const database = await databases.createReady()
    const uploads = await mkdtemp(join(tmpdir(), 'quire-locales-'))
    onTestFinished(() => rm(uploads, { recursive: true }))
    const content = (declaration: typeof former) => ({ declaration, env: { QUIRE_DATABASE: database.url } })
    const shown: number[] = []
    const options = { force: true, onProgress: (done: number) => void shown.push(done) }
    const open = (site: typeof former) =>
      createApp(site, { database: database.url, uploads, keys: [{ key: 'key-admin', role: 'admin', name: 'K' }] })
    try {
      const ids: string[] = []
      const app = await open(former)
      const address = await app.listen(0, '127.0.0.1')
      const admin = callerOf(address, 'key-admin', null)
      const type = app.site.types.get('word')
      if (type === undefined) throw new Error('There is no such type.')
      const words = Array.from({ length: 300 }, (_, n) => ({ docId: newId(), body: { title: `Word ${n}` } }))
      ids.push(...words.map(({ docId }) => docId))
      await write(app.context({ kind: 'operator' }), (ctx) =>
        insertMany(ctx, { type, locale: 'en', mode: 'published' }, words),
      )
      const localized = await admin.post('word/localize', { _ids: ids, toLocales: ['de'], publish: true })
      expect(localized.body.results.every(({ ok }: { ok: boolean }) => ok)).toBe(true)
      const { _id: attachment } = (await upload({ address }, 'admin', await jpeg())).body
      expect(
        (await admin.post('@cms/image', { title: 'Bild', attachment: { _id: attachment } }, 'aposLocale=de')).status,
      ).toBe(200)
      await app.close()

      const serving = await open(renamed)
      const other = callerOf(await serving.listen(0, '127.0.0.1'), 'key-admin', null)
      const moving = renameLocale(content(renamed), { from: 'de', to: 'de-CH' }, options)
      const statuses = await Promise.all(ids.slice(0, 20).map((id) => other.get(`word/${id}`)))
      expect(statuses.every(({ status }) => status === 200)).toBe(true)
      expect(await moving).toEqual({ documents: 306, kept: [] })
      expect(shown.length).toBeGreaterThan(1)
      expect((await other.get('word', 'aposLocale=de-CH')).body.total).toBe(300)
      await serving.close()

      const isReleased = async () => {
        const app = await open(without)
        const unused = await app.store.attachments.unused([attachment])
        await app.close()
        return unused.has(attachment)
      }
      expect(await isReleased()).toBe(false)
      expect(await removeLocale(content(without), 'de-CH', options)).toBe(306)
      expect(await isReleased()).toBe(true)
    } finally {
      await database.drop()
    }
  }, 120_000)

  test('what was written in the new name already stays, and what is in nobody’s place joins it', async () => {
    const database = await databases.createReady()
    const content = { declaration: renamed, env: { QUIRE_DATABASE: database.url } }
    const names = { from: 'de', to: 'de-CH' }
    const options = { force: false, onProgress: () => {} }
    const ids: { [title: string]: string } = {}
    const make = async (admin: ReturnType<typeof callerOf>, type: string, body: object, locale: string) => {
      const { body: made } = await admin.post(type, body, `aposLocale=${locale}`)
      expect(made).toMatchObject({ title: expect.any(String) })
      ids[made.title] = made.aposDocId
    }
    const below = (parent: string) => ({ type: 'leaf', _targetId: parent, _position: 'lastChild' })
    try {
      await serving(database.url, former, async (admin) => {
        await make(admin, 'word', { title: 'Alt', code: 'a' }, 'de')
        await make(admin, 'word', { title: 'Gleich' }, 'de')
        await make(admin, 'word', { title: 'Frei' }, 'de')
        await make(admin, '@cms/page', { title: 'Ast', ...PLACE }, 'de')
        await make(admin, '@cms/page', { title: 'Blatt', ...below(ids.Ast ?? '') }, 'de')
        await make(admin, '@cms/page', { title: 'Wurzel', ...PLACE }, 'de')
        await make(admin, '@cms/page', { title: 'Knolle', ...below(ids.Wurzel ?? '') }, 'de')
        expect((await admin.patch('@cms/page/_home', { title: 'Daheim' }, 'aposLocale=de')).status).toBe(200)
      })
      await serving(database.url, renamed, async (admin) => {
        await make(admin, 'word', { title: 'Neu', code: 'a' }, 'de-CH')
        await make(admin, 'word', { title: 'gleich', slug: 'gleich' }, 'de-CH')
        await make(admin, '@cms/page', { title: 'wurzel', slug: '/wurzel', ...PLACE }, 'de-CH')
      })
      const { documents, kept } = await renameLocale(content, names, options)
      const titles = kept.map(({ title }) => title)
      expect([documents, titles]).toEqual([4, ['Alt', 'Gleich', 'Knolle', 'Wurzel']])
      expect(kept[0]).toEqual({ docId: ids.Alt, type: 'word', title: 'Alt' })
      await serving(database.url, renamed, async (admin) => {
        const { results } = (await admin.get('word', 'aposLocale=de-CH&sort[title]=1')).body
        expect(results.map(({ title }: { title: string }) => title).toSorted()).toEqual(['Frei', 'Neu', 'gleich'])
        const home = (await admin.get('@cms/page/_home', 'aposLocale=de-CH')).body
        expect(home.title).toBe('Daheim')
        expect(home._children.map(({ title }: { title: string }) => title)).toEqual(['wurzel', 'News', 'Ast'])
        const leaf = await admin.get(`@cms/page/${ids.Blatt}`, 'aposLocale=de-CH')
        expect(leaf.body).toMatchObject({ slug: '/ast/blatt', level: 2 })
        // What is in the way goes elsewhere.
        await admin.patch(`@cms/page/${ids.wurzel}:de-CH:published`, { slug: '/woanders' })
        await admin.patch(`word/${ids.Neu}:de-CH:published`, { code: 'b' })
        await admin.delete(`word/${ids.gleich}:de-CH:published`)
        await admin.delete(`word/${ids.gleich}:de-CH:draft`)
      })
      expect(unsound((await readTrees(database.url)).get('de-CH') ?? new Map(), archiveId)).toEqual([])
      expect(await renameLocale(content, names, options)).toEqual({ documents: 4, kept: [] })
      const after = await serving(database.url, renamed, async (admin) => {
        expect((await admin.get(`@cms/page/${ids.Knolle}`, 'aposLocale=de-CH')).body.slug).toBe('/wurzel/knolle')
        // The page that was moved has the URL now, which led to the one that went elsewhere.
        expect((await admin.get(`@cms/page/${ids.wurzel}`, 'aposLocale=de-CH')).body.historicUrls).toEqual([])
        expect((await admin.get('word', 'aposLocale=de-CH&code=a')).body.results).toHaveLength(1)
      })
      expect(after.logged).toEqual([])
      expect(unsound((await readTrees(database.url)).get('de-CH') ?? new Map(), archiveId)).toEqual([])
      expect(await inconsistencies(database.url, after.site)).toEqual([])
    } finally {
      await database.drop()
    }
  }, 60_000)

  test('--force replaces what was written in the new name', async () => {
    const database = await databases.createReady()
    const content = { declaration: renamed, env: { QUIRE_DATABASE: database.url } }
    try {
      let id = ''
      await serving(database.url, former, async (admin) => {
        id = (await admin.post('word', { title: 'Alt', code: 'a' }, 'aposLocale=de')).body.aposDocId
      })
      await serving(database.url, renamed, (admin) =>
        admin.post('word', { title: 'Neu', code: 'a' }, 'aposLocale=de-CH'),
      )
      const names = { from: 'de', to: 'de-CH' }
      const options = { force: true, onProgress: () => {} }
      expect(await renameLocale(content, names, options)).toEqual({ documents: 6, kept: [] })
      await serving(database.url, renamed, async (admin) => {
        const { results } = (await admin.get('word', 'aposLocale=de-CH')).body
        expect(results.map(({ aposDocId }: { aposDocId: string }) => aposDocId)).toEqual([id])
      })
    } finally {
      await database.drop()
    }
  }, 30_000)

  test('--force after a part was moved replaces the rest, and leaves a whole tree', async () => {
    const database = await databases.createReady()
    const content = { declaration: renamed, env: { QUIRE_DATABASE: database.url } }
    const names = { from: 'de', to: 'de-CH' }
    const options = { force: false, onProgress: () => {} }
    try {
      await serving(database.url, former, async (admin) => {
        for (const title of ['Wurzel', 'Ast']) await admin.post('@cms/page', { title, ...PLACE }, 'aposLocale=de')
      })
      await serving(database.url, renamed, (admin) =>
        admin.post('@cms/page', { title: 'Wurzel', ...PLACE }, 'aposLocale=de-CH'),
      )
      expect(await renameLocale(content, names, options)).toMatchObject({ documents: 1, kept: [{ title: 'Wurzel' }] })
      expect(await renameLocale(content, names, { ...options, force: true })).toEqual({ documents: 1, kept: [] })
      const { site } = await serving(database.url, renamed, async (admin) => {
        const { body } = await admin.get('@cms/page/_home', 'aposLocale=de-CH')
        expect(body._children.map(({ title }: { title: string }) => title)).toEqual(['News', 'Wurzel'])
      })
      expect(unsound((await readTrees(database.url)).get('de-CH') ?? new Map(), archiveId)).toEqual([])
      expect(await inconsistencies(database.url, site)).toEqual([])
    } finally {
      await database.drop()
    }
  }, 30_000)

  test('what nobody has written in counts as such after a renaming, too', async () => {
    const database = await databases.createReady()
    const options = { force: false, onProgress: () => {} }
    const content = (declaration: typeof former) => ({ declaration, env: { QUIRE_DATABASE: database.url } })
    try {
      await serving(database.url, former, () => {})
      const names = { from: 'de', to: 'de-CH' }
      expect(await renameLocale(content(renamed), names, options)).toEqual({ documents: 5, kept: [] })
      expect(await removeLocale(content(without), 'de-CH', options)).toBe(5)
    } finally {
      await database.drop()
    }
  }, 30_000)

  test('what others write in the new name while it is renamed is not lost, and its tree stays sound', async () => {
    const database = await databases.createReady()
    const content = { declaration: renamed, env: { QUIRE_DATABASE: database.url } }
    const names = { from: 'de', to: 'de-CH' }
    try {
      await serving(database.url, former, async (admin) => {
        for (let n = 0; n < 12; n += 1) {
          await admin.post('@cms/page', { title: `Seite ${n}`, ...PLACE }, 'aposLocale=de')
          await admin.post('word', { title: `Wort ${n}` }, 'aposLocale=de')
        }
      })
      const { site } = await serving(database.url, renamed, async (admin) => {
        let isDone = false
        const made: string[] = []
        const write = async (name: string) => {
          for (let n = 0; !isDone || n < 3; n += 1) {
            const type = n % 2 === 0 ? '@cms/page' : 'word'
            const body = { title: `${name} ${n}`, ...(n % 2 === 0 && PLACE) }
            const answer = await admin.post(type, body, 'aposLocale=de-CH')
            expect(answer.status).toBe(200)
            made.push(`${type}/${answer.body.aposDocId}`)
          }
        }
        const writers = ['A', 'B', 'C', 'D'].map(write)
        const { kept } = await renameLocale(content, names, { force: false, onProgress: () => {} })
        isDone = true
        await Promise.all(writers)
        expect(kept).toEqual([])
        for (const path of made) expect((await admin.get(path, 'aposLocale=de-CH')).status).toBe(200)
        const { total } = (await admin.get('word', 'aposLocale=de-CH')).body
        expect(total).toBe(12 + made.filter((path) => path.startsWith('word/')).length)
      })
      expect(unsound((await readTrees(database.url)).get('de-CH') ?? new Map(), archiveId)).toEqual([])
      expect(await inconsistencies(database.url, site)).toEqual([])
    } finally {
      await database.drop()
    }
  }, 60_000)
})
