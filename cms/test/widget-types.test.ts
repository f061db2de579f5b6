import { expect, test } from 'vitest'
import { defineSite } from '../src/model/compile/site-options.ts'
import { page, piece, widget } from '../src/model/declared/content-type.ts'
import { describeService } from './service.ts'

// The fields of a widget are those of its type: whoever changes the type replaces the widget, by whichever way (§4.1).

const body = { type: 'area', widgets: { note: {}, secret: {}, frame: {} } } as const
const holders = {
  body,
  box: { type: 'object', fields: { add: { body } } },
  rows: { type: 'array', fields: { add: { type: { type: 'string' }, body } } },
} as const
const site = defineSite({
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
  types: [
    piece('vault', { viewRole: 'admin' }),
    piece('thing', { fields: { add: holders } }),
    piece('motto', { singleton: true, fields: { add: holders } }),
    page('leaf', {
      fields: {
        add: {
          ...holders,
          words: { type: 'object', fields: { add: { one: { type: 'string' }, two: { type: 'string' } } } },
        },
      },
    }),
    page('twig', {
      fields: {
        add: {
          words: {
            type: 'object',
            fields: { add: { one: { type: 'string' }, two: { type: 'string', viewPermission: 'admin' } } },
          },
        },
      },
    }),
  ],
  widgets: [
    widget('note', {
      fields: {
        add: {
          text: { type: 'string', editPermission: 'admin' },
          _vault: { type: 'relationship', withType: 'vault' },
          words: { type: 'string' },
        },
      },
    }),
    widget('secret', {
      fields: {
        add: {
          text: { type: 'string', viewPermission: 'admin' },
          _vault: { type: 'relationship', withType: 'vault' },
          words: { type: 'string' },
        },
      },
    }),
    widget('frame', { fields: { add: { inner: { type: 'area', widgets: { note: {}, secret: {} } } } } }),
  ],
})

const NOTE = { _id: 'n'.repeat(26), type: 'note', words: 'said' }
const FRAME = { _id: 'f'.repeat(26), type: 'frame', inner: { items: [NOTE] } }
const retype = { [`@${NOTE._id}.type`]: 'secret' }

describeService('§4.1 the type of a widget', { site, isLong: true }, (service) => {
  const targets = async () => {
    const { body: home } = await service.editor.get('@cms/page')
    const tree = { _targetId: home._id, _position: 'lastChild', type: 'leaf' }
    return [
      `thing/${(await service.editor.post('thing', { title: 'Thing' })).body._id}`,
      `@cms/page/${(await service.editor.post('@cms/page', { title: 'Leaf', ...tree })).body._id}`,
      `motto/${(await service.editor.get('motto')).body.results[0]._id}`,
    ]
  }

  test.each([
    ['pushed', { $push: { 'body.items': NOTE }, ...retype }],
    ['pushed among several', { $push: { 'body.items': { $each: [NOTE], $position: 0 } }, ...retype }],
    ['added', { $addToSet: { 'body.items': NOTE }, ...retype }],
    ['given with its area', { body: { items: [NOTE] }, ...retype }],
    ['given with another metaType', { body: { items: [{ ...NOTE, metaType: 'none' }] }, ...retype }],
    ['given by an earlier patch', { _patches: [{ body: { items: [NOTE] } }, { 'body.items.0.type': 'secret' }] }],
    ['whose metaType goes first', { body: { items: [NOTE] }, [`@${NOTE._id}.metaType`]: 'x', ...retype }],
    ['in a widget', { $push: { 'body.items': FRAME }, ...retype }],
    ['in an object', { box: { body: { items: [NOTE] } }, ...retype }],
    ['in an array', { rows: [{ body: { items: [FRAME] } }], ...retype }],
    ['in an item that is pushed', { $push: { rows: { body: { items: [NOTE] } } }, ...retype }],
    ['of no type', { body: { items: [NOTE] }, [`@${NOTE._id}.type`]: null }],
  ])('§4.1 PATCH gives no other one, by a path, to a widget %s', async (_title, patch) => {
    for (const target of await targets()) {
      const { status, body } = await service.editor.patch(target, patch)
      expect([target, status, body.data?.errors]).toMatchObject([target, 400, [{ name: 'invalid' }]])
    }
  })

  test('§4.1 PATCH changes a field of array items that is named type', async () => {
    const row = { _id: NOTE._id, type: 'one' }
    for (const target of await targets()) {
      const { body } = await service.editor.patch(target, { rows: [row], [`@${row._id}.type`]: 'two' })
      expect(body.rows).toMatchObject([{ type: 'two' }])
      expect((await service.editor.patch(target, { 'rows.0.type': 'three' })).body.rows).toMatchObject([
        { type: 'three' },
      ])
    }
  })

  test('§5.7 a published widget takes over nothing of one of another type with its id in the draft', async () => {
    const { body: vault } = await service.admin.post('vault', { title: 'Vault' })
    const held = { ...NOTE, type: 'secret', text: 'HIDDEN', _vault: [vault] }
    const { body: thing } = await service.admin.post('thing', { title: 'Thing', body: { items: [NOTE] } })
    const draft = `thing/${thing.aposDocId}:en:draft`
    await service.admin.patch(draft, { body: { items: [held] } })
    const reverted = await service.editor.post(`${draft}/revert-draft-to-published`, {})
    expect(reverted.body.body.items).toMatchObject([{ type: 'note', words: 'said', text: '' }])
    const seen = await service.admin.get(draft)
    expect(seen.body.body.items).toMatchObject([{ type: 'note', text: '', vaultIds: [] }])
  })

  test('§5.7 nor does one that comes from another locale', async () => {
    const { body: vault } = await service.admin.post('vault', { title: 'Vault' })
    const { body: thing } = await service.admin.post('thing', { title: 'Thing' })
    await service.admin.post(`thing/${thing._id}/localize`, { toLocale: 'fr' })
    const held = { ...NOTE, type: 'secret', text: 'HIDDEN', _vault: [vault] }
    await service.admin.patch(`thing/${thing.aposDocId}:fr:draft`, { body: { items: [held] } })
    await service.editor.patch(`thing/${thing.aposDocId}:en:draft`, { body: { items: [NOTE] } })
    const { body } = await service.editor.post(`thing/${thing._id}/localize`, { toLocale: 'fr', update: true })
    expect(body.body.items).toMatchObject([{ type: 'note', words: 'said', text: '' }])
    const seen = await service.admin.get(`thing/${thing.aposDocId}:fr:draft`)
    expect(seen.body.body.items).toMatchObject([{ type: 'note', text: '', vaultIds: [] }])
  })
  test('§5.7 a PATCH that changes the type of a page takes over what both types declare alike, and what it says', async () => {
    const { body: home } = await service.editor.get('@cms/page')
    const words = { one: 'first', two: 'second' }
    const made = { title: 'Leaf', type: 'leaf', _targetId: home._id, _position: 'lastChild', words }
    const { body: leaf } = await service.admin.post('@cms/page', made)
    const { body: twig } = await service.admin.patch(`@cms/page/${leaf._id}`, { type: 'twig', 'words.one': 'other' })
    expect(twig.words).toMatchObject({ one: 'other', two: '' })
  })

  test('§4.1 changes that nest deeper and deeper are refused', async () => {
    const { body: thing } = await service.editor.post('thing', { title: 'Thing' })
    let deep: object = { _id: 'deepest' }
    for (let level = 0; level < 90; level += 1) deep = { a: deep }
    const nested = (at: number) => JSON.parse(JSON.stringify(deep).replace('deepest', `deepest${at}`))
    const patches = Array.from({ length: 400 }, (_, at) => ({ [at === 0 ? 'box' : `@deepest${at - 1}.b`]: nested(at) }))
    const { status, body } = await service.editor.patch(`thing/${thing._id}`, { _patches: patches })
    expect([status, body]).toMatchObject([400, { name: 'invalid', message: expect.stringContaining('levels deep') }])
    const long = await service.editor.patch(`thing/${thing._id}`, { [`box.${'a.'.repeat(2_000)}b`]: 1 })
    expect([long.status, long.body.name]).toEqual([400, 'invalid'])
  })
})
