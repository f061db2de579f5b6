import { describe, expect, onTestFinished, test } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import type { ContentChanges } from '../src/engine/content-migrations/migration.ts'
import { insert } from '../src/engine/operations/insert.ts'
import { storedSingletonIds } from '../src/engine/operations/stored-singleton-ids.ts'
import { defineMigration } from '../src/index.ts'
import { defineSite, type SiteDeclaration } from '../src/model/compile/site-options.ts'
import { type ContentType, page, piece, type WidgetDeclaration, widget } from '../src/model/declared/content-type.ts'
import { type Caller, callerOf } from './caller.ts'
import { inconsistencies } from './consistency.ts'
import { sampledDatabases, type TestDatabases } from './databases.ts'

type Fields = { readonly [name: string]: object }
type Up = (content: ContentChanges) => Promise<void>

const LOCALES = { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } }
const text = { type: 'string' }
const links = (url: string) => ({ type: 'array', fields: { add: { [url]: { type: 'url' }, words: text } } })
const address = { type: 'object', fields: { add: { street: text, city: text } } }

/** A site of things with these fields, and of topics that they name. */
function things(add: Fields, { name = 'thing', widgets = [], options = {} }: Naming = {}): SiteDeclaration {
  // `as`, here and below: what is made by a program is typed as what a site author writes.
  const thing = piece(name, { ...options, fields: { add } } as object) as ContentType
  return defineSite({ locales: LOCALES, types: [piece('topic'), thing] as ContentType[], widgets: widgets as [] })
}

interface Naming {
  readonly name?: string
  readonly widgets?: readonly WidgetDeclaration[]
  readonly options?: object
}

interface Serving {
  readonly app: App
  readonly editor: Caller
  readonly contributor: Caller
  readonly logged: object[]
}

const KEYS = (['admin', 'contributor'] as const).map((role) => ({ key: `key-${role}`, role, name: role }))

/** A database that is used by one site after the other. */
async function openDatabase(databases: TestDatabases) {
  const { url, drop } = await databases.createReady()
  onTestFinished(drop)
  const serve = async <T>(
    site: SiteDeclaration,
    work: (serving: Serving) => Promise<T>,
    up?: Up | Up[] | 'unchecked',
  ) => {
    const ups = up === undefined || up === 'unchecked' ? [] : Array.isArray(up) ? up : [up]
    const migrations = ups.map((up, index) => defineMigration({ name: `000${index + 1}-test`, up }))
    const logged: object[] = []
    const log = { info: () => {}, warn: (data: object) => void logged.push(data), error: () => {} }
    const app = await createApp(site, { database: url, keys: KEYS, log, contentMigrations: { migrations } })
    try {
      const address = await app.listen(0, '127.0.0.1')
      const caller = (role: string) => callerOf(address, `key-${role}`, null)
      return await work({ app, editor: caller('admin'), contributor: caller('contributor'), logged })
    } finally {
      await app.close()
      if (up !== 'unchecked') expect(await inconsistencies(url, app.site)).toEqual([])
    }
  }
  return { url, serve }
}

async function versionsOf(caller: Caller, docId: string, locale = 'en') {
  const { body } = await caller.get('@cms/document-versions', `docId=${docId}&aposLocale=${locale}`)
  return body.results as { _id: string; author: string; createdAt: string; changeCount: number }[]
}

describe.each(sampledDatabases('content migrations'))('§2.14 content migrations on $name', (databases) => {
  test('§2.14 a field that is renamed keeps its values in all locales and states, and its versions are read by its new name', async () => {
    const { serve } = await openDatabase(databases)
    const before = things({ body: text, _about: { type: 'relationship', withType: 'topic' } })
    const after = things({ text, _topics: { type: 'relationship', withType: 'topic' } })
    const made = await serve(before, async ({ editor }) => {
      const topic = (await editor.post('topic', { title: 'Food' })).body
      const { body: thing } = await editor.post('thing', { title: 'Bread', body: 'First', _about: [topic] })
      const version = (await versionsOf(editor, thing.aposDocId))[0]?._id ?? ''
      await editor.patch(`thing/${thing.aposDocId}:en:published`, { body: 'Second' })
      await editor.patch(`thing/${thing.aposDocId}:en:draft`, { body: 'Waiting' })
      await editor.post(`thing/${thing.aposDocId}:en:draft/localize`, { toLocale: 'fr' })
      const archived = (await editor.post('thing', { title: 'Old', body: 'Archived' })).body
      await editor.patch(`thing/${archived._id}`, { archived: true })
      const { updatedAt } = (await editor.get(`thing/${thing._id}`)).body
      return { id: thing.aposDocId, topic: topic.aposDocId, version, archived: archived._id, updatedAt }
    })
    const up: Up = async (content) => {
      await content.renameField('thing', 'body', 'text')
      await content.renameField('thing', '_about', '_topics')
    }
    await serve(
      after,
      async ({ editor }) => {
        const published = (await editor.get(`thing/${made.id}`)).body
        expect(published).toMatchObject({ text: 'Second', _topics: [{ title: 'Food' }], updatedAt: made.updatedAt })
        expect((await editor.get(`thing/${made.id}:en:draft`)).body).toMatchObject({ text: 'Waiting', modified: true })
        expect((await editor.get(`thing/${made.id}:fr:draft`)).body).toMatchObject({ text: 'Waiting' })
        expect((await editor.get(`thing/${made.archived}`, 'archived=true')).body).toMatchObject({ text: 'Archived' })
        expect((await editor.get('thing', 'text=second')).body.results).toHaveLength(1)
        expect((await editor.get('thing', 'topics=food')).body.results).toHaveLength(1)
        expect((await editor.get('thing', 'search=second')).body.results).toHaveLength(1)
        const versions = await versionsOf(editor, made.id)
        expect(versions.map(({ author, changeCount }) => [author, changeCount])).toEqual([
          ['Migration 0001-test', 0],
          ['admin', expect.any(Number)],
          ['admin', expect.any(Number)],
          ['admin', expect.any(Number)],
        ])
        const { body: told } = await editor.get(`@cms/document-versions/${versions[2]?._id}/changes`)
        expect(told.rows.map((row: { path: { name: string }[] }) => row.path[0]?.name)).toEqual(['text'])
        const { body: restored } = await editor.put(
          `thing/${made.id}`,
          { _restoreVersion: made.version },
          'aposMode=draft',
        )
        expect(restored).toMatchObject({ text: 'First', topicsIds: [made.topic] })
        expect(restored.notRestored).toBeUndefined()
      },
      up,
    )
    // It runs once, and what it has moved stays.
    await serve(
      after,
      async ({ editor }) => {
        expect((await editor.get(`thing/${made.id}`)).body).toMatchObject({ text: 'Second' })
        expect(await versionsOf(editor, made.id)).toHaveLength(5)
      },
      up,
    )
  })

  test('§2.14 a site that was served without its migration loses nothing, and what was written meanwhile wins', async () => {
    const { serve } = await openDatabase(databases)
    const ids = await serve(things({ body: text }), async ({ editor }) => {
      const make = async (title: string) => (await editor.post('thing', { title, body: title })).body._id as string
      return { one: await make('One'), other: await make('Other'), third: await make('Third') }
    })
    await serve(things({ text }), async ({ editor }) => {
      await editor.patch(`thing/${ids.one}`, { title: 'One again' })
      await editor.patch(`thing/${ids.other}`, { text: 'Written meanwhile' })
    })
    await serve(
      things({ text }),
      async ({ editor }) => {
        const textOf = async (id: string) => (await editor.get(`thing/${id}`)).body.text
        expect([await textOf(ids.one), await textOf(ids.other), await textOf(ids.third)]).toEqual([
          'One',
          'Written meanwhile',
          'Third',
        ])
      },
      (content) => content.renameField('thing', 'body', 'text'),
    )
    await serve(things({ text, body: text }), async ({ editor }) => {
      // Index rows are compared with what is stored, where this is still aside.
      await editor.patch(`thing/${ids.other}`, { title: 'Stored again' })
      expect((await editor.get(`thing/${ids.other}`)).body).toMatchObject({ text: 'Written meanwhile', body: 'Other' })
    })
  })

  test('§2.14 fields inside of lists, objects and widgets are renamed and moved, wherever they lie', async () => {
    const { serve } = await openDatabase(databases)
    const quote = (name: string, by: string) =>
      widget(name, { fields: { add: { [by]: text, more: links('to') } } } as object) as WidgetDeclaration
    const area = (name: string) => ({ type: 'area', widgets: { [name]: {} } })
    const before = things(
      { links: links('to'), street: text, city: text, link: { type: 'url' }, label: text, body: area('quote') },
      { widgets: [quote('quote', 'by')] },
    )
    const after = things(
      { urls: links('url'), address, list: links('url'), body: area('saying') },
      { widgets: [quote('saying', 'author')] },
    )
    const made = await serve(before, async ({ editor }) => {
      const { body } = await editor.post('thing', {
        title: 'One',
        links: [{ to: '/a', words: 'A' }, { to: '/b' }],
        street: 'Long Street',
        city: 'Bern',
        link: '/single',
        label: 'Single',
        body: { items: [{ type: 'quote', by: 'Ann', more: [{ to: '/more' }] }] },
      })
      return { id: body._id, version: (await versionsOf(editor, body.aposDocId))[0]?._id, docId: body.aposDocId }
    })
    const moved = {
      urls: [
        { url: '/a', words: 'A' },
        { url: '/b', words: '' },
      ],
      address: { street: 'Long Street', city: 'Bern' },
      list: [{ url: '/single', words: 'Single' }],
      body: { items: [{ type: 'saying', author: 'Ann', more: [{ to: '/more' }] }] },
    }
    await serve(
      after,
      async ({ editor }) => {
        expect((await editor.get(`thing/${made.id}`)).body).toMatchObject(moved)
        await editor.patch(`thing/${made.id}`, { urls: [], address: { street: 'Other' }, body: '' })
        const restored = await editor.put(`thing/${made.docId}`, { _restoreVersion: made.version }, 'aposMode=draft')
        expect(restored.body).toMatchObject(moved)
        expect(restored.body.notRestored).toBeUndefined()
      },
      async (content) => {
        await content.renameField('thing', 'links', 'urls')
        await content.renameField('thing', 'urls.to', 'urls.url')
        await content.moveField('thing', 'street', 'address.street')
        await content.moveField('thing', 'city', 'address.city')
        await content.moveField('thing', 'link', 'list.url')
        await content.moveField('thing', 'label', 'list.words')
        await content.renameField('quote', 'by', 'author').catch(() => {})
        await content.renameType('quote', 'saying')
        await content.renameField('saying', 'by', 'author')
      },
    )
    // Out of the object again.
    await serve(
      things({ street: text, address: { type: 'object', fields: { add: { city: text } } } }),
      async ({ editor }) => {
        expect((await editor.get(`thing/${made.id}`)).body).toMatchObject({ street: 'Other', address: { city: '' } })
      },
      [async () => {}, (content) => content.moveField('thing', 'address.street', 'street')],
    )
  })

  test('§2.14 a type that is renamed keeps its documents, their versions, and what names them', async () => {
    const { serve } = await openDatabase(databases)
    const site = (name: string) =>
      defineSite({
        locales: LOCALES,
        types: [
          piece(name, { fields: { add: { code: { type: 'string', unique: true } } } }),
          piece('note', { fields: { add: { _things: { type: 'relationship', withType: name } } } }),
        ] as ContentType[],
      })
    const made = await serve(site('thing'), async ({ editor }) => {
      const { body: thing } = await editor.post('thing', { title: 'One', code: 'a' })
      const draft = (await editor.post('thing', { title: 'Draft', code: 'b' }, 'aposMode=draft')).body
      const note = (await editor.post('note', { title: 'Note', _things: [thing] })).body
      const version = (await versionsOf(editor, thing.aposDocId))[0]?._id
      await editor.patch(`thing/${thing._id}`, { title: 'Two', code: 'c' })
      const hook = { url: 'https://example.org/hook', events: ['document.published'], types: ['note', 'thing'] }
      const { body: webhook } = await editor.post('@cms/webhook', hook)
      expect(webhook.types).toEqual(hook.types)
      return { webhook: webhook._id, id: thing.aposDocId, note: note._id, draft: draft._id, version }
    })
    // Nothing is lost when it is served first without its migration, and written.
    await serve(
      site('item'),
      async ({ editor }) => {
        expect((await editor.get('item')).body.total).toBe(0)
        expect((await editor.patch(`note/${made.note}`, { title: 'Note again' })).body._things).toEqual([])
        expect((await editor.post('item', { title: 'Two' })).body.slug).toBe('two')
      },
      'unchecked',
    )
    await serve(
      site('item'),
      async ({ editor }) => {
        expect((await editor.get(`item/${made.id}`)).body).toMatchObject({
          type: 'item',
          title: 'Two',
          code: 'c',
          slug: 'one',
        })
        expect((await editor.get(`item/${made.draft}`)).body).toMatchObject({ type: 'item', title: 'Draft' })
        expect((await editor.get(`note/${made.note}`)).body).toMatchObject({ _things: [{ title: 'Two' }] })
        expect((await editor.get('item', 'code=c')).body.total).toBe(1)
        expect((await editor.get(`@cms/webhook/${made.webhook}`)).body.types).toEqual(['note', 'item'])
        expect((await editor.post('item', { title: 'Again', code: 'C' })).status).toBe(409)
        const versions = await versionsOf(editor, made.id)
        expect(versions.map(({ author }) => author)).toEqual(['Migration 0001-test', 'admin', 'admin'])
        const restored = await editor.put(`item/${made.id}`, { _restoreVersion: made.version }, 'aposMode=draft')
        expect(restored.body).toMatchObject({ title: 'One', code: 'a' })
      },
      (content) => content.renameType('thing', 'item'),
    )
  })

  test('§2.14 a type of pages that is renamed keeps the tree, its URLs, former ones too, and links of images', async () => {
    const { serve } = await openDatabase(databases)
    const site = (name: string) =>
      defineSite({
        locales: LOCALES,
        types: [
          page(name, { fields: { add: { body: { type: 'area', widgets: { '@cms/image': {} } } } } }),
          page('leaf'),
        ],
        pages: { publicApiProjection: ['title', 'slug'] },
      })
    const made = await serve(site('section'), async ({ editor }) => {
      const first = { type: 'section', title: 'News', _targetId: '_home', _position: 'firstChild' }
      const news = (await editor.post('@cms/page', first)).body
      const body = { items: [{ type: '@cms/image', linkTo: 'section', _section: [news] }] }
      const below = { type: 'section', title: 'Sports', _targetId: news._id, _position: 'firstChild', body }
      const sports = (await editor.post('@cms/page', below)).body
      await editor.patch(`@cms/page/${news._id}`, { slug: '/reports' })
      return { news: news._id, sports: sports._id }
    })
    await serve(
      site('chapter'),
      async ({ editor }) => {
        const { body } = await editor.get(`@cms/page/${made.sports}`)
        expect(body).toMatchObject({ type: 'chapter', slug: '/reports/sports', level: 2 })
        expect(body.body.items).toMatchObject([{ linkTo: 'chapter', _chapter: [{ title: 'News' }] }])
        expect((await editor.get('@cms/page')).body._children[0]).toMatchObject({ type: 'chapter', title: 'News' })
      },
      (content) => content.renameType('section', 'chapter'),
    )
  })

  test('§2.14 values are made anew from what was stored, also where their field has another type now', async () => {
    const { serve } = await openDatabase(databases)
    const before = things({
      name: text,
      price: text,
      links: links('to'),
      section: { type: 'select', choices: ['news', 'essay'] },
    })
    const after = things({
      firstName: text,
      lastName: text,
      price: { type: 'integer', max: 100_000 },
      links: links('to'),
      section: { type: 'select', choices: ['reports', 'essay'] },
    })
    const ids = await serve(before, async ({ editor }) => {
      const make = async (price: string) =>
        (await editor.post('thing', { title: 'Thing', name: 'Ann Lee', price, section: 'news', links: [{ to: '/a' }] }))
          .body.aposDocId as string
      return [await make('12.50 CHF'), await make('')]
    })
    const up: Up = async (content) => {
      await content.mapField('thing', 'price', async (value) => {
        const price = typeof value === 'string' ? Number.parseFloat(value) : Number.NaN
        return Number.isNaN(price) ? undefined : Math.round(price * 100)
      })
      await content.mapField('thing', 'links.to', (value) => `/en${value}`)
      await content.mapDocuments('thing', ({ former: { name } }) => {
        const [firstName = '', lastName = ''] = String(name).split(' ')
        return { firstName, lastName }
      })
      await content.renameChoice('thing', 'section', 'news', 'reports')
      await content.run('a topic of its own', async (ctx) => {
        const type = ctx.site.types.get('topic')
        if (type) await insert(ctx, { type, locale: 'en', mode: 'published' }, { title: 'Made by a migration' })
      })
    }
    await serve(
      after,
      async ({ editor }) => {
        const [one, other] = await Promise.all(ids.map(async (id) => (await editor.get(`thing/${id}`)).body))
        expect(one).toMatchObject({
          price: 1250,
          firstName: 'Ann',
          lastName: 'Lee',
          section: 'reports',
          links: [{ to: '/en/a' }],
        })
        expect(other).toMatchObject({ price: null, firstName: 'Ann', lastName: 'Lee' })
        expect((await editor.get('thing', 'price[min]=1000')).body.total).toBe(1)
        expect((await editor.get('thing', 'section=reports')).body.total).toBe(2)
        expect((await editor.get('topic')).body.results).toMatchObject([{ title: 'Made by a migration' }])
        const [version] = await versionsOf(editor, ids[0] ?? '')
        expect(version?.author).toBe('Migration 0001-test')
      },
      up,
    )
  })

  test('§2.14 a migration that fails says at which document and field, leaves nothing half done, and goes on later', async () => {
    const { serve } = await openDatabase(databases)
    const before = things({ price: text, body: text })
    const after = things({ price: { type: 'integer', max: 10 }, text })
    await serve(before, async ({ editor }) => {
      for (let price = 1; price <= 12; price += 1)
        await editor.post('thing', { title: `Thing ${price}`, price: String(price), body: 'Words' })
    })
    const up =
      (most: number): Up =>
      async (content) => {
        await content.renameField('thing', 'body', 'text')
        await content.mapField('thing', 'price', (price) => Math.min(most, Number(price)))
      }
    const failing = serve(after, async () => {}, up(99))
    await expect(failing).rejects.toMatchObject({
      message: expect.stringMatching(
        /^Content migration 0001-test: The migration fails at thing "Thing 11" \(\w{26}, en, draft\)\./,
      ),
      data: { errors: [{ path: 'price', name: 'max' }] },
    })
    await serve(
      after,
      async ({ editor }) => {
        const { body } = await editor.get('thing', 'perPage=50&sort=price')
        expect(body.results.map(({ price, text }: { price: number; text: string }) => [price, text])).toEqual(
          [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10].map((price) => [price, 'Words']),
        )
        const ids = body.results.map(({ aposDocId }: { aposDocId: string }) => aposDocId)
        expect(await versionsOf(editor, ids[0])).toHaveLength(2)
      },
      up(10),
    )
  })

  test('§5.7 secrets become nothing else, and names that are not there are refused', async () => {
    const { serve } = await openDatabase(databases)
    const pin = { type: 'password' }
    await serve(things({ pin, more: { type: 'object', fields: { add: { pin } } }, body: text }), async ({ editor }) => {
      await editor.post('thing', { title: 'One', pin: 'correct horse', more: { pin: 'battery staple' }, body: 'Words' })
    })
    const after = things({
      code: text,
      less: { type: 'object', fields: { add: { pin: text } } },
      body: text,
      links: links('to'),
    })
    const refused = (up: Up) => serve(after, async () => {}, up)
    await expect(refused((content) => content.renameField('thing', 'pin', 'code'))).rejects.toThrow('type password')
    await expect(refused((content) => content.renameField('thing', 'more', 'less'))).rejects.toThrow('type password')
    await expect(refused((content) => content.renameField('thing', 'gone', 'none'))).rejects.toThrow('no field none')
    await expect(refused((content) => content.renameField('thing', 'body', 'code'))).rejects.toThrow(
      'still has the field',
    )
    await expect(refused((content) => content.renameType('topic', 'thing'))).rejects.toThrow('still has the type')
    await expect(refused((content) => content.renameType('thong', 'think'))).rejects.toThrow('no type think')
    await expect(refused((content) => content.moveField('thing', 'gone', 'code.inner'))).rejects.toThrow(
      'no field code.inner',
    )
    await expect(refused((content) => content.mapDocuments('thing', () => ({ words: 'none' })))).rejects.toThrow(
      'no field words',
    )
    await expect(refused((content) => content.mapDocuments('thing', () => null as never))).rejects.toThrow(
      'an object of fields',
    )
    await serve(after, async ({ editor }) => {
      expect(JSON.stringify((await editor.get('thing')).body)).not.toMatch(/argon2/)
    })
  })

  test('§2.14 what a caller may not see stays hidden under its new name', async () => {
    const { serve } = await openDatabase(databases)
    const hidden = { type: 'string', viewPermission: 'admin' }
    const id = await serve(things({ note: hidden }), async ({ editor }) => {
      const { body } = await editor.post('thing', { title: 'One', note: 'HIDDEN' })
      await editor.patch(`thing/${body._id}`, { note: 'HIDDEN AGAIN' })
      return body.aposDocId as string
    })
    await serve(
      things({ remark: hidden }),
      async ({ editor, contributor }) => {
        expect((await editor.get(`thing/${id}`)).body.remark).toBe('HIDDEN AGAIN')
        expect((await contributor.get(`thing/${id}`)).body).not.toHaveProperty('remark')
        for (const { _id } of await versionsOf(contributor, id)) {
          const { body } = await contributor.get(`@cms/document-versions/${_id}/changes`)
          expect(JSON.stringify(body)).not.toContain('HIDDEN')
        }
      },
      (content) => content.renameField('thing', 'note', 'remark'),
    )
  })

  test('§2.14 a database that is several releases behind runs through all migrations, and a new one through none', async () => {
    const { serve } = await openDatabase(databases)
    const ups: Up[] = [
      (content) => content.renameField('thing', 'first', 'second'),
      (content) => content.renameType('thing', 'item'),
      async (content) => {
        await content.moveField('item', 'second', 'box.inner')
        await content.renameType('item', 'entry')
      },
      async (content) => {
        await content.renameField('entry', 'box.inner', 'box.last')
        await content.mapField('entry', 'box.last', (value) => `${value}!`)
      },
    ]
    const now = things({ box: { type: 'object', fields: { add: { last: text } } } }, { name: 'entry' })
    const made = await serve(things({ first: text }), async ({ editor }) => {
      const { body } = await editor.post('thing', { title: 'One', first: 'words' })
      return { id: body.aposDocId, version: (await versionsOf(editor, body.aposDocId))[0]?._id }
    })
    await serve(
      now,
      async ({ editor }) => {
        expect((await editor.get(`entry/${made.id}`)).body).toMatchObject({ type: 'entry', box: { last: 'words!' } })
        const restored = await editor.put(`entry/${made.id}`, { _restoreVersion: made.version }, 'aposMode=draft')
        expect(restored.body).toMatchObject({ box: { last: 'words' } })
      },
      ups,
    )
    const fresh = await openDatabase(databases)
    await fresh.serve(now, async ({ editor }) => expect((await editor.get('entry')).body.total).toBe(0), [
      ...ups,
      () => Promise.reject(new Error('It is run on a new database.')),
    ])
  })

  test('§2.14 a singleton that is renamed keeps its document, in all locales, and what belongs to it', async () => {
    const { serve } = await openDatabase(databases)
    const site = (name: string, locales: object = LOCALES) =>
      defineSite({
        locales,
        types: [
          piece(name, { singleton: true, scheduling: true, fields: { add: { words: { type: 'string' } } } }),
          piece('note', { fields: { add: { _about: { type: 'relationship', withType: name } } } }),
        ],
      } as object)
    const publishAt = new Date(Date.now() + 3_600_000).toISOString()
    const made = await serve(site('motto'), async ({ editor }) => {
      const [{ aposDocId: id }] = (await editor.get('motto')).body.results
      await editor.patch(`motto/${id}`, { words: 'Festina lente' })
      await editor.patch(`motto/${id}:fr:draft`, { words: 'Hâte-toi lentement', publishAt })
      const { body: note } = await editor.post('note', { title: 'Note', _about: [{ _id: id }] })
      return { id, note: note._id, version: (await versionsOf(editor, id))[0]?._id }
    })
    // Served without its migration first: what this start makes gives way.
    await serve(
      site('device'),
      async ({ editor }) => {
        expect((await editor.get('device')).body.results).toMatchObject([{ words: '' }])
      },
      'unchecked',
    )
    const rename: Up = (content) => content.renameType('motto', 'device')
    await serve(
      site('device'),
      async ({ editor }) => {
        const { results } = (await editor.get('device')).body
        expect(results).toMatchObject([{ aposDocId: made.id, type: 'device', words: 'Festina lente' }])
        const french = await editor.get(`device/${made.id}:fr:draft`)
        expect(french.body).toMatchObject({ words: 'Hâte-toi lentement', publishAt })
        expect((await editor.get(`note/${made.note}`)).body._about).toMatchObject([{ words: 'Festina lente' }])
        expect((await versionsOf(editor, made.id)).length).toBeGreaterThan(1)
        const restored = await editor.put(`device/${made.id}`, { _restoreVersion: made.version }, 'aposMode=draft')
        expect(restored.body).toMatchObject({ words: 'Festina lente' })
      },
      rename,
    )
    const more = { ...LOCALES, de: { label: 'Deutsch', prefix: '/de' } }
    for (const name of ['device', 'motto']) {
      const back: Up[] = name === 'motto' ? [rename, (content) => content.renameType('device', 'motto')] : [rename]
      await serve(
        site(name, more),
        async ({ editor, app }) => {
          for (const locale of ['en', 'fr', 'de']) {
            const { results } = (await editor.get(name, `aposLocale=${locale}`)).body
            expect(results).toMatchObject([{ aposDocId: made.id, type: name }])
          }
          const idOf = await storedSingletonIds(app.context({ kind: 'operator' }))
          const type = app.site.types.get(name)
          expect(type && idOf(type)).toBe(made.id)
        },
        back,
      )
    }
  })

  test('§2.14 no singleton becomes one of the service, which finds them by their ids', async () => {
    const { serve } = await openDatabase(databases)
    await serve(defineSite({ types: [piece('motto', { singleton: true })] }), async () => {})
    const renamed = serve(
      defineSite({ types: [] }),
      async () => {},
      (content) => content.renameType('motto', '@cms/global'),
    )
    await expect(renamed).rejects.toThrow('quire import FILE --map motto=@cms/global --update')
  })

  test('§2.14 a renamed singleton keeps its document when another type gets its former name', async () => {
    const { serve } = await openDatabase(databases)
    const singleton = (name: string) => piece(name, { singleton: true })
    const found = async (caller: Caller, name: string) =>
      (await caller.get(name)).body.results.map(({ title }: { title: string }) => title)
    await serve(defineSite({ types: [singleton('motto')] }), async ({ editor }) => {
      const [{ _id: id }] = (await editor.get('motto')).body.results
      await editor.patch(`motto/${id}`, { title: 'Festina lente' })
    })
    const rename: Up = (content) => content.renameType('motto', 'device')
    await serve(
      defineSite({ types: [singleton('device')] }),
      async ({ editor }) => expect(await found(editor, 'device')).toEqual(['Festina lente']),
      rename,
    )
    await serve(
      defineSite({ types: [singleton('device'), piece('motto')] }),
      async ({ editor }) => {
        expect(await found(editor, 'device')).toEqual(['Festina lente'])
        expect(await found(editor, 'motto')).toEqual([])
      },
      rename,
    )
    for (const _start of ['first', 'second']) {
      await serve(
        defineSite({ types: [singleton('device'), singleton('motto')] }),
        async ({ editor }) => {
          expect(await found(editor, 'device')).toEqual(['Festina lente'])
          expect(await found(editor, 'motto')).toEqual(['Motto'])
        },
        rename,
      )
    }
    const again: Up[] = [rename, (content) => content.renameType('motto', 'crest')]
    await serve(
      defineSite({ types: [singleton('device'), singleton('crest')] }),
      async ({ editor }) => {
        expect(await found(editor, 'device')).toEqual(['Festina lente'])
        expect(await found(editor, 'crest')).toEqual(['Motto'])
      },
      again,
    )
  })

  test('§2.14 a singleton that gets its first name back may be interrupted', async () => {
    const { serve } = await openDatabase(databases)
    const site = (name: string) => defineSite({ types: [piece(name, { singleton: true })] })
    await serve(site('motto'), async ({ editor }) => {
      const [{ _id: id }] = (await editor.get('motto')).body.results
      await editor.patch(`motto/${id}`, { title: 'Festina lente' })
    })
    const rename: Up = (content) => content.renameType('motto', 'device')
    await serve(site('device'), async () => {}, rename)
    const back = (isFailing: boolean): Up[] => [
      rename,
      async (content) => {
        await content.renameType('device', 'motto')
        await content.run('after it', async () => {
          if (isFailing) throw new Error('Interrupted.')
        })
      },
    ]
    await expect(serve(site('motto'), async () => {}, back(true))).rejects.toThrow('Interrupted.')
    await serve(
      site('motto'),
      async ({ editor }) => {
        expect((await editor.get('motto')).body.results).toMatchObject([{ title: 'Festina lente' }])
      },
      back(false),
    )
  })

  test('§2.14 a singleton that was saved under its new name is not replaced, nor by documents of a type that was none', async () => {
    const { serve } = await openDatabase(databases)
    const site = (name: string) => defineSite({ types: [piece(name, { singleton: true })] })
    await serve(defineSite({ types: [piece('crest')] }), ({ editor }) => editor.post('crest', { title: 'Lion' }))
    const crest = serve(
      site('motto'),
      async () => {},
      (content) => content.renameType('crest', 'motto'),
    )
    await expect(crest).rejects.toThrow('motto is a singleton, and crest was none')
    await serve(site('motto'), async () => {})
    await serve(
      site('device'),
      async ({ editor }) => {
        const [{ _id: id }] = (await editor.get('device')).body.results
        expect((await editor.patch(`device/${id}`, { title: 'Saved' })).status).toBe(200)
      },
      'unchecked',
    )
    const renamed = serve(
      site('device'),
      async () => {},
      (content) => content.renameType('motto', 'device'),
    )
    await expect(renamed).rejects.toThrow('quire import FILE --map motto=device --update')
    await serve(
      site('device'),
      async ({ editor }) => {
        expect((await editor.get('device')).body.results).toMatchObject([{ title: 'Saved' }])
      },
      'unchecked',
    )
  })

  test('§2.14 a type that has had one name twice keeps its documents', async () => {
    const { serve } = await openDatabase(databases)
    const named = (name: string) => things({ first: text }, { name })
    const ups: Up[] = [
      (content) => content.renameType('thing', 'item'),
      (content) => content.renameType('item', 'thing'),
      (content) => content.renameType('thing', 'entry'),
    ]
    const id = await serve(named('thing'), async ({ editor }) => {
      return (await editor.post('thing', { title: 'One', first: 'words' })).body.aposDocId
    })
    for (const [count, name] of [
      [1, 'item'],
      [2, 'thing'],
      [3, 'entry'],
    ] as const) {
      const read = async ({ editor }: Serving) => {
        expect((await editor.get(`${name}/${id}`)).body).toMatchObject({ type: name, first: 'words' })
      }
      await serve(named(name), read, ups.slice(0, count))
    }
    await serve(
      things({ second: text }, { name: 'entry' }),
      async ({ editor }) => expect((await editor.get(`entry/${id}`)).body).toMatchObject({ second: 'words' }),
      [...ups, (content) => content.renameField('entry', 'first', 'second')],
    )
  })

  test('§6.1 hooks hear of what a migration saves, and pages whose draft has another type keep it', async () => {
    const { serve } = await openDatabase(databases)
    const heard: string[] = []
    const site = (name: string) =>
      defineSite({
        locales: LOCALES,
        types: [page(name), page('leaf')] as ContentType[],
        features: [
          {
            name: 'listener',
            hooks: {
              beforeSave: ({ reason, type, id }) => void heard.push(`before ${reason} ${type.name} ${id.mode}`),
              afterSave: {
                wait: true,
                run: ({ reason, type, id }) => void heard.push(`after ${reason} ${type.name} ${id.mode}`),
              },
            },
          },
        ],
      })
    const id = await serve(site('section'), async ({ editor }) => {
      const target = { type: 'section', title: 'News', _targetId: '_home', _position: 'firstChild' }
      const { body } = await editor.post('@cms/page', target)
      await editor.patch(`@cms/page/${body.aposDocId}:en:draft`, { type: 'leaf' })
      return body.aposDocId
    })
    heard.length = 0
    await serve(
      site('chapter'),
      async ({ editor }) => {
        const { body: published } = await editor.get(`@cms/page/${id}`)
        const { body: draft } = await editor.get(`@cms/page/${id}:en:draft`)
        expect([published.type, published.slug, draft.type, draft.slug]).toEqual(['chapter', '/news', 'leaf', '/news'])
      },
      (content) => content.renameType('section', 'chapter'),
    )
    expect(heard.filter((one) => one.includes('migrated'))).toEqual([
      'before migrated chapter published',
      'after migrated chapter published',
    ])
  })
})
