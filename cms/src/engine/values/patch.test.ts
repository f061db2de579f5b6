import { describe, expect, it } from 'vitest'
import { CmsError } from '../../base/errors.ts'
import type { Json, JsonObject } from '../../base/json.ts'
import { NO_FIELDS } from '../../model/field-type/options.ts'
import { patch, repeat } from './patch.ts'

const links = () => ['l1', 'l2', 'l3'].map((_id) => ({ _id, label: _id.toUpperCase() }))
const document = (): JsonObject => ({
  title: 'T',
  tags: ['red', 'green'],
  links: links(),
  deep: [{ _id: 'd1', list: [{ _id: 'i1', text: 'x' }] }],
  _topics: [
    { _id: 't1', _fields: { why: 'a' } },
    { _id: 't2', _fields: {} },
  ],
  _others: [{ _id: 't1', _fields: {} }],
  area: { items: [{ _id: 'w1', metaType: 'widget', type: 'note' }] },
})

/** What a body changes. */
function changed(body: JsonObject): JsonObject {
  const target = document()
  patch(NO_FIELDS, target, body)
  const before = document()
  const differs = (name: string) => JSON.stringify(target[name]) !== JSON.stringify(before[name])
  const names = new Set([...Object.keys(before), ...Object.keys(target)])
  return Object.fromEntries([...names].filter(differs).map((name) => [name, target[name] ?? null]))
}

/** The field of the first error, and its name. */
function refused(body: JsonObject): unknown {
  try {
    patch(NO_FIELDS, document(), body)
    return null
  } catch (error) {
    if (!(error instanceof CmsError)) throw error
    // `as`: errors of fields have this form.
    const [first] = (error.data as { errors?: { path: string; name: string }[] }).errors ?? []
    return first === undefined ? error.message : [first.path, first.name]
  }
}

const withLink = (at: number, link: Json) => ({ links: links().map((one, index) => (index === at ? link : one)) })

describe('§4.1 paths of a PATCH', () => {
  it.each<[JsonObject, JsonObject]>([
    [{ 'links.1': { label: 'New' } }, withLink(1, { label: 'New', _id: 'l2' })],
    [{ '@l2': { label: 'New' } }, withLink(1, { label: 'New', _id: 'l2' })],
    [{ 'links.1': { _id: 'own', label: 'New' } }, withLink(1, { _id: 'own', label: 'New' })],
    [{ 'links.1': { _id: 'l3', label: 'New' } }, withLink(1, { label: 'New', _id: 'l2' })],
    [{ 'links.1': { _id: 'l2', label: 'New' } }, withLink(1, { _id: 'l2', label: 'New' })],
    [{ 'links.1': { _id: 'l3', _fields: {} } }, withLink(1, { _id: 'l3', _fields: {} })],
    [{ 'links.1': 'text' }, withLink(1, 'text')],
    [{ 'tags.0': { label: 'New' } }, { tags: [{ label: 'New' }, 'green'] }],
    [{ 'links.1._id': 'new' }, withLink(1, { _id: 'new', label: 'L2' })],
    [{ 'links.1._id': 'l2' }, {}],
    [{ 'links.1._id': 7 }, withLink(1, { _id: 7, label: 'L2' })],
    [{ '@i1.text': 'y' }, { deep: [{ _id: 'd1', list: [{ _id: 'i1', text: 'y' }] }] }],
    [{ '@d1.@i1.text': 'y' }, { deep: [{ _id: 'd1', list: [{ _id: 'i1', text: 'y' }] }] }],
    [{ 'links.@i1.text': 'y' }, { deep: [{ _id: 'd1', list: [{ _id: 'i1', text: 'y' }] }] }],
    [{ 'deep.0.list.@i1': { text: 'y' } }, { deep: [{ _id: 'd1', list: [{ text: 'y', _id: 'i1' }] }] }],
    [
      { '_topics.0._id': 't2' },
      {
        _topics: [
          { _id: 't2', _fields: { why: 'a' } },
          { _id: 't2', _fields: {} },
        ],
      },
    ],
    [{ 'topicsIds.1': 't9' }, { _topics: [{ _id: 't1', _fields: { why: 'a' } }, 't9'] }],
    [{ topicsIds: ['t2'] }, { _topics: null, topicsIds: ['t2'], topicsFields: { t1: { why: 'a' }, t2: {} } }],
    [{ topicsFields: {} }, { _topics: null, topicsIds: ['t1', 't2'], topicsFields: {} }],
    [
      { topicsIds: ['t2'], _topics: ['t3'] },
      { _topics: ['t3'], topicsIds: ['t2'] },
    ],
    [{ _patches: [{ _topics: null }, { topicsIds: ['t2'] }] }, { _topics: null, topicsIds: ['t2'], topicsFields: {} }],
    [
      { _patches: [{ _topics: 't3' }, { topicsFields: { t3: {} } }] },
      { _topics: null, topicsIds: ['t3'], topicsFields: { t3: {} } },
    ],
    [{ Ids: ['x'] }, { Ids: ['x'] }],
    [{ moreIds: ['x'] }, { moreIds: ['x'] }],
    [{ topicsIdsMore: 1 }, { topicsIdsMore: 1 }],
    [{ 'links.1.label': 'l3' }, withLink(1, { _id: 'l2', label: 'l3' })],
    [{ 'links.1.type': 'x' }, withLink(1, { _id: 'l2', label: 'L2', type: 'x' })],
    [{ 'tags.0': { _id: null } }, { tags: [{ _id: null }, 'green'] }],
    [{ '@w1.type': 'note', '@w1.metaType': 'widget' }, {}],
  ])('§4.1 %j changes %j', (body, expected) => {
    expect(changed(body)).toEqual(expected)
  })

  it.each<[JsonObject, unknown]>([
    [{ 'links.1._id': 'l3' }, ['links.1._id', 'unique']],
    [{ 'links.1._id': 'i1' }, ['links.1._id', 'unique']],
    [{ '@w1.type': 'other' }, ['@w1.type', 'invalid']],
    [{ '@w1.metaType': 'other' }, ['@w1.metaType', 'invalid']],
    [{ _patches: [{}, 'x'] }, '_patches must be a list of objects, each a PATCH body.'],
    [{ _patches: [{}, { _patches: [] }] }, '_patches cannot contain _patches.'],
    [{ 'links.01.label': 'x' }, ['links.01.label', 'unknown']],
    [{ 'links.3.label': 'x' }, ['links.3.label', 'unknown']],
    [{ 'links.3': 'x' }, ['links.3', 'unknown']],
    [{ 'links.label': 'x' }, ['links.label', 'unknown']],
    [{ 'title.x': 'x' }, ['title.x', 'unknown']],
    [{ 'nothing.x': 'x' }, ['nothing.x', 'unknown']],
    [{ '@none': 'x' }, ['@none', 'unknown']],
    [{ 'links.@none': 'x' }, ['links.@none', 'unknown']],
    [{ 'links.0.constructor': 'x' }, ['links.0.constructor', 'unknown']],
    [{ [`links${'.0'.repeat(199)}`]: 'x' }, [`links${'.0'.repeat(199)}`, 'unknown']],
    [{ [`links${'.0'.repeat(200)}`]: 'x' }, [`links${'.0'.repeat(27)}.…`, 'unknown']],
  ])('§4.1 %j is refused', (body, error) => {
    expect(refused(body)).toEqual(error)
  })

  it.each([
    ['@i1.text', 'deep'],
    ['links.@i1.text', 'deep'],
    ['@d1.@i1.text', 'deep'],
    ['deep.0.list.@i1.text', 'deep'],
    ['@t1._fields.why', '_topics'],
    ['_others.@t1._fields.why', '_others'],
    ['links.0.label', 'links'],
    ['new', 'new'],
  ])('§4.1 %s touches %s', (path, name) => {
    expect([...patch(NO_FIELDS, document(), { [path]: 'x' }).touched]).toEqual([name])
  })

  it('§4.1 five hundred changes are taken, one more is not', () => {
    const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, at]))
    expect(Object.keys(changed(fields(500)))).toHaveLength(500)
    expect(Object.keys(changed({ ...fields(250), _patches: [fields(250)] }))).toHaveLength(250)
    for (const body of [fields(501), { ...fields(250), _patches: [fields(251)] }]) {
      expect(refused(body)).toMatch(/^A PATCH may contain at most 500 changes/)
    }
  })

  it('§4.1 changes nest values only so deep', () => {
    // Each puts what there is into itself, one level deeper: what follows looks for an id in it.
    const nested = (depth: number) => {
      let value: JsonObject = { _id: 'in' }
      for (let level = 0; level < depth; level += 1) value = { inner: value }
      return { _patches: [{ nested: value }, { '@none': 'x' }] }
    }
    expect(refused(nested(190))).toEqual(['@none', 'unknown'])
    expect(refused(nested(210))).toMatch(/more than 200 levels deep/)
  })
})

const labelled = (...ids: string[]) => ({ links: ids.map((id) => ({ _id: id, label: id.toUpperCase() })) })

describe('§4.1 operators of a PATCH', () => {
  it.each<[JsonObject, JsonObject]>([
    [{ $push: { tags: 'blue' } }, { tags: ['red', 'green', 'blue'] }],
    [{ $push: { tags: null } }, { tags: ['red', 'green', null] }],
    [{ $push: { tags: { _id: null } } }, { tags: ['red', 'green', { _id: null }] }],
    [{ $push: { tags: { $each: ['a', 'b'], $position: 1 } } }, { tags: ['red', 'a', 'b', 'green'] }],
    [{ $push: { tags: { $each: ['a'], $position: 0 } } }, { tags: ['a', 'red', 'green'] }],
    [{ $push: { tags: { $each: ['a'], $position: 2 } } }, { tags: ['red', 'green', 'a'] }],
    [{ $push: { links: { _id: 'l1', label: 'New' } } }, { links: [...links(), { label: 'New' }] }],
    [{ $push: { links: { $each: [{ _id: 'l1' }, { _id: 'l4' }] } } }, { links: [...links(), {}, { _id: 'l4' }] }],
    [
      { $push: { _topics: { _id: 't1' } } },
      { _topics: [{ _id: 't1', _fields: { why: 'a' } }, { _id: 't2', _fields: {} }, { _id: 't1' }] },
    ],
    [{ $addToSet: { tags: { $each: ['red', 'blue', 'blue'] } } }, { tags: ['red', 'green', 'blue'] }],
    [{ $addToSet: { links: { _id: 'l1', label: 'New' } } }, {}],
    [{ $addToSet: { links: { label: 'New' } } }, { links: [...links(), { label: 'New' }] }],
    [{ $pullAll: { tags: ['green', 'none'] } }, { tags: ['red'] }],
    [{ $pullAll: { links: [{ _id: 'l1' }, { _id: 'l2:en:draft' }] } }, labelled('l3')],
    [{ $pullAllById: { links: ['l1', 'l3:en:draft'] } }, labelled('l2')],
    [{ $move: { links: { $item: 'l1', $after: 'l2' } } }, labelled('l2', 'l1', 'l3')],
    [{ $move: { links: { $item: 'l3:en:draft', $before: 'l2:en:draft' } } }, labelled('l1', 'l3', 'l2')],
    [{ $move: { links: { $item: 'l1', $before: 'l2' } } }, {}],
  ])('§4.1 %j changes %j', (body, expected) => {
    expect(changed(body)).toEqual(expected)
  })

  it.each<[JsonObject, unknown]>([
    [{ $push: 'x' }, '$push takes an object whose keys are paths.'],
    [{ $push: { title: 'x' } }, ['title', 'unknown']],
    [{ $push: { tags: { $each: ['x'], $before: null } } }, ['tags', 'unknown']],
    [{ $push: { tags: { $each: 'x' } } }, ['tags', 'invalid']],
    [{ $push: { tags: { $each: ['x'], $position: 3 } } }, ['tags', 'unknown']],
    [{ $push: { tags: { $each: ['x'], $position: -1 } } }, ['tags', 'unknown']],
    [{ $push: { tags: { $each: ['x'], $position: 0.5 } } }, ['tags', 'unknown']],
    [{ $push: { tags: { $each: ['x'], $position: '0' } } }, ['tags', 'unknown']],
    [{ $push: { links: { $each: ['x'], $before: 'l1', $after: 'l1' } } }, ['links', 'invalid']],
    [{ $push: { links: { $each: ['x'], $position: 0, $after: 'l1' } } }, ['links', 'invalid']],
    [{ $push: { links: { $each: ['x'], $before: 'none' } } }, ['links', 'unknown']],
    [{ $push: { links: { $each: ['x'], $sort: 1 } } }, ['links', 'invalid']],
    [{ $addToSet: { tags: { $each: ['x'], $position: 0 } } }, ['tags', 'invalid']],
    [{ $pullAll: { tags: 'red' } }, ['tags', 'invalid']],
    [{ $pullAllById: { links: ['l1', 'none'] } }, ['links', 'unknown']],
    [{ $pullAllById: { links: [null] } }, ['links', 'unknown']],
    [{ $pullAllById: { links: ['::'] } }, ['links', 'unknown']],
    [{ $move: { links: 'l1' } }, ['links', 'invalid']],
    [{ $move: { links: 7 } }, ['links', 'invalid']],
    [{ $move: { links: { $item: 'l1' } } }, ['links', 'invalid']],
    [{ $move: { links: { $item: 'l1', $before: 'l1' } } }, ['links', 'invalid']],
    [{ $move: { links: { $item: 'l1', $after: 'l1:en:draft' } } }, ['links', 'invalid']],
    [{ $move: { links: { $item: 'l1', $before: 'l2', $after: 'l3' } } }, ['links', 'invalid']],
    [{ $move: { links: { $item: 'l1', $position: 0 } } }, ['links', 'invalid']],
    [{ $move: { links: { $item: 'none', $before: 'l1' } } }, ['links', 'unknown']],
    [{ $move: { links: { $item: 'l1', $before: 'none' } } }, ['links', 'unknown']],
  ])('§4.1 %j is refused', (body, error) => {
    expect(refused(body)).toEqual(error)
  })

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
      area: { items: [{ _id: 'w1', metaType: 'widget', type: 'note' }] },
    })
  })
})
