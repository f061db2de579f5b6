import { describe, expect, it } from 'vitest'
import { patch } from '../../../test/patching.ts'
import type { Json, JsonObject } from '../../base/json.ts'
import { NO_FIELDS } from '../../model/field-type/options.ts'
import { wholeBody } from './patch.ts'
import { changed, document, links, messageOf, refused } from './test-patched-document.ts'

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
    [{ 'links.1._id': null }, withLink(1, { _id: null, label: 'L2' })],
    [
      { 'area._id': 'a2', _id: 'a2' },
      { area: { ...(document().area as JsonObject), _id: 'a2' }, _id: 'a2' },
    ],
    ...['l1', 'i1', 'w1', 'a1'].map((_id): [JsonObject, JsonObject] => [{ _id }, { _id }]),
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
    [{ _patches: [{ _topics: null }, { topicsFields: {} }] }, { _topics: null, topicsIds: [], topicsFields: {} }],
    [{ 'home.topicsIds': ['t4'], 'home._topics': ['t5'] }, { home: { _topics: ['t5'], topicsIds: ['t4'] } }],
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
    [{ 'blank.x': 'x' }, ['blank.x', 'unknown']],
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
    expect(refused(nested(199))).toEqual(['@none', 'unknown'])
    expect(refused(nested(200))).toMatch(/more than 200 levels deep/)
  })

  it('§4.1 many changes that each search a very long document are refused before the first', () => {
    const long = (): JsonObject => ({ ...document(), list: Array.from({ length: 45_000 }, (_, at) => at) })
    const changes = (path: (at: number) => string, more: JsonObject = {}) => {
      return { ...Object.fromEntries(Array.from({ length: 499 }, (_, at) => [path(at), 'x'])), ...more }
    }
    const tooMany = /^The document is too long for so many changes/
    for (const body of [
      changes((at) => `list.${at}`),
      changes((at) => `@l1.n${at}`),
      { _patches: Array.from({ length: 499 }, () => ({ $push: { list: 'x' } })) },
    ]) {
      const target = long()
      expect(refused({ title: 'New', ...body }, NO_FIELDS, target)).toMatch(tooMany)
      expect(target.title).toBe('T')
    }
    expect(refused({ title: 'New', 'list.0': 'x' }, NO_FIELDS, long())).toBeNull()
    expect(
      refused(
        changes((at) => `f${at}`, { 'list.0': 'x' }),
        NO_FIELDS,
        long(),
      ),
    ).toBeNull()
  })

  it('§4.1 of a body and its _patches the last value of each property is meant', () => {
    expect(wholeBody({ a: 1, b: 1, _patches: [{ b: 2 }, { b: 3, c: 3 }] })).toMatchObject({ a: 1, b: 3, c: 3 })
  })

  it('§4.1 errors name the beginning of a long id', () => {
    const id = 'x'.repeat(100_000)
    for (const body of [{ [`@${id}`]: 1 }, { $move: { links: { $item: id, $before: 'l1' } } }]) {
      expect(messageOf(body)).toMatch(/^No item with the id x{60} is in (?:links|this document)\.$/)
    }
  })
})
