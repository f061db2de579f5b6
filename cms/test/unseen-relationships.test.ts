import { expect, test } from 'vitest'
import { defineSite, piece, widget } from '../src/index.ts'
import { openValues } from '../src/model/terms/document.ts'
import { storedValue, walk } from '../src/model/values/walk.ts'
import { sampledDatabases } from './databases.ts'
import { type Answer, type Caller, describeService } from './service.ts'

const guests = {
  _vaults: { type: 'relationship', withType: 'vault', fields: { add: { code: { type: 'string' } } } },
} as const
const site = defineSite({
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
  widgets: [widget('door', { fields: { add: { label: { type: 'string' }, ...guests } } })],
  types: [
    piece('vault', { viewRole: 'admin', editRole: 'admin' }),
    piece('thing', {
      fields: {
        add: {
          text: { type: 'string' },
          ...guests,
          rows: { type: 'array', fields: { add: { label: { type: 'string' }, ...guests } } },
          body: { type: 'area', widgets: { door: {} } },
        },
      },
    }),
  ],
})

interface Way {
  readonly name: string
  go(caller: Caller, path: string, shown: Answer['body'], version: string): Promise<Answer>
}

const WAYS: readonly Way[] = [
  { name: 'PUT of what one sees', go: (c, path, shown) => c.put(path, shown) },
  {
    name: 'PUT of the rest',
    go: (c, path, { rows, body }) => c.put(path, { title: 'x', rows: bare(rows), body: { items: bare(body.items) } }),
  },
  {
    name: 'PATCH with empty lists',
    go: (c, path, { rows, body }) =>
      c.patch(path, {
        _vaults: [],
        [`rows.@${rows[0]._id}`]: { ...bare(rows)[0], _vaults: [] },
        [`@${body.items[0]._id}`]: { ...bare(body.items)[0], vaultsIds: [] },
      }),
  },
  { name: 'revert', go: (c, path) => c.post(`${path}/revert-draft-to-published`) },
  { name: 'restoring a version', go: (c, path, _, version) => c.put(`${path}:en:draft`, { _restoreVersion: version }) },
]

/** Items without what they hold. */
const bare = (items: readonly { _id: string; type?: string }[]) => items.map(({ _id, type }) => ({ _id, type }))

describeService('§5.7 related types of others', { site, on: sampledDatabases('unseen') }, (service) => {
  /** All relationships of both copies. */
  async function stored(docId: string) {
    const { draft, published } = await service.app.store.documents.copies(docId, 'en')
    return [draft, published].map((copy) => {
      const type = service.app.site.types.get('thing')
      if (copy === null || type === undefined) throw new Error('A copy is missing.')
      const located = [...walk(type.fields, openValues(copy))].filter(({ field }) => field.name === '_vaults')
      return located.map(({ field, values, path }) => [path, storedValue(field, values)])
    })
  }

  test.each(WAYS)('§5.7 $name drops no ids of documents that the caller may not see', async ({ go }) => {
    const [one, two] = await Promise.all([1, 2].map((number) => service.admin.post('vault', { title: `V ${number}` })))
    const _vaults = [
      { _id: one?.body._id, _fields: { code: 'a' } },
      { _id: two?.body._id, _fields: { code: 'b' } },
    ]
    const rows = [{ label: 'row' }]
    const made = await service.admin.post('thing', { title: 'Thing', rows, body: { items: [{ type: 'door' }] } })
    const [version] = await service.app.store.versions.list({ docId: made.body.aposDocId, locale: 'en' }, { limit: 1 })
    const path = `thing/${made.body.aposDocId}`
    const filled = (items: readonly object[]) => items.map((item) => ({ ...item, _vaults }))
    const body = { items: filled(made.body.body.items) }
    await service.admin.put(path, { title: 'Thing', _vaults, rows: filled(made.body.rows), body })
    await service.admin.patch(`${path}:en:draft`, { _vaults: [one?.body._id] })
    const before = await stored(made.body.aposDocId)
    expect(JSON.stringify(before).split('"code":"b"')).toHaveLength(6)
    const shown = (await service.editor.get(path)).body
    expect(shown._vaults).toEqual([])
    expect(await go(service.editor, path, shown, version?.id ?? '')).toMatchObject({ status: 200 })
    expect(await stored(made.body.aposDocId)).toEqual(before)
  })

  test('§5.7 new ones are refused, and an item that is removed takes its own along', async () => {
    const vault = (await service.admin.post('vault', { title: 'V' })).body
    const other = (await service.admin.post('vault', { title: 'Other' })).body
    const rows = [{ label: 'row', _vaults: [{ _id: vault._id }] }]
    const made = await service.admin.post('thing', { title: 'Thing', rows })
    const path = `thing/${made.body.aposDocId}`
    expect(await service.editor.patch(path, { _vaults: [{ _id: other._id }] })).toMatchObject({ status: 400 })
    expect(await service.editor.patch(path, { rows: [] })).toMatchObject({ status: 200 })
    expect((await service.admin.get(path)).body).toMatchObject({ _vaults: [], rows: [] })
  })

  test('§5.7 a copy made by a caller who may not see a type names none of its documents', async () => {
    const vault = (await service.admin.post('vault', { title: 'V' })).body
    const _vaults = [{ _id: vault._id, _fields: { code: 'a' } }]
    const content = {
      text: 'Text',
      _vaults,
      rows: [{ label: 'row', _vaults }],
      body: { items: [{ type: 'door', _vaults }] },
    }
    const { _id: _copyingId } = (await service.admin.post('thing', { title: 'Thing', ...content })).body
    const idsIn = async (caller: Caller) => {
      const { body } = await caller.post('thing', { title: 'Copy', _copyingId })
      expect(body).toMatchObject({ text: 'Text', rows: [{ label: 'row' }] })
      const [draft, published] = await stored(body.aposDocId)
      expect(draft).toEqual(published)
      return JSON.stringify(draft).split(vault.aposDocId).length - 1
    }
    // As an id, and as what the relationship says of it.
    expect([await idsIn(service.admin), await idsIn(service.editor)]).toEqual([6, 0])
  })

  test('§5.7 a document in a new locale names no documents that the caller may not see', async () => {
    const vault = (await service.admin.post('vault', { title: 'V' })).body
    const _vaults = [{ _id: vault._id, _fields: { code: 'a' } }]
    const content = (rows: readonly object[]) => ({ _vaults, rows, body: { items: [{ type: 'door', _vaults }] } })
    const namesIn = async (caller: Caller, docId: string, body: object) => {
      const answer = await caller.post(`thing/${docId}/localize`, { toLocale: 'fr', ...body })
      expect(answer).toMatchObject({ status: 200, body: { rows: [{ label: 'row' }] } })
      const { draft } = await service.app.store.documents.copies(docId, 'fr')
      return JSON.stringify(draft?.fields).split(vault.aposDocId).length - 1
    }
    const of = async () =>
      (await service.admin.post('thing', { title: 'Thing', ...content([{ label: 'row', _vaults }]) })).body.aposDocId
    // As an id, and as what the relationship says of it.
    const [one, other] = [await of(), await of()]
    expect(await namesIn(service.admin, one, {})).toBe(6)
    expect(await namesIn(service.editor, other, {})).toBe(0)
    // What is there stays; what the copy brings along does not come.
    expect(await namesIn(service.editor, one, { update: true })).toBe(6)
    expect(await namesIn(service.editor, other, { update: true })).toBe(0)
  })
})
