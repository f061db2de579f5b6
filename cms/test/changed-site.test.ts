import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createApp } from '../src/app.ts'
import { checkContent } from '../src/cli/check-command.ts'
import { exportContent } from '../src/cli/content/export-content.ts'
import { carryOutDue } from '../src/features/scheduling/feature.ts'
import { defineSite, type SiteDeclaration } from '../src/model/compile/site-options.ts'
import { type ContentType, page, piece, type WidgetDeclaration, widget } from '../src/model/declared/content-type.ts'
import type { App } from '../src/service.ts'
import { type Answer, type Caller, callerOf } from './caller.ts'
import { sampledDatabases, type TestDatabases } from './databases.ts'
import { importFile } from './imported.ts'

type Fields = { readonly [name: string]: object }

const text = { type: 'string' }
const LOCALES = { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } }

// `as`, here and below: what is made by a program is typed as what a site author writes.
const type = (name: string, add: Fields = {}, options: object = {}) =>
  piece(name, { ...options, fields: { add } } as object) as ContentType

function siteOf(types: readonly ContentType[], options: object = {}): SiteDeclaration {
  return defineSite({ locales: LOCALES, types, ...options } as object)
}

const KEYS = (['admin', 'editor', 'contributor'] as const).map((role) => ({ key: `key-${role}`, role, name: role }))

/** A database that is used by one site after the other. */
async function openDatabase(databases: TestDatabases) {
  const { url, drop } = await databases.createReady()
  onTestFinished(drop)
  return {
    serve: async <T>(
      site: SiteDeclaration,
      work: (admin: Caller, others: { app: App; contributor: Caller; logged: object[] }) => Promise<T>,
    ) => {
      const logged: object[] = []
      const log = { info: () => {}, warn: (data: object) => void logged.push(data), error: () => {} }
      const app = await createApp(site, { database: url, keys: KEYS, log })
      try {
        const address = await app.listen(0, '127.0.0.1')
        const caller = (role: string) => callerOf(address, `key-${role}`, null)
        return await work(caller('admin'), { app, contributor: caller('contributor'), logged })
      } finally {
        await app.close()
      }
    },
    check: (site: SiteDeclaration) => checkContent(site, { QUIRE_DATABASE: url }),
  }
}

async function newestVersion(caller: Caller, docId: string): Promise<string> {
  const { body } = await caller.get('@cms/document-versions', `docId=${docId}`)
  return body.results[0]._id
}

describe.each(sampledDatabases('changed site'))(
  '§2.14 a site that changes while its content stays, on $name',
  (databases) => {
    test('§3.9 what a site does not schedule any more is kept, told and not done, until it does again', async () => {
      const { serve, check } = await openDatabase(databases)
      const news = type('news', {}, { scheduling: true })
      const event = type('event', {}, { scheduling: true })
      const pass = async (app: App) => {
        const hour = () => new Date(Date.now() + 3_600_000)
        await carryOutDue({ ...app.context({ kind: 'operator' }), now: hour }, new AbortController().signal)
      }
      const publishAt = new Date(Date.now() + 60_000).toISOString()
      const ids = await serve(siteOf([news, event]), async (admin) => {
        const { body } = await admin.post('news', { title: 'News', publishAt }, 'aposMode=draft')
        await admin.post(`news/${body._id}/localize`, { toLocale: 'fr' })
        await admin.patch(`news/${body.aposDocId}:fr:draft`, { publishAt })
        const other = await admin.post('event', { title: 'Event', publishAt }, 'aposMode=draft')
        return { news: body.aposDocId, event: other.body.aposDocId }
      })
      const english = { locales: { en: { label: 'English' } } }
      const told = (locale: string) => ({ type: 'news', locale, documents: 1 })
      for (const [site, scheduled] of [
        [siteOf([event]), [told('en'), told('fr')]],
        [siteOf([type('news'), event]), [told('en'), told('fr')]],
        [siteOf([news, event], english), [told('fr')]],
      ] as const) {
        await serve(site, async (_admin, { app, logged }) => {
          expect(logged).toContainEqual({ scheduled })
          await pass(app)
          expect((await check(site)).scheduled).toEqual(scheduled)
        })
      }
      await serve(siteOf([news, event]), async (admin, { app }) => {
        expect((await admin.get(`event/${ids.event}`)).status).toBe(200)
        const french = `news/${ids.news}:fr`
        expect((await admin.get(`${french}:draft`)).body).toMatchObject({ publishAt, scheduleError: null })
        expect((await admin.get(`${french}:published`)).status).toBe(404)
        await pass(app)
        expect((await admin.get(`${french}:published`)).status).toBe(200)
        expect((await admin.get(`${french}:draft`)).body).toMatchObject({ publishAt: null, scheduleError: null })
      })
    })

    test('§5.7 who may not write a field that the type has got since a document was saved may PATCH the others', async () => {
      const { serve } = await openDatabase(databases)
      const made = await serve(siteOf([type('note')]), (admin) => admin.post('note', { title: 'Bread' }))
      const words = { type: 'object', fields: { add: { one: text } }, editPermission: 'admin' }
      const rows = { type: 'array', fields: { add: { one: text } }, def: [{ one: 'x' }], editPermission: 'admin' }
      await serve(siteOf([type('note', { words, rows })]), async (_admin, { contributor }) => {
        const { status, body } = await contributor.patch(`note/${made.body.aposDocId}:en:draft`, { title: 'Rolls' })
        expect([status, body]).toMatchObject([200, { title: 'Rolls', words: { one: '' }, rows: [{ one: 'x' }] }])
      })
    })

    test('§4.4 restoring leaves out widgets that are allowed no more, and tells of them', async () => {
      const { serve } = await openDatabase(databases)
      const siteWith = (widgets: object) =>
        siteOf([type('note', { lists: { type: 'array', fields: { add: { body: { type: 'area', widgets } } } } })], {
          widgets: [widget('words', { fields: { add: { text: { type: 'string' } } } })],
        })
      const words = (_id: string, text: string) => ({ _id, type: 'words', text })
      const list = (_id: string, ...items: object[]) => ({ _id, body: { metaType: 'area', items } })
      const rich = { _id: 'rich', type: '@cms/rich-text', content: '<p>x</p>' }
      const allowed = { words: {}, '@cms/rich-text': {} }
      const { id, version } = await serve(siteWith(allowed), async (admin) => {
        const lists = [list('gone', words('one', 'One'), rich), list('here', words('two', 'Two'), words('six', '6'))]
        const { aposDocId } = (await admin.post('note', { title: 'A', lists })).body
        const version = await newestVersion(admin, aposDocId)
        const changed = [list('here', words('two', 'Deux'), words('six', '6'))]
        expect((await admin.patch(`note/${aposDocId}:en:draft`, { lists: changed })).status).toBe(200)
        return { id: aposDocId, version }
      })
      await serve(siteWith({ '@cms/rich-text': {} }), async (admin) => {
        const { status, body } = await admin.put(`note/${id}`, { _restoreVersion: version }, 'aposMode=draft')
        expect([status, body.notRestored]).toEqual([
          200,
          [{ path: 'lists.gone.body.one' }, { path: 'lists.here.body.two' }],
        ])
        expect(body.lists[0].body.items).toMatchObject([rich])
      })
      await serve(siteWith(allowed), async (admin) => {
        const { lists } = (await admin.get(`note/${id}:en:draft`)).body
        expect(lists).toMatchObject([list('gone', rich), list('here', words('two', 'Deux'), words('six', '6'))])
      })
    })

    test('§2.14 types that are taken out and put back have their documents, and the start and the check tell of them', async () => {
      const { serve, check } = await openDatabase(databases)
      const note = (add: Fields = {}) => type('note', add)
      const about = { _topics: { type: 'relationship', withType: 'topic' } }
      const whole = siteOf([type('topic'), note(about), page('leaf') as ContentType])
      const less = siteOf([note()])
      const made = await serve(whole, async (admin) => {
        const topic = (await admin.post('topic', { title: 'Food' })).body
        const other = (await admin.post('topic', { title: 'Drink' })).body
        const note = (await admin.post('note', { title: 'Bread', _topics: [topic, other] })).body
        const version = await newestVersion(admin, note.aposDocId)
        const target = { _targetId: '_home', _position: 'firstChild' }
        const leaf = (await admin.post('@cms/page', { type: 'leaf', title: 'Leaf', ...target })).body
        return { topic, other, note, version, leaf }
      })
      await serve(less, async (admin, { logged }) => {
        expect(logged).toContainEqual({ types: { leaf: 1, topic: 2 } })
        expect((await admin.get('topic')).status).toBe(404)
        expect((await admin.get(`@cms/page/${made.leaf._id}`)).status).toBe(404)
        expect((await admin.get('@cms/page', 'all=1')).status).toBe(200)
        expect((await admin.get('@cms/page')).body._children).toEqual([])
        const changed = await admin.patch(`note/${made.note._id}`, { title: 'Cake' })
        expect(changed.body).not.toHaveProperty('topicsIds')
        const restored = await admin.put(
          `note/${made.note.aposDocId}`,
          { _restoreVersion: made.version },
          'aposMode=draft',
        )
        expect(restored.body.notRestored).toEqual([{ path: '_topics', text: expect.any(String) }])
        await admin.post(`note/${made.note.aposDocId}/localize`, { toLocale: 'fr' })
      })
      expect(await check(less)).toMatchObject({
        types: [
          { type: 'leaf', documents: 1 },
          { type: 'topic', documents: 2 },
        ],
        setAside: [{ field: 'note._topics', type: 'relationship', examples: expect.arrayContaining(['Cake']) }],
      })
      await serve(whole, async (admin, { logged }) => {
        expect(logged).toEqual([])
        const { body } = await admin.get(`note/${made.note._id}`)
        expect(body).toMatchObject({ title: 'Cake', _topics: [{ title: 'Food' }, { title: 'Drink' }] })
        expect((await admin.get(`@cms/page/${made.leaf._id}`)).body).toMatchObject({ title: 'Leaf', slug: '/leaf' })
      })
    })

    test('§2.15 an id leaves a relationship only with its document, whatever becomes of its type or locale', async () => {
      const { serve } = await openDatabase(databases)
      const site = (target: string, more: readonly ContentType[] = [], locales: object = LOCALES) =>
        siteOf([type(target), type('note', { _topics: { type: 'relationship', withType: target } }), ...more], {
          locales,
        })
      const made = await serve(site('topic'), async (admin) => {
        const topics = await Promise.all(
          ['Food', 'Drink', 'Gone'].map(async (title) => (await admin.post('topic', { title })).body),
        )
        const french = (await admin.post('topic', { title: 'Pain' }, 'aposLocale=fr')).body
        const all = [...topics, french]
        const note = (await admin.post('note', { title: 'Bread', topicsIds: all.map(({ aposDocId }) => aposDocId) }))
          .body
        const version = await newestVersion(admin, note.aposDocId)
        await admin.delete(`topic/${topics[2]?._id}`)
        await admin.patch(`note/${note._id}`, { title: 'Cake' })
        return { ids: [topics[0], topics[1], french].map((one) => one.aposDocId), note, version }
      })
      const idsAfter = async (admin: Caller) => (await admin.get(`note/${made.note._id}`)).body.topicsIds
      await serve(site('topic'), async (admin) => expect(await idsAfter(admin)).toEqual(made.ids))
      await serve(site('subject'), async (admin, { contributor }) => {
        const draft = `note/${made.note.aposDocId}:en:draft`
        await admin.patch(`note/${made.note._id}`, { title: 'Pie' })
        await contributor.patch(draft, { title: 'Tart' })
        await admin.post(`${draft}/publish`)
        await admin.post(`${draft}/localize`, { toLocale: 'fr' })
        await admin.put(draft, { _restoreVersion: made.version }, 'aposMode=draft')
        await admin.post(`${draft}/publish`)
        // Also ids that the document has no more.
        await admin.patch(draft, { subjectsIds: [], topicsIds: [] })
        await admin.put(draft, { _restoreVersion: made.version }, 'aposMode=draft')
        expect((await admin.post('note', { title: 'Copy', _copyingId: made.note._id })).status).toBe(200)
      })
      await serve(site('topic', [], { en: { label: 'English' } }), async (admin) => {
        expect(await idsAfter(admin)).toEqual(made.ids)
        await admin.patch(`note/${made.note._id}`, { title: 'Again' })
      })
      await serve(site('topic'), async (admin) => {
        expect(await idsAfter(admin)).toEqual(made.ids)
        expect((await admin.get(`note/${made.note.aposDocId}:fr:draft`)).body.topicsIds).toEqual(made.ids)
        const copies = await admin.get('note', 'title=Copy')
        expect(copies.body.results[0].topicsIds).toEqual(made.ids)
      })
    })

    test('§4.1 fields inside of others are found by filters once they are declared filterable, and not after that', async () => {
      const { serve } = await openDatabase(databases)
      const site = (isFilterable: boolean) => {
        const inner = { city: { ...text, ...(isFilterable && { filterable: true }) } }
        const quote = widget('quote', { fields: { add: inner } } as object) as WidgetDeclaration
        const fields = {
          place: { type: 'object', fields: { add: inner } },
          rows: { type: 'array', fields: { add: inner } },
          body: { type: 'area', widgets: { quote: {} } },
        }
        return siteOf([type('note', fields)], { widgets: [quote] })
      }
      const PATHS = ['place.city', 'rows.city', 'body.quote.city']
      const found = (admin: Caller) =>
        Promise.all(PATHS.map(async (path) => (await admin.get('note', `${path}=rome`)).body.total ?? 'refused'))
      const body = { items: [{ type: 'quote', city: 'Rome' }] }
      const note = { title: 'One', place: { city: 'Rome' }, rows: [{ city: 'Rome' }], body }
      await serve(site(false), async (admin) => {
        expect((await admin.post('note', note)).status).toBe(200)
        expect(await found(admin)).toEqual(['refused', 'refused', 'refused'])
      })
      await serve(site(true), async (admin) => expect(await found(admin)).toEqual([1, 1, 1]))
      await serve(site(false), async (admin) => expect(await found(admin)).toEqual(['refused', 'refused', 'refused']))
    })

    test('§2.14 widget types, fields inside of objects and lists, singletons and users’ fields come back as they were', async () => {
      const { serve, check } = await openDatabase(databases)
      const quote = widget('quote', { fields: { add: { words: text, by: text } } } as object) as WidgetDeclaration
      const smaller = widget('quote', { fields: { add: { words: text } } } as object) as WidgetDeclaration
      const site = (inner: Fields, widgets: readonly WidgetDeclaration[]) =>
        siteOf(
          [
            type('note', {
              links: { type: 'array', fields: { add: inner } },
              place: { type: 'object', fields: { add: inner } },
              body: { type: 'area', widgets: { '@cms/rich-text': {}, ...(widgets.length > 0 && { quote: {} }) } },
            }),
            type('settings', inner, { singleton: true }),
          ],
          { widgets },
        )
      const whole = site({ name: text, street: text }, [quote])
      const made = await serve(whole, async (admin) => {
        const values = { name: 'A', street: 'B' }
        const body = { items: [{ type: 'quote', words: 'C', by: 'D' }] }
        const note = (await admin.post('note', { title: 'One', links: [values], place: values, body })).body
        const settings = (await admin.get('settings')).body.results[0]
        await admin.patch(`settings/${settings._id}`, values)
        return { note: note._id, settings: settings._id }
      })
      for (const widgets of [[smaller], []]) {
        const less = site({ name: text }, widgets)
        await serve(less, async (admin) => {
          const { body } = await admin.patch(`note/${made.note}`, { title: 'Two', place: { name: 'E' } })
          expect(JSON.stringify(body)).not.toMatch(/"(street|by)"|"[BD]"|_aside/)
          await admin.patch(`settings/${made.settings}`, { name: 'F' })
          await admin.put(`note/${made.note}`, (await admin.get(`note/${made.note}`)).body)
        })
        const { setAside, unfit } = await check(less)
        expect(setAside.map(({ field }) => field)).toEqual(
          expect.arrayContaining(['note.links.street', 'note.place.street', 'settings.street']),
        )
        expect(unfit.map(({ field, message }) => [field, message])).toEqual(
          widgets.length > 0 ? [] : [['note.body', 'This area no longer has widgets of the type quote.']],
        )
      }
      await serve(whole, async (admin) => {
        expect((await admin.get(`note/${made.note}`)).body).toMatchObject({
          title: 'Two',
          links: [{ name: 'A', street: 'B' }],
          place: { name: 'E', street: 'B' },
          body: { items: [{ type: 'quote', words: 'C', by: 'D' }] },
        })
        expect((await admin.get(`settings/${made.settings}`)).body).toMatchObject({ name: 'F', street: 'B' })
      })
    })

    test('§2.14 stricter options refuse nothing that is stored, and the check tells what they would not accept', async () => {
      const { serve, check } = await openDatabase(databases)
      const before = siteOf([
        type('note', {
          section: { type: 'select', choices: ['news', 'essay'] },
          tags: { type: 'checkboxes', choices: ['a', 'b', 'c'] },
          count: { type: 'integer' },
          summary: text,
          links: { type: 'array', fields: { add: { words: text } } },
        }),
      ])
      const after = siteOf([
        type('note', {
          section: { type: 'select', choices: ['essay'] },
          tags: { type: 'checkboxes', choices: ['a', 'b'] },
          count: { type: 'integer', max: 10 },
          summary: { ...text, required: true },
          links: { type: 'array', max: 1, fields: { add: { words: { ...text, max: 3 } } } },
        }),
      ])
      const values = { section: 'news', tags: ['a', 'c'], count: 99, links: [{ words: 'long words' }, { words: 'b' }] }
      const id = await serve(before, async (admin) => (await admin.post('note', { title: 'One', ...values })).body._id)
      await serve(after, async (admin) => {
        // What is no choice any more is set aside, and cannot be asked for.
        const shown = { ...values, section: null, tags: [] }
        expect((await admin.get(`note/${id}`)).body).toMatchObject(shown)
        const { choices } = (await admin.get('note', 'counts=section,tags')).body
        expect(choices).toEqual({ section: [], tags: [] })
        const patched = await admin.patch(`note/${id}`, { title: 'Two' })
        expect(patched).toMatchObject({ status: 200, body: { title: 'Two', ...shown } })
        expect((await admin.patch(`note/${id}`, { summary: '' })).status).toBe(400)
        const { results } = (await admin.get('@cms/document-versions', `docId=${id}`)).body
        const version = results.at(-1)._id
        const draft = `note/${id.split(':')[0]}:en:draft`
        const less = { section: 'essay', tags: ['b'], count: 5, links: [], summary: 'Words' }
        expect((await admin.patch(draft, less)).body).toMatchObject(less)
        const { status, body } = await admin.put(draft, { _restoreVersion: version }, 'aposMode=draft')
        expect([status, body.section, body.tags]).toEqual([200, null, []])
        const told = body.notRestored.map(({ path, text }: { path: string; text: string }) => [
          path.split('.')[0],
          text,
        ])
        expect(told).toEqual(
          expect.arrayContaining([
            ['section', 'news'],
            ['tags', 'a, c'],
            ['count', '99'],
          ]),
        )
        expect((await admin.post(`${draft.slice(0, -6)}:published/revert-draft-to-published`)).status).toBe(200)
      })
      const { unfit, setAside } = await check(after)
      expect(setAside.map(({ field, type, count }) => [field, type, count])).toEqual([
        ['note.section', 'select', 2],
        ['note.tags', 'checkboxes', 2],
      ])
      expect(unfit.map(({ field, count, examples }) => [field, count, examples])).toEqual(
        expect.arrayContaining(
          ['note.count', 'note.links', 'note.links.words', 'note.summary'].map((field) => [field, 2, ['Two']]),
        ),
      )
      expect(unfit).toHaveLength(4)
    })

    test.each(['piece', 'page'])(
      '§2.11 §2.14 what old widgets and items of a %s lack, or may not hold any more, refuses no change of what is around them',
      async (family) => {
        const { serve } = await openDatabase(databases)
        const route = family === 'piece' ? 'note' : '@cms/page'
        const place = family === 'piece' ? {} : { type: 'note', _targetId: '_home', _position: 'lastChild' }
        const siteWith = (mood: object, added: Fields) => {
          const quote = widget('quote', { fields: { add: { words: text, mood, ...added } } } as object)
          const area = { type: 'area', widgets: { quote: {} } }
          const links = { type: 'array', fields: { add: { words: text, ...added } } }
          const groups = { type: 'array', fields: { add: { name: text, inner: area } } }
          const options = { fields: { add: { body: area, aside: area, links, groups } } } as object
          const note = family === 'piece' ? piece('note', options) : page('note', options)
          return siteOf([note as ContentType], { widgets: [quote] })
        }
        const mood = { type: 'select', choices: ['calm', 'loud'] }
        const quoteOf = (words: string) => ({ type: 'quote', words, mood: 'loud' })
        const made = await serve(siteWith(mood, {}), async (admin) => {
          const values = {
            body: { items: [quoteOf('A'), quoteOf('B')] },
            links: [{ words: 'C' }, { words: 'D' }],
            groups: [{ name: 'E', inner: { items: [quoteOf('F')] } }],
          }
          return (await admin.post(route, { ...place, title: 'One', ...values })).body
        })
        const wrong = (answer: Answer) =>
          (answer.body.data?.errors ?? []).map(({ path, name }: { path: string; name: string }) => [
            path.split('.').at(-1),
            name,
          ])
        const stricter = siteWith({ ...mood, choices: ['calm'] }, { source: { ...text, required: true } })
        await serve(stricter, async (admin) => {
          const read = async () => (await admin.get(`${route}/${made._id}`)).body
          const change = async (patch: object) => {
            const answer = await admin.patch(`${route}/${made._id}`, patch)
            expect(wrong(answer)).toEqual([])
            expect(answer.status).toBe(200)
          }
          const { body, links } = await read()
          const [first, second] = body.items
          const [link] = links
          // By a path, as a whole, in another order, in another area, and inside of something else.
          await change({ [`@${first._id}.words`]: 'A2' })
          await change({ body: { ...body, items: [second, { ...first, words: 'A3' }] } })
          await change({ [`@${link._id}.words`]: 'C2' })
          await change({ $push: { links: { words: 'G', source: 'S' } } })
          await change({ body: { items: [second] }, aside: { items: [first] } })
          const [group] = (await read()).groups
          await change({
            body: { items: [] },
            groups: [{ ...group, inner: { items: [...group.inner.items, second] } }],
          })
          expect(await read()).toMatchObject({
            aside: { items: [{ _id: first._id, mood: null, source: '' }] },
            groups: [{ inner: { items: [{ words: 'F' }, { _id: second._id, mood: null }] } }],
          })
          // What was read is what may be sent back, and copied.
          const { type: _type, ...whole } = await read()
          const replaced = await admin.put(`${route}/${made._id}`, { ...whole, title: 'Two' })
          expect([replaced.status, wrong(replaced)]).toEqual([200, []])
          const copy = await admin.post(route, { ...place, title: 'Copy', _copyingId: made._id })
          expect([copy.status, wrong(copy)]).toEqual([200, []])
          const sent = { ...whole, ...place, title: 'Copy', slug: '', _copyingId: made._id }
          const other = await admin.post(route, sent)
          expect([other.status, wrong(other)]).toEqual([200, []])
          const idsOf = ({ links, aside }: typeof whole) =>
            [...links, aside, ...aside.items].map(({ _id }: { _id: string }) => _id)
          expect(new Set([...idsOf(whole), ...idsOf(other.body)]).size).toBe(2 * idsOf(whole).length)
          // What is new, or becomes empty, is refused as ever.
          const refused = [
            { $push: { links: { words: 'H' } } },
            { body: { items: [{ type: 'quote', words: 'I' }] } },
            { [`@${(await read()).links[2]._id}.source`]: '' },
          ]
          for (const patch of refused) {
            const answer = await admin.patch(`${route}/${made._id}`, patch)
            expect([answer.status, wrong(answer)]).toEqual([400, [['source', 'required']]])
          }
          const loud = await admin.patch(`${route}/${made._id}`, {
            $push: { 'aside.items': { ...quoteOf('J'), source: 'S' } },
          })
          expect([loud.status, wrong(loud)]).toEqual([400, [['mood', 'invalid']]])
        })
      },
    )

    test('§4.4 a list that is too long now is restored, and told of only where it is not; a publication is not undone in part', async () => {
      const { serve } = await openDatabase(databases)
      const siteWith = (choices: string[], max: number) => {
        const mood = { type: 'select', choices }
        return siteOf([type('note', { mood, links: { type: 'array', max, fields: { add: { mood } } } })])
      }
      const id = await serve(siteWith(['calm', 'loud'], 9), async (admin) => {
        const links = [{ mood: 'loud' }, { mood: 'calm' }]
        const { aposDocId } = (await admin.post('note', { title: 'A', mood: 'loud', links })).body
        await admin.patch(`note/${aposDocId}`, { title: 'B', mood: 'calm', links: [] })
        return aposDocId
      })
      await serve(siteWith(['calm'], 1), async (admin) => {
        const undone = await admin.post(`note/${id}:en:published/revert-published-to-previous`)
        const errors = [{ path: 'links', name: 'max' }]
        expect(undone).toMatchObject({ status: 400, body: { data: { errors } } })
        expect((await admin.get(`note/${id}`)).body).toMatchObject({ title: 'B', mood: 'calm', links: [] })
        const { results } = (await admin.get('@cms/document-versions', `docId=${id}`)).body
        const restored = await admin.put(
          `note/${id}:en:draft`,
          { _restoreVersion: results.at(-1)._id },
          'aposMode=draft',
        )
        const { links, notRestored } = restored.body
        expect(links).toMatchObject([{ mood: null }, { mood: 'calm' }])
        expect(notRestored).toEqual([
          { path: 'mood', text: 'loud' },
          { path: `links.${links[0]._id}.mood`, text: 'loud' },
        ])
      })
    })

    test('§10.4 an import takes no value out of a copy that has it, though its draft has another', async () => {
      const { serve } = await openDatabase(databases)
      const siteWith = (max: number) => siteOf([type('note', { mood: { ...text, max } })])
      const folder = await mkdtemp(join(tmpdir(), 'quire-changed-'))
      onTestFinished(() => rm(folder, { recursive: true }))
      const file = join(folder, 'content')
      const operator = ({ app }: { app: App }) => app.context({ kind: 'operator' })
      const id = await serve(siteWith(9), async (admin, others) => {
        const { aposDocId } = (await admin.post('note', { title: 'A', mood: 'too loud' })).body
        await exportContent(operator(others), file, { types: new Set(['note']), locales: null }, () => {})
        await admin.patch(`note/${aposDocId}:en:draft`, { mood: 'calm' })
        return aposDocId
      })
      await serve(siteWith(4), async (admin, others) => {
        expect(await importFile(operator(others), file, folder, { update: true })).toMatchObject({ issues: [] })
        for (const mode of ['draft', 'published'])
          expect((await admin.get(`note/${id}:en:${mode}`)).body).toMatchObject({ mood: 'too loud' })
      })
    })

    test('§2.14 what a published copy may keep refuses no save of it, whatever its draft holds', async () => {
      const { serve } = await openDatabase(databases)
      const siteWith = (isStrict: boolean) => {
        const mood = { type: 'select', choices: isStrict ? ['calm'] : ['calm', 'loud'] }
        const item = { mood, source: isStrict ? { ...text, required: true } : text }
        const quote = widget('quote', { fields: { add: item } } as object)
        const links = { type: 'array', fields: { add: item }, ...(isStrict && { max: 1 }) }
        const body = { type: 'area', widgets: { quote: {}, ...(!isStrict && { '@cms/html': {} }) } }
        return siteOf([type('note', { mood, words: isStrict ? { ...text, max: 3 } : text, links, body })], {
          widgets: [quote],
        })
      }
      const id = await serve(siteWith(false), async (admin) => {
        const loud = { mood: 'loud', source: '' }
        const items = [
          { type: 'quote', ...loud },
          { type: '@cms/html', code: '<b>' },
        ]
        const { body } = await admin.post('note', {
          ...{ title: 'A', mood: 'loud', words: 'too long', links: [loud, loud] },
          body: { items },
        })
        const calm = { mood: 'calm', source: 'S' }
        const changed = {
          ...{ mood: 'calm', words: 'few', links: [{ ...body.links[0], ...calm }] },
          body: { items: [{ ...body.body.items[0], ...calm }] },
        }
        expect((await admin.patch(`note/${body.aposDocId}:en:draft`, changed)).status).toBe(200)
        return body.aposDocId
      })
      await serve(siteWith(true), async (admin) => {
        const published = `note/${id}:en:published`
        const { type: _type, ...whole } = (await admin.get(published)).body
        const { links, body } = whole
        const draft = await admin.get(`note/${id}:en:draft`)
        const wrong = await admin.put(`note/${id}:en:draft`, { ...draft.body, links, words: 'too long', body })
        expect(wrong.status).toBe(400)
        const expected = {
          ...{ mood: null, words: 'too long', links: [{ mood: null, source: '' }, { mood: null }] },
          body: { items: [{ mood: null, source: '' }, { type: '@cms/html' }] },
        }
        expect(await admin.patch(published, { links, body })).toMatchObject({ status: 200 })
        expect(await admin.put(published, { ...whole, title: 'B' })).toMatchObject({ status: 200, body: expected })
        expect((await admin.get(`note/${id}:en:draft`)).body).toMatchObject({ title: 'B', ...expected })
        const worse = { ...whole, words: 'also too long', links: [...links, { mood: 'calm', source: 'S' }] }
        const { body: refused } = await admin.put(published, worse)
        expect(refused.data.errors).toMatchObject([{ path: 'words' }, { path: 'links', name: 'max' }])
      })
    })

    test('§2.14 a type that has no locales any more, or has got them, is told of, and comes back', async () => {
      const { serve, check } = await openDatabase(databases)
      const localized = siteOf([type('note', { words: text })])
      const single = siteOf([type('note', { words: text }, { localized: false })])
      const id = await serve(localized, async (admin) => {
        await admin.post('note', { title: 'French' }, 'aposLocale=fr')
        return (await admin.post('note', { title: 'One', words: 'here' })).body._id
      })
      await serve(single, async (admin, { logged }) => {
        expect(logged).toContainEqual({ misplaced: { note: expect.any(Number) } })
        expect((await admin.get('note')).body.total).toBe(0)
        expect((await admin.post('note', { title: 'Without' })).body.aposLocale).toBeUndefined()
      })
      expect((await check(single)).misplaced).toEqual([
        { type: 'note', locale: 'en', documents: 1 },
        { type: 'note', locale: 'fr', documents: 1 },
      ])
      await serve(localized, async (admin) => {
        expect((await admin.get(`note/${id}`)).body).toMatchObject({ title: 'One', words: 'here' })
        expect((await admin.get('note')).body.total).toBe(1)
      })
      expect((await check(localized)).misplaced).toEqual([{ type: 'note', locale: '', documents: 1 }])
    })

    test('§5.7 a secret is shown by no route under another declaration', async () => {
      const { serve } = await openDatabase(databases)
      const pin = { type: 'password' }
      const site = (pin: object) =>
        siteOf([type('note', { pin, deep: { type: 'object', fields: { add: { pin } } } }, {})])
      const id = await serve(site(pin), async (admin) => {
        const { body } = await admin.post('note', {
          title: 'One',
          pin: 'correct horse',
          deep: { pin: 'battery staple' },
        })
        await admin.patch(`note/${body._id}`, { pin: 'another horse' })
        return body.aposDocId
      })
      const values = ['string', 'richText', 'slug']
      for (const name of values) {
        await serve(site({ type: name }), async (admin, { contributor }) => {
          const answers = await Promise.all([
            admin.get(`note/${id}`),
            admin.get('note', 'choices=pin&counts=pin&search=argon2id'),
            admin.get('note', 'autocomplete=argon'),
            admin.get('note', 'sort=pin'),
            admin.get('@cms/document-versions', `docId=${id}`),
            admin.get(`@cms/document-versions/${await newestVersion(admin, id)}/changes`),
            admin.patch(`note/${id}:en:draft`, { title: name }),
            admin.post(`note/${id}:en:draft/localize`, { toLocale: 'fr', update: true }),
            admin.put(`note/${id}`, { _restoreVersion: await newestVersion(admin, id) }, 'aposMode=draft'),
            contributor.get(`note/${id}:en:draft`),
          ])
          expect(JSON.stringify(answers.map(({ body }) => body))).not.toMatch(/\$argon2|horse|battery|_aside/)
          expect(answers[1]?.body.results).toEqual([])
        })
      }
    })

    test('§2.14 a process of the former site that still runs loses nothing of what the new one writes', async () => {
      const { serve } = await openDatabase(databases)
      const about = { _topics: { type: 'relationship', withType: 'topic' } }
      const inner = (add: Fields) => ({ type: 'array', fields: { add: { words: text, ...add } } })
      const former = siteOf([type('topic'), type('note', { words: text, list: inner({}) })])
      const later = siteOf([
        type('topic'),
        type('note', { words: text, list: inner({ more: text }), extra: text, pin: { type: 'password' }, ...about }),
      ])
      await serve(former, async (old) => {
        const made = await serve(later, async (admin) => {
          const topic = (await admin.post('topic', { title: 'Food' })).body
          const values = {
            words: 'a',
            extra: 'b',
            pin: 'correct horse',
            list: [{ words: 'c', more: 'd' }],
            _topics: [topic],
          }
          return (await admin.post('note', { title: 'One', ...values })).body
        })
        const { body: read } = await old.get(`note/${made._id}`)
        expect(read).toMatchObject({ words: 'a', list: [{ words: 'c' }] })
        const { body: saved } = await old.patch(`note/${made._id}`, { title: 'Two', words: 'changed' })
        const { body: versions } = await old.get('@cms/document-versions', `docId=${made.aposDocId}`)
        const { body: changes } = await old.get(`@cms/document-versions/${versions.results[0]._id}/changes`)
        for (const answer of [read, saved, changes]) expect(JSON.stringify(answer)).not.toMatch(/"(b|d)"|argon2|_aside/)
        await serve(later, async (admin) => {
          const { body } = await admin.get(`note/${made._id}`)
          expect(body).toMatchObject({ title: 'Two', words: 'changed', extra: 'b', _topics: [{ title: 'Food' }] })
          expect(body.list).toMatchObject([{ words: 'c', more: 'd' }])
          expect(body.modified).not.toBe(true)
          await admin.patch(`note/${made._id}`, { title: 'Three', extra: '' })
          expect((await admin.get(`note/${made._id}`)).body).toMatchObject({ title: 'Three', extra: '' })
        })
      })
    })
  },
)
