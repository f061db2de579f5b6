import { describe, expect, it } from 'vitest'
import { patch, repeat } from '../../../test/patching.ts'
import { NO_FIELDS } from '../../model/field-type/options.ts'
import { document, links } from './test-patched-document.ts'

describe('§3 a PATCH on another copy', () => {
  it('§3 on another copy the same items change, wherever they are there; those that it lacks are skipped', () => {
    const [first, other] = [document(), document()]
    other.links = [links()[2] ?? null, links()[0] ?? null]
    other._topics = [
      { _id: 't2', _fields: {} },
      { _id: 't1', _fields: {} },
    ]
    const { touched, operations } = patch(NO_FIELDS, first, {
      'links.0.label': 'First',
      'links.1.label': 'Lacking',
      'deep.0.list.0.text': 'y',
      '_topics.0._fields.why': 'b',
      'tags.0': 'pink',
      $push: { links: { $each: [{ _id: 'l1', label: 'New' }], $position: 3 } },
      $pullAllById: { links: ['l2', 'l3'] },
    })
    expect([...touched]).toEqual(['links', 'deep', '_topics', 'tags'])
    expect(operations.map(({ path }) => path)).toEqual([
      '@l1.label',
      '@l2.label',
      '@i1.text',
      '_topics.@t1._fields.why',
      'tags.0',
      'links',
      'links',
    ])
    repeat(NO_FIELDS, other, operations)
    expect(other).toEqual({
      title: 'T',
      tags: ['pink', 'green'],
      links: [{ _id: 'l1', label: 'First' }, { label: 'New' }],
      deep: [{ _id: 'd1', list: [{ _id: 'i1', text: 'y' }] }],
      _topics: [
        { _id: 't2', _fields: {} },
        { _id: 't1', _fields: { why: 'b' } },
      ],
      _others: [{ _id: 't1', _fields: {} }],
      area: document().area,
      home: document().home,
      copies: document().copies,
      blank: null,
    })
  })

  it('§3 on another copy an item is the one with the same id, however the path names it', () => {
    const [first, other] = [document(), document()]
    other.deep = [{ _id: 'd1', list: [{ _id: 'i0' }, { _id: 'i1', text: 'x' }] }]
    other.area = { _id: 'a2', items: [{ _id: 'w2' }, { text: 'x' }] }
    delete other.links
    const { operations } = patch(NO_FIELDS, first, {
      '@d1.list.0.text': 'y',
      'links.@i1.more': 'z',
      'area.items.1.text': 'y',
    })
    repeat(NO_FIELDS, other, operations)
    expect(other.deep).toEqual([{ _id: 'd1', list: [{ _id: 'i0' }, { _id: 'i1', text: 'y', more: 'z' }] }])
    expect(other.area).toEqual({ _id: 'a2', items: [{ _id: 'w2' }, { text: 'y' }] })
  })

  it('§3 a mistake of the service is not passed over like a path that another copy lacks', () => {
    const operator = () => {
      throw new TypeError('A mistake.')
    }
    expect(() => repeat(NO_FIELDS, document(), [{ operator, path: 'title', operand: 'x' }])).toThrow('A mistake.')
  })
})
