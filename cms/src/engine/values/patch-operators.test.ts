import { describe, expect, it } from 'vitest'
import { patch } from '../../../test/patching.ts'
import type { JsonObject } from '../../base/json.ts'
import { NO_FIELDS } from '../../model/field-type/options.ts'
import { changed, links, refused } from './test-patched-document.ts'

const labelled = (...ids: string[]) => ({ links: ids.map((id) => ({ _id: id, label: id.toUpperCase() })) })

describe('§4.1 operators of a PATCH', () => {
  it.each<[JsonObject, JsonObject]>([
    [{ $push: { tags: 'blue' } }, { tags: ['red', 'green', 'blue'] }],
    [{ $push: { tags: null } }, { tags: ['red', 'green', null] }],
    [{ $push: { tags: { _id: null } } }, { tags: ['red', 'green', { _id: null }] }],
    [{ $push: { tags: { $each: ['a', 'b'], $position: 1 } } }, { tags: ['red', 'a', 'b', 'green'] }],
    [{ $push: { tags: { $each: ['a'], $position: 0 } } }, { tags: ['a', 'red', 'green'] }],
    [{ $push: { tags: { $each: ['a'], $position: 2 } } }, { tags: ['red', 'green', 'a'] }],
    [{ $push: { tags: { $each: [] } } }, {}],
    [
      { $push: { links: { $each: [{ label: 'New' }], $after: 'l2' } } },
      { links: links().toSpliced(2, 0, { label: 'New' } as never) },
    ],
    [{ $push: { 'home._topics': { _id: 't3' } } }, { home: { _topics: [{ _id: 't3', _fields: {} }, { _id: 't3' }] } }],
    [{ $push: { links: { _id: 'l1', label: 'New' } } }, { links: [...links(), { label: 'New' }] }],
    [{ $push: { links: { $each: [{ _id: 'l1' }, { _id: 'l4' }] } } }, { links: [...links(), {}, { _id: 'l4' }] }],
    [
      { $push: { _topics: { _id: 't1' } } },
      { _topics: [{ _id: 't1', _fields: { why: 'a' } }, { _id: 't2', _fields: {} }, { _id: 't1' }] },
    ],
    [{ $addToSet: { tags: { $each: ['red', 'blue', 'blue'] } } }, { tags: ['red', 'green', 'blue'] }],
    [{ $addToSet: { links: { _id: 'l1', label: 'New' } } }, {}],
    [{ $addToSet: { links: { label: 'New' } } }, { links: [...links(), { label: 'New' }] }],
    [
      { $addToSet: { links: { $each: [{ _id: 'l4' }, { _id: 'l4', label: 'New' }] } } },
      { links: [...links(), { _id: 'l4' }] },
    ],
    [{ $pullAll: { tags: ['green', 'none'] } }, { tags: ['red'] }],
    [{ $pullAll: { links: [{ _id: 'l1' }, { _id: 'l2:en:draft' }] } }, labelled('l3')],
    [{ $pullAllById: { links: ['l1', 'l3:en:draft'] } }, labelled('l2')],
    [{ $move: { links: { $item: 'l1', $after: 'l2' } } }, labelled('l2', 'l1', 'l3')],
    [{ $move: { links: { $item: 'l3:en:draft', $before: 'l2:en:draft' } } }, labelled('l1', 'l3', 'l2')],
    [{ $move: { links: { $item: 'l1', $before: 'l2' } } }, {}],
    [
      { $move: { copies: { $item: 'c1:en:draft', $after: 'c2:en:draft' } } },
      { copies: [{ _id: 'c2:en:draft' }, { _id: 'c1:en:draft' }] },
    ],
  ])('§4.1 %j changes %j', (body, expected) => {
    expect(changed(body)).toEqual(expected)
  })

  it.each<[JsonObject, unknown]>([
    [{ $push: 'x' }, '$push takes an object whose keys are paths.'],
    [{ $none: {} }, '$none is not an operator. Use one of $push, $pullAll, $pullAllById, $addToSet, $move.'],
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
    [{ $move: { links: { $item: '::', $before: 'l1' } } }, ['links', 'unknown']],
    [{ $move: { links: { $item: 'l1', $before: 'none' } } }, ['links', 'unknown']],
  ])('§4.1 %j is refused', (body, error) => {
    expect(refused(body)).toEqual(error)
  })

  it('§4.1 values equal in depth and ids in any form are the same to sets', () => {
    const target: JsonObject = { list: [{ a: 1, b: 2 }, { _id: 'x' }, { _id: 'y:en' }, 'z'] }
    patch(NO_FIELDS, target, {
      $addToSet: { list: { $each: [{ b: 2, a: 1 }, 'x:en:draft', { _id: 'y:en:draft' }, 'z', 'z'] } },
    })
    expect(target.list).toHaveLength(4)
    patch(NO_FIELDS, target, { $addToSet: { list: { $each: ['y', 'y', 'z:en:draft'] } } })
    expect(target.list).toHaveLength(6)
    patch(NO_FIELDS, target, { $pullAll: { list: ['x:fr:published', 'y:en:published', { b: 2, a: 1 }] } })
    expect(target.list).toEqual(['z', 'y', 'z:en:draft'])
  })
})
