import { expect, test } from 'vitest'
import type { Json } from '../src/base/json.ts'
import { defineSite } from '../src/model/compile/site-options.ts'
import { page, piece } from '../src/model/declared/content-type.ts'
import { type Document, openValues } from '../src/model/terms/document.ts'
import { storedValue, walk } from '../src/model/values/walk.ts'
import { rowsOf } from './consistency.ts'
import { sampledDatabases } from './databases.ts'
import { sample } from './sample.ts'
import { type Answer, type Caller, describeService, type Service } from './service.ts'

// Whichever way values travel, a caller changes no field that he may not write and sees none that is hidden (§5.7).

const inner = {
  text: { type: 'string' },
  hidden: { type: 'string', viewPermission: 'admin' },
  locked: { type: 'string', editPermission: 'admin' },
} as const

const guarded = {
  ...inner,
  secret: { type: 'password' },
  box: { type: 'object', fields: { add: inner } },
  rows: { type: 'array', fields: { add: inner } },
} as const

/** The same names, declared so that others could see and write them. */
const loose = { ...inner, hidden: { type: 'string' }, locked: { type: 'string' } } as const
const unguarded = {
  ...loose,
  secret: { type: 'string' },
  box: { type: 'object', fields: { add: loose } },
  rows: { type: 'array', fields: { add: loose } },
} as const
const site = defineSite({
  locales: {
    en: { label: 'English' },
    fr: { label: 'French', prefix: '/fr' },
    de: { label: 'German', prefix: '/de' },
  },
  types: [
    piece('thing', { fields: { add: guarded } }),
    page('leaf', { fields: { add: guarded } }),
    page('twig', { fields: { add: unguarded } }),
    page('vault', { editRole: 'admin' }),
    page('cave', { viewRole: 'admin', editRole: 'admin' }),
  ],
})

const ROW = 'a'.repeat(26)
/** Given once: hashing takes long. */
const SECRET = { secret: 'SECRET of it' }
const values = (mark: string) => {
  const one = { text: `open ${mark}`, hidden: `HIDDEN ${mark}`, locked: `LOCKED ${mark}` }
  return { title: `T ${mark}`, ...one, box: one, rows: [{ _id: ROW, ...one }] }
}

interface Made {
  readonly path: string
  readonly docId: string
  readonly version: string
}

/** Published as 2, with a draft of 3 and a French draft of 4, and a version that says 1. */
async function made(service: Service, path: string, more: object = {}): Promise<Made> {
  const { admin } = service
  const ok = (answer: Answer) => {
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }
  const docId = ok(await admin.post(path, { ...values('1'), ...SECRET, ...more })).aposDocId
  const [version] = await service.app.store.versions.list({ docId: docId, locale: 'en' }, { limit: 1 })
  ok(await admin.patch(`${path}/${docId}`, values('2')))
  ok(await admin.patch(`${path}/${docId}:en:draft`, values('3')))
  ok(await admin.post(`${path}/${docId}/localize`, { toLocale: 'fr' }))
  ok(await admin.patch(`${path}/${docId}:fr:draft`, values('4')))
  return { path, docId, version: version?.id ?? '' }
}

interface Way {
  readonly name: string
  /** True for those that only editors may go. */
  readonly edits?: boolean
  go(caller: Caller, made: Made): Promise<Answer>
}

const WAYS: readonly Way[] = [
  { name: 'PATCH', go: (c, { path, docId }) => c.patch(`${path}/${docId}:en:draft`, { text: 'x', 'box.text': 'x' }) },
  {
    name: 'PATCH of an item',
    go: (c, { path, docId }) => c.patch(`${path}/${docId}:en:draft`, { [`rows.@${ROW}.text`]: 'x' }),
  },
  { name: 'PUT', go: (c, { path, docId }) => c.put(`${path}/${docId}:en:draft`, { title: 'x', rows: [{ _id: ROW }] }) },
  { name: 'PATCH of both copies', edits: true, go: (c, { path, docId }) => c.patch(`${path}/${docId}`, { text: 'x' }) },
  { name: 'localize', go: (c, { path, docId }) => c.post(`${path}/${docId}/localize`, { toLocale: 'de' }) },
  {
    name: 'localize over what is there',
    go: (c, { path, docId }) => c.post(`${path}/${docId}/localize`, { toLocale: 'fr', update: true }),
  },
  { name: 'revert', go: (c, { path, docId }) => c.post(`${path}/${docId}/revert-draft-to-published`) },
  {
    name: 'restoring a version',
    go: (c, { path, docId, version }) => c.put(`${path}/${docId}:en:draft`, { _restoreVersion: version }),
  },
  { name: 'unpublish', edits: true, go: (c, { path, docId }) => c.post(`${path}/${docId}/unpublish`) },
]

const COPIES: readonly Way[] = [
  { name: 'a copy', go: (c, { path, docId }) => c.post(path, { _copyingId: docId }, 'aposMode=draft') },
]
const place = { _targetId: '_home', _position: 'lastChild' }
const PAGE_COPIES: readonly Way[] = [
  { name: 'a copy', go: (c, { path, docId }) => c.post(path, { _copyingId: docId, ...place }, 'aposMode=draft') },
  {
    name: 'a copy of another type',
    go: (c, { path, docId }) => c.post(path, { _copyingId: docId, type: 'twig', ...place }, 'aposMode=draft'),
  },
]
const RETYPED: readonly Way[] = [
  { name: 'PATCH of the type', go: (c, { path, docId }) => c.patch(`${path}/${docId}:en:draft`, { type: 'twig' }) },
  {
    name: 'PATCH of the type and a part',
    go: (c, { path, docId }) => c.patch(`${path}/${docId}:en:draft`, { type: 'twig', 'box.text': 'x' }),
  },
  {
    name: 'PUT of the type',
    go: (c, { path, docId }) => c.put(`${path}/${docId}:en:draft`, { type: 'twig', title: 'x' }),
  },
  {
    name: 'PUT of the type with what one sees',
    go: async (c, { path, docId }) => {
      const { body } = await c.get(`${path}/${docId}:en:draft`)
      return c.put(`${path}/${docId}:en:draft`, { ...body, type: 'twig' })
    },
  },
  {
    name: 'restoring a version of another type',
    go: async (c, made) => {
      expect(await c.patch(`${made.path}/${made.docId}:en:draft`, { type: 'twig' })).toMatchObject({ status: 200 })
      return c.put(`${made.path}/${made.docId}:en:draft`, { _restoreVersion: made.version })
    },
  },
]

/** What a lower role may not write, by its place. */
function guardedIn(service: Service, document: Document | null): { [path: string]: Json } {
  const type = document && service.app.site.types.get(document.type)
  if (!type) return {}
  const found: { [path: string]: Json } = {}
  for (const { field, values, path } of walk(type.fields, openValues(document))) {
    if (field.viewRole === 'admin' || field.editRole === 'admin') found[path] = storedValue(field, values)
  }
  return found
}

async function stored(service: Service, docId: string): Promise<{ [name: string]: { [path: string]: Json } }> {
  const copies: { [name: string]: { [path: string]: Json } } = {}
  for (const locale of ['en', 'fr', 'de']) {
    const { draft, published } = await service.app.store.documents.copies(docId, locale)
    if (draft) copies[`${locale} draft`] = guardedIn(service, draft)
    if (published) copies[`${locale} published`] = guardedIn(service, published)
  }
  return copies
}

const isBlank = (value: Json) => value === null || value === ''

describeService('§5.7 fields of others', { site, on: sampledDatabases('field-access') }, (service) => {
  /** All that the caller is shown of a document afterwards, in every locale and mode. */
  async function seen(caller: Caller, path: string, docId: string): Promise<string> {
    const ids = ['en', 'fr', 'de'].flatMap((locale) => [`${docId}:${locale}:draft`, `${docId}:${locale}:published`])
    const answers = await Promise.all(ids.map((id) => caller.get(`${path}/${id}`, 'archived=any')))
    return JSON.stringify(answers.map(({ body }) => body))
  }

  const families = [
    { path: 'thing', more: {}, ways: WAYS, copies: COPIES, retyped: [] as readonly Way[] },
    { path: '@cms/page', more: { type: 'leaf', ...place }, ways: WAYS, copies: PAGE_COPIES, retyped: RETYPED },
  ]
  for (const { path, more, ways, copies, retyped } of families) {
    for (const who of ['contributor', 'editor', 'ai'] as const) {
      test.each(
        sample(
          ways.filter(({ edits }) => !edits || who === 'editor'),
          3,
        ),
      )(`§5.7 ${path}: $name by ${who} keeps them`, async ({ go }) => {
        const one = await made(service, path, more)
        const before = await stored(service, one.docId)
        const answer = await go(service[who], one)
        expect(answer).toMatchObject({ status: 200 })
        expect(JSON.stringify(answer.body)).not.toMatch(/HIDDEN|SECRET|argon2/)
        const after = await stored(service, one.docId)
        for (const [name, fields] of Object.entries(after)) {
          if (before[name]) expect({ name, ...fields }).toEqual({ name, ...before[name] })
          else expect(Object.entries(fields).filter(([, value]) => !isBlank(value))).toEqual([])
        }
        expect(await seen(service[who], path, one.docId)).not.toMatch(/HIDDEN|SECRET|argon2/)
      })

      test.each(sample([...copies, ...retyped], 2))(`§5.7 ${path}: $name by ${who} takes none over`, async ({ go }) => {
        const one = await made(service, path, more)
        const answer = await go(service[who], one)
        expect(answer).toMatchObject({ status: 200 })
        expect(JSON.stringify(answer.body)).not.toMatch(/HIDDEN|SECRET|argon2/)
        const { draft } = await service.app.store.documents.copies(answer.body.aposDocId, 'en')
        if (draft?.type !== 'twig' || answer.body.aposDocId !== one.docId) {
          expect(Object.entries(guardedIn(service, draft)).filter(([, value]) => !isBlank(value))).toEqual([])
        }
        expect(JSON.stringify(draft?.fields)).not.toMatch(/HIDDEN|SECRET|argon2/)
      })
    }
  }

  const tree = '@cms/page'

  test.each(['draft', 'published'])(
    '§5.7 $push of an item whose _id is there makes another item in the %s',
    async (mode) => {
      const { docId } = await made(service, 'thing')
      const before = await stored(service, docId)
      const item = { _id: ROW, text: 'pushed' }
      for (const rows of [{ $each: [item, item], $position: 0 }, { $each: [item], $before: ROW }, item]) {
        const answer = await service.editor.patch(`thing/${docId}:en:${mode}`, { $push: { rows } })
        expect(answer).toMatchObject({ status: 200 })
      }
      const after = await stored(service, docId)
      for (const [name, fields] of Object.entries(before)) {
        const kept = after[name] ?? {}
        expect(kept).toMatchObject(fields)
        const others = Object.keys(kept).filter((path) => !Object.hasOwn(fields, path))
        expect(others.filter((path) => !isBlank(kept[path] ?? null))).toEqual([])
        const isWritten = name === 'en draft' || name === `en ${mode}`
        expect(others).toHaveLength(isWritten ? 8 : 0)
      }
    },
  )

  test('§5.7 an item that a PATCH names by its place takes over nothing of another item', async () => {
    const last = 'b'.repeat(26)
    const one = { text: 'open', hidden: 'HIDDEN last', locked: 'LOCKED last' }
    const rows = [
      { _id: ROW, text: 'first' },
      { ...one, _id: last },
    ]
    const { aposDocId } = (await service.admin.post('thing', { title: 'Rows', rows })).body
    const draft = `thing/${aposDocId}:en:draft`
    for (const path of ['rows.0', `@${ROW}`]) {
      const answer = await service.contributor.patch(draft, { [path]: { _id: last, text: path } })
      expect(answer).toMatchObject({ status: 200 })
      expect((await service.admin.get(draft)).body.rows).toMatchObject([
        { _id: ROW, text: path, hidden: '', locked: '' },
        { ...one, _id: last },
      ])
    }
    const renamed = await service.contributor.patch(draft, { 'rows.0._id': last })
    expect(renamed).toMatchObject({ status: 400, body: { data: { errors: [{ path: 'rows.0._id', name: 'unique' }] } } })
    const own = await service.contributor.patch(draft, { 'rows.0._id': ROW, 'rows.1': { _id: last, text: 'again' } })
    expect(own).toMatchObject({ status: 200, body: { rows: [{ _id: ROW }, { _id: last, text: 'again' }] } })
    expect((await service.admin.get(draft)).body.rows[1]).toMatchObject({
      hidden: 'HIDDEN last',
      locked: 'LOCKED last',
    })
  })

  test('§5.7 what anybody wrote does not become what only admins write', async () => {
    const open = { type: 'twig', ...values('mine'), ...SECRET, ...place }
    const { body } = await service.contributor.post(tree, open, 'aposMode=draft')
    expect(body).toMatchObject({ locked: 'LOCKED mine', box: { locked: 'LOCKED mine' } })
    const changed = await service.contributor.patch(`${tree}/${body._id}`, { type: 'leaf' })
    expect(changed).toMatchObject({ status: 200, body: { type: 'leaf', text: 'open mine' } })
    const { draft } = await service.app.store.documents.copies(body.aposDocId, 'en')
    expect(Object.entries(guardedIn(service, draft)).filter(([, value]) => !isBlank(value))).toEqual([])
  })

  const sibling = (title: string) => service.admin.post(tree, { type: 'leaf', title, ...place })
  const state = () =>
    rowsOf(service.databaseUrl, [
      'select doc_id, locale, mode, slug, archived, revision, content from documents order by doc_id, locale, mode',
      'select locale, doc_id, path, rank from places order by locale, doc_id',
    ])

  const onTree: readonly Way[] = [
    { name: 'archive', go: (c, { docId }) => c.patch(`${tree}/${docId}`, { ...place, _targetId: '_archive' }) },
    {
      name: 'move',
      go: async (c, { docId }) => c.patch(`${tree}/${docId}`, { ...place, _targetId: (await sibling('To')).body._id }),
    },
    { name: 'rename', go: (c, { docId }) => c.patch(`${tree}/${docId}`, { slug: `/renamed-${docId}` }) },
    {
      name: 'rename as PUT',
      go: (c, { docId }) => c.put(`${tree}/${docId}`, { title: 'x', slug: `/renamed-${docId}` }),
    },
    {
      name: 'rename a draft',
      go: (c, { docId }) => c.patch(`${tree}/${docId}:en:draft`, { slug: `/renamed-${docId}` }),
    },
    {
      name: 'publish a new slug',
      go: async (c, { docId }) => {
        await service.admin.patch(`${tree}/${docId}:en:draft`, { slug: `/renamed-${docId}` })
        return c.post(`${tree}/${docId}/publish`)
      },
    },
  ]
  for (const type of ['vault', 'cave']) {
    test.each(sample(onTree, 2))(
      `§5.2 what lies below a page is protected by its type: $name above a ${type}`,
      async (way) => {
        const top = (await sibling(`Top ${type} ${way.name}`)).body
        const middle = (await service.admin.post(tree, { type: 'leaf', title: 'M', ...place, _targetId: top._id })).body
        const below = { type, title: 'Below', ...place, _targetId: middle._id }
        expect(await service.admin.post(tree, below)).toMatchObject({ status: 200 })
        const prepared: { before: unknown } = { before: null }
        const caller: Caller = {
          ...service.editor,
          patch: async (...given) => {
            prepared.before = await state()
            return service.editor.patch(...given)
          },
          put: async (...given) => {
            prepared.before = await state()
            return service.editor.put(...given)
          },
          post: async (...given) => {
            prepared.before = await state()
            return service.editor.post(...given)
          },
        }
        const answer = await way.go(caller, { path: tree, docId: top.aposDocId, version: '' })
        expect(answer).toMatchObject({ status: 403, body: { name: 'forbidden' } })
        expect(await state()).toEqual(prepared.before)
      },
    )
  }

  test('§5.2 what came out of an archive is protected by its type too', async () => {
    const top = (await sibling('Out')).body
    await service.admin.post(tree, { type: 'vault', title: 'Below', ...place, _targetId: top._id })
    await service.admin.patch(`${tree}/${top._id}`, { ...place, _targetId: '_archive' })
    const before = await state()
    expect(await service.editor.patch(`${tree}/${top._id}`, place)).toMatchObject({ status: 403 })
    expect(await state()).toEqual(before)
  })
})
