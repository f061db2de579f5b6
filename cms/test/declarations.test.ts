import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { newId } from '../src/base/ids.ts'
import type { JsonObject } from '../src/base/json.ts'
import { checkContent } from '../src/cli/check-command.ts'
import { update } from '../src/engine/operations/update.ts'
import { write } from '../src/engine/write.ts'
import type { ChangeRow } from '../src/model/changes/content-change.ts'
import { defineSite, type SiteDeclaration } from '../src/model/compile/site.ts'
import { type ContentType, piece, type WidgetDeclaration, widget } from '../src/model/declared/content-type.ts'
import { fieldTypes } from '../src/model/fields/index.ts'
import { type Caller, callerOf, documented } from './caller.ts'
import { sampledDatabases, type TestDatabase, type TestDatabases } from './databases.ts'
import { jpeg } from './media.ts'
import { sample } from './sample.ts'

const choices = ['one', 'two', '5', 'hello']
const inner = { add: { words: { type: 'string' }, when: { type: 'date' } } }

/** For each field type: how it is declared, and what it holds. */
const EXAMPLES: { readonly [type: string]: { readonly options?: object; readonly value: unknown } } = {
  string: { value: 'hello' },
  slug: { value: 'hello-you' },
  integer: { value: 5 },
  float: { value: 1.5 },
  boolean: { value: true },
  select: { options: { choices }, value: 'two' },
  radio: { options: { choices }, value: '5' },
  checkboxes: { options: { choices }, value: ['one', 'two'] },
  range: { options: { min: 0, max: 10 }, value: 7 },
  color: { value: '#ff0000' },
  box: { value: { top: 1, right: 2, bottom: 3, left: 4 } },
  date: { value: '2026-01-31' },
  time: { value: '08:00' },
  dateAndTime: { value: '2026-01-31T08:00:00.000Z' },
  url: { value: '/about' },
  email: { value: 'ann@example.org' },
  password: { value: 'correct horse' },
  attachment: { value: 'the file' },
  object: { options: { fields: inner }, value: { words: 'in an object', when: '2026-02-01' } },
  array: { options: { fields: inner }, value: [{ words: 'in a list' }, { words: 'there too' }] },
  area: { options: { widgets: { '@cms/rich-text': {} } }, value: '<p>in an area</p>' },
  oembed: { value: { url: 'https://example.org/film', title: 'Film', thumbnail: '' } },
  richText: { value: '<p>in rich text</p>' },
}
const TYPES = Object.keys(EXAMPLES)
const PAIRS = sample(
  TYPES.flatMap((from) => TYPES.filter((to) => to !== from).map((to) => ({ from, to }))),
  40,
)
const nameOf = ({ from, to }: { from: string; to: string }) => `${from}To${to[0]?.toUpperCase()}${to.slice(1)}`

/** What is shown of some of them under their other declaration: what reads the same stays. */
const SHOWN: { readonly [name: string]: unknown } = {
  stringToSelect: 'hello',
  integerToFloat: 5,
  dateToString: '2026-01-31',
  arrayToString: '',
  areaToString: '',
  floatToString: '',
  floatToInteger: null,
  passwordToString: '',
  stringToPassword: undefined,
  areaToInteger: null,
  boxToArray: [],
}

const linkList = { type: 'array', fields: { add: { to: { type: 'url' } } } }

/** A site of notes with these fields. */
function notes(add: { readonly [name: string]: object }): SiteDeclaration {
  // `as`: what is made here by a program is typed as what a site author writes.
  return defineSite({ types: [piece('note', { fields: { add } } as object) as ContentType] })
}

type Side = 'from' | 'to'

/** One field for each pair of types, declared as its one type or as its other. */
function fieldsOn(side: Side): { [name: string]: object } {
  return Object.fromEntries(PAIRS.map((pair) => [nameOf(pair), { type: pair[side], ...EXAMPLES[pair[side]]?.options }]))
}

function siteOn(side: Side) {
  const add = fieldsOn(side)
  // `as`: what is made here by a program is typed as what a site author writes.
  return defineSite({
    locales: { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } },
    types: [
      { family: 'piece', name: 'topic', fields: { add: {} }, options: { publicApiProjection: ['title', 'slug'] } },
      {
        family: 'piece',
        name: 'thing',
        fields: { add },
        options: {
          fields: {
            add: {
              ...add,
              items: { type: 'array', fields: { add: { ...add, extra: { type: 'string' } } } },
              body: { type: 'area', widgets: { panel: {} } },
              [side === 'from' ? '_topics' : '_others']: { type: 'relationship', withType: 'topic' },
              _turned:
                side === 'from'
                  ? { type: 'relationship', withType: 'topic' }
                  : { type: 'relationshipReverse', withType: 'topic', reverseOf: '_things' },
            },
          },
        },
      },
    ].map((type) =>
      type.name === 'topic'
        ? {
            ...type,
            options: { ...type.options, fields: { add: { _things: { type: 'relationship', withType: 'thing' } } } },
          }
        : type,
    ) as unknown as ContentType[],
    widgets: [{ family: 'widget', name: 'panel', fields: { add }, options: { fields: { add } } }] as never,
  })
}

/** A service on a database that another one has used before. */
async function serve(
  site: SiteDeclaration,
  database: TestDatabase,
  uploads = join(tmpdir(), `quire-uploads-${newId()}`),
): Promise<Serving> {
  const keys = (['admin', 'contributor'] as const).map((role) => ({ key: `key-${role}`, role, name: role }))
  const app = await createApp(site, { database: database.url, uploads, keys })
  const address = await app.listen(0, '127.0.0.1')
  const caller = (role: string) => callerOf(address, `key-${role}`, documented(address, `key-${role}`))
  return { app, address, editor: caller('admin'), contributor: caller('contributor') }
}

/** Uses one database with one site after the other. */
async function inTurn(
  databases: TestDatabases,
  steps: readonly (readonly [SiteDeclaration, (serving: Serving) => Promise<void>])[],
  then: (database: TestDatabase) => Promise<void> = async () => {},
): Promise<void> {
  const database = await databases.createReady()
  try {
    for (const [site, step] of steps) {
      const serving = await serve(site, database)
      await step(serving).finally(() => serving.app.close())
    }
    await then(database)
  } finally {
    await database.drop()
  }
}

interface Serving {
  readonly app: App
  readonly address: string
  readonly editor: Caller
  readonly contributor: Caller
}

async function uploaded(address: string): Promise<JsonObject> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(await jpeg())]), 'picture.jpg')
  const headers = { authorization: 'ApiKey key-admin' }
  const response = await fetch(`${address}/api/v1/@cms/attachment/upload`, { method: 'POST', headers, body: form })
  // `as`: an upload answers an attachment.
  return (await response.json()) as JsonObject
}

describe.each(sampledDatabases('declarations'))('§2.14 changed declarations on $name', (databases) => {
  test('every field type is among the examples', () => {
    const related = ['relationship', 'relationshipReverse']
    expect([...fieldTypes.keys()].filter((name) => !related.includes(name)).toSorted()).toEqual(TYPES.toSorted())
  })

  test('§2.14 each field type becomes each other one: nothing fails, and all is there when it turns back', async () => {
    const database = await databases.createReady()
    const uploads = join(tmpdir(), `quire-uploads-${newId()}`)
    try {
      const before = await written(database, uploads)
      await used(database, uploads, before)
      await turnedBack(database, uploads, before)
    } finally {
      await database.drop()
      await rm(uploads, { recursive: true, force: true })
    }
  }, 300_000)

  test('§4.4 secrets of widgets that their area no longer allows are in no version', async () => {
    const secret = { type: 'password' } as const
    const login = widget('login', {
      fields: { add: { pin: secret, more: { type: 'array', fields: { add: { pin: secret } } } } },
    })
    const site = (widgets: readonly WidgetDeclaration[], allowed: object) =>
      defineSite({
        // `as`: see `notes`.
        types: [
          piece('note', { fields: { add: { body: { type: 'area', widgets: allowed } } } } as object) as ContentType,
        ],
        widgets: widgets as [],
      })
    let id = ''
    const body = [{ type: 'login', pin: 'correct horse', more: [{ pin: 'battery staple' }] }]
    // Not by HTTP: what is answered of such widgets is no part of the interface.
    const recorded = async (app: App, title: string) => {
      const type = app.site.types.get('note')
      if (type === undefined) throw new Error('The site has no notes.')
      const copy = { docId: id, locale: 'en', mode: 'published' } as const
      await write(app.context({ kind: 'operator' }), (ctx) => update(ctx, { type, id: copy, ifMatch: null }, { title }))
      const newest = await app.store.versions.newest({ docId: id, locale: 'en' })
      const version = await app.store.versions.get(newest?.id ?? '')
      expect(version?.content).toMatchObject({ title })
      expect(JSON.stringify(version?.content)).not.toContain('argon2')
      expect(JSON.stringify(version?.content)).toContain('login')
    }
    await inTurn(databases, [
      [
        site([login], { login: {} }),
        async ({ app, editor }) => {
          id = (await editor.post('note', { title: 'Made', body: { items: body } })).body.aposDocId
          await recorded(app, 'Allowed')
        },
      ],
      [site([login], { '@cms/rich-text': {} }), ({ app }) => recorded(app, 'Not allowed')],
      [site([], { '@cms/rich-text': {} }), ({ app }) => recorded(app, 'Gone')],
    ])
  })

  test('§4.4 a restored version leaves blank what its field no longer takes, and says so to those who may know it', async () => {
    let id = ''
    let version = ''
    await inTurn(databases, [
      [
        notes({ links: linkList, private: { type: 'integer', viewPermission: 'editor' } }),
        async ({ app, editor }) => {
          const answer = await editor.post('note', {
            title: 'First',
            links: [{ to: '/here' }, { to: '/there' }],
            private: 7,
          })
          id = answer.body.aposDocId
          version = (await app.store.versions.newest({ docId: id, locale: 'en' }))?.id ?? ''
          await editor.patch(`note/${id}`, { title: 'Second', links: [], private: 8 })
        },
      ],
      [
        notes({ links: { type: 'string' }, private: { type: 'date' } }),
        async ({ editor, contributor }) => {
          const body = { title: 'First', _restoreVersion: version }
          const { body: told } = await editor.put(`note/${id}`, body, 'aposMode=draft')
          expect(told).toMatchObject({ title: 'First', links: '', private: null })
          expect(told.notRestored).toEqual([
            { path: 'links', text: '/here, /there' },
            { path: 'private', text: '7' },
          ])
          const { body: less } = await contributor.put(`note/${id}`, body, 'aposMode=draft')
          expect(less.notRestored).toEqual([{ path: 'links', text: '/here, /there' }, { path: 'private' }])
        },
      ],
    ])
  })

  test('§5.7 of what a restored version leaves blank nothing is told that was hidden or secret inside it', async () => {
    let id = ''
    let version = ''
    const hidden = { viewPermission: 'admin', type: 'string' } as const
    const deep = { type: 'object', fields: { add: { hidden } } } as const
    const door = { type: 'object', fields: { add: { open: { type: 'string' }, deep } } } as const
    const key = { type: 'array', fields: { add: { open: { type: 'string' }, word: { type: 'password' } } } } as const
    const open = { type: 'object', fields: { add: { words: { type: 'string' } } } } as const
    await inTurn(databases, [
      [
        notes({ door, key, open }),
        async ({ app, address, editor }) => {
          const values = { key: [{ open: 'a', word: 'SECRET WORDS' }], open: { words: 'told' } }
          const { body } = await editor.post('note', { title: 'First', ...values })
          expect(body).toMatchObject({ open: { words: 'told' } })
          id = body.aposDocId
          const admin = callerOf(address, 'key-admin', null)
          await admin.patch(`note/${id}`, { door: { open: 'b', deep: { hidden: 'HIDDEN' } } })
          version = (await app.store.versions.newest({ docId: id, locale: 'en' }))?.id ?? ''
        },
      ],
      [
        notes({ door: { type: 'string' }, key: { type: 'string' }, open: { type: 'string' } }),
        async ({ contributor }) => {
          const { body } = await contributor.put(`note/${id}`, { _restoreVersion: version }, 'aposMode=draft')
          expect(body.notRestored).toEqual([
            { path: 'door' },
            { path: 'key', text: 'a' },
            { path: 'open', text: 'told' },
          ])
        },
      ],
    ])
  })

  test('§2.14 changes tell of such values to those who might see the field then and when it was last declared', async () => {
    let id = ''
    const changesOfNewest = async (caller: Caller) => {
      const { body: list } = await caller.get('@cms/document-versions', `docId=${id}`)
      const { body } = await caller.get(`@cms/document-versions/${list.results[0]._id}/changes`)
      return Object.fromEntries(
        body.rows.map((row: ChangeRow) => [row.path[0]?.name, [row.type, row.oldText, row.newText]]),
      )
    }
    const number = { type: 'integer' } as const
    await inTurn(databases, [
      [
        notes({ links: linkList, private: { ...number, viewPermission: 'editor' }, open: number, shut: number }),
        async ({ editor }) => {
          const values = { links: [{ to: '/here' }], private: 7, open: 8, shut: 9 }
          id = (await editor.post('note', { title: 'First', ...values })).body.aposDocId
        },
      ],
      [
        notes({ links: linkList, private: number, open: number, shut: { ...number, viewPermission: 'admin' } }),
        async () => {},
      ],
      [
        notes({ links: { type: 'string' }, private: { type: 'date' } }),
        async ({ editor, contributor }) => {
          await editor.patch(`note/${id}:en:draft`, { links: 'Now a text' })
          const told = { links: ['modified', '/here', 'Now a text'], open: ['deleted', '8', ''] }
          const all = { ...told, private: ['deleted', '7', ''], shut: ['deleted', '9', ''] }
          expect(await changesOfNewest(editor)).toEqual(all)
          const only = ['modified', '', '']
          expect(await changesOfNewest(contributor)).toEqual({ ...told, private: only, shut: only })
        },
      ],
    ])
  })

  test('§2.14 relationships to a type that is renamed and renamed back are still there', async () => {
    const site = (target: string) =>
      defineSite({
        types: [
          piece(target),
          piece('note', { fields: { add: { _topics: { type: 'relationship', withType: target } } } }),
        ] as ContentType[],
      })
    let id = ''
    await inTurn(databases, [
      [
        site('topic'),
        async ({ editor }) => {
          const { body: topic } = await editor.post('topic', { title: 'Food' })
          id = (await editor.post('note', { title: 'Bread', _topics: [topic] })).body.aposDocId
        },
      ],
      [
        site('subject'),
        async ({ editor }) => {
          expect((await editor.patch(`note/${id}`, { title: 'Cake' })).body).toMatchObject({ _topics: [] })
        },
      ],
      [
        site('topic'),
        async ({ editor }) => {
          expect((await editor.get(`note/${id}`)).body).toMatchObject({ title: 'Cake', _topics: [{ title: 'Food' }] })
        },
      ],
    ])
  })

  test('§2.14 a value outlives its field, and quire check --content tells of it; a new value takes its place', async () => {
    let kept = ''
    let written = ''
    await inTurn(
      databases,
      [
        [
          notes({ links: linkList, gone: { type: 'string' } }),
          async ({ editor }) => {
            const make = async (title: string) =>
              (await editor.post('note', { title, links: [{ to: '/here' }], gone: 'Still here' })).body.aposDocId
            kept = await make('Kept')
            written = await make('Written')
          },
        ],
        [
          notes({ links: { type: 'string' } }),
          async ({ editor }) => {
            await editor.patch(`note/${kept}`, { title: 'Renamed' })
            await editor.put(`note/${kept}`, { title: 'Replaced', links: '' })
            const { body } = await editor.patch(`note/${written}`, { links: 'Now a text' })
            expect([body.links, Object.keys(body).includes('gone')]).toEqual(['Now a text', false])
          },
        ],
      ],
      async (database) => {
        const { setAside: found } = await checkContent(notes({ links: { type: 'string' } }), {
          QUIRE_DATABASE: database.url,
        })
        // Each in its draft and its published copy.
        expect(found).toEqual([
          { field: 'note.gone', type: 'string', count: 4, examples: ['Replaced', 'Written'] },
          { field: 'note.links', type: 'array', count: 2, examples: ['Replaced'] },
        ])
        const site = notes({ links: linkList, gone: { type: 'string' } })
        const { app, editor } = await serve(site, database)
        const { body: first } = await editor.get(`note/${kept}`)
        const { body: second } = await editor.get(`note/${written}`)
        await app.close()
        expect(first).toMatchObject({ title: 'Replaced', links: [{ to: '/here' }], gone: 'Still here' })
        expect(second).toMatchObject({ links: [], gone: 'Still here' })
      },
    )
  })

  interface Written {
    readonly saved: JsonObject
    readonly untouched: JsonObject
    readonly draft: JsonObject
  }

  async function written(database: TestDatabase, uploads: string): Promise<Written> {
    const { app, address, editor } = await serve(siteOn('from'), database, uploads)
    const file = await uploaded(address)
    const values = Object.fromEntries(
      PAIRS.map((pair) => [nameOf(pair), pair.from === 'attachment' ? file : EXAMPLES[pair.from]?.value]),
    )
    const topic = await editor.post('topic', { title: 'A topic' })
    expect(topic.status).toBe(200)
    const body = (title: string) => ({
      title,
      ...values,
      items: [values, {}],
      body: { items: [{ type: 'panel', ...values }] },
      _topics: [topic.body],
      _turned: [topic.body],
    })
    const make = async (title: string, query?: string) => {
      const answer = await editor.post('thing', body(title), query)
      expect(answer.body).toMatchObject({ title })
      return (await editor.get(`thing/${answer.body._id}`)).body
    }
    const result = {
      saved: await make('Saved'),
      untouched: await make('Untouched'),
      draft: await make('Draft', 'aposMode=draft'),
    }
    await app.close()
    return result
  }

  async function used(database: TestDatabase, uploads: string, { saved, untouched, draft }: Written): Promise<void> {
    const { app, editor } = await serve(siteOn('to'), database, uploads)
    const fine = async (answer: Promise<{ status: number; body: unknown }>, statuses = [200]) => {
      const { status, body } = await answer
      if (!statuses.includes(status)) expect([status, body]).toEqual(statuses)
      const text = JSON.stringify(body)
      expect(text).not.toMatch(/argon2|correct horse|_aside|_declared/)
      return body as JsonObject
    }
    const one = await fine(editor.get(`thing/${untouched._id}`))
    for (const holder of [one, ...heldBy(one)]) {
      for (const [name, value] of Object.entries(SHOWN)) expect([undefined, value]).toContainEqual(holder[name])
    }
    await fine(editor.get('thing'))
    await fine(editor.get('thing', 'aposMode=draft'))
    await fine(editor.get('thing', 'search=hello'))
    await fine(editor.get('thing', 'autocomplete=sav'))
    await fine(editor.get('thing', 'search=saved'))
    const names = PAIRS.map(nameOf)
    for (let from = 0; from < names.length; from += 60) {
      await fine(editor.get('thing', `perPage=1&project[title]=1&choices=${names.slice(from, from + 60).join()}`))
      await fine(editor.get('thing', `perPage=1&project[title]=1&counts=${names.slice(from, from + 60).join()}`))
    }
    for (const name of names.filter((_, index) => index % 7 === 0)) {
      await fine(editor.get('thing', `perPage=1&project[title]=1&${name}=5`), [200, 400])
      await fine(editor.get('thing', `perPage=1&project[title]=1&sort=${name}`), [200, 400])
    }
    await fine(editor.patch(`thing/${saved._id}`, { title: 'Saved again' }))
    await fine(editor.patch(`thing/${saved._id}`, { [`items.@${itemId(saved)}.extra`]: 'More' }))
    await fine(editor.patch(`thing/${draft._id}`, { title: 'Draft again' }, 'aposMode=draft'))
    await fine(editor.put(`thing/${saved._id}`, await fine(editor.get(`thing/${saved._id}`))))
    await fine(editor.post(`thing/${draft.aposDocId}/publish`))
    await fine(editor.post(`thing/${saved.aposDocId}/localize`, { toLocale: 'fr' }))
    await fine(editor.get('thing', 'search=again'))
    for (const { _id } of [saved, draft]) expect(await changesIn(editor, String(_id), fine)).toBeGreaterThan(0)
    await app.close()
  }

  /** How many changes all versions of a document tell. */
  async function changesIn(
    editor: Caller,
    docId: string,
    fine: (answer: Promise<{ status: number; body: unknown }>) => Promise<JsonObject>,
  ): Promise<number> {
    let found = 0
    const { results } = await fine(editor.get('@cms/document-versions', `docId=${docId}`))
    for (const { _id, changeCount } of results as JsonObject[]) {
      const { rows } = await fine(editor.get(`@cms/document-versions/${_id}/changes`))
      expect(rows).toHaveLength(Number(changeCount))
      found += Number(changeCount)
    }
    return found
  }

  async function turnedBack(database: TestDatabase, uploads: string, before: Written): Promise<void> {
    const { app, editor } = await serve(siteOn('from'), database, uploads)
    for (const document of [before.saved, before.untouched, before.draft]) {
      const { body } = await editor.get(`thing/${document._id}`)
      expect(contentOf(body)).toEqual(contentOf(document))
      await changesIn(editor, String(document._id), async (answer) => {
        const { status, body } = await answer
        expect(status).toBe(200)
        expect(JSON.stringify(body)).not.toMatch(/argon2|correct horse|_aside|_declared/)
        return body as JsonObject
      })
    }
    const stored = await app.store.documents.get({ docId: String(before.saved.aposDocId), locale: 'en', mode: 'draft' })
    for (const [name, value] of Object.entries(stored?.fields ?? {})) {
      if (name.startsWith('passwordTo')) expect(value).toMatch(/^\$argon2id\$/)
    }
    await app.close()
  }
})

/** The first item and the first widget of a document. */
function heldBy({ items, body }: JsonObject): JsonObject[] {
  const [item] = items as JsonObject[]
  const [widget] = (body as { items: JsonObject[] }).items
  return item && widget ? [item, widget] : []
}

function itemId({ items }: JsonObject): string {
  const [first] = items as JsonObject[]
  return String(first?._id)
}

/** What a document holds, without what saves change; an empty area may get another id. */
function contentOf(document: JsonObject): JsonObject {
  const { title, slug, updatedAt, updatedBy, lastPublishedAt, modified, ...content } = document
  return JSON.parse(JSON.stringify(content), (name, value) => {
    if (name === 'extra' || ['docIds', 'archivedDocIds', '_edit', '_docId'].includes(name)) return undefined
    return value?.metaType === 'area' || value?.metaType === 'object' ? { ...value, _id: '' } : value
  })
}
