import { describe, expect, it } from 'vitest'
import { expectLinear } from '../../../test/growth.ts'
import { patch } from '../../../test/patching.ts'
import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import { NO_FIELDS } from '../../model/field-type/options.ts'

interface Case {
  readonly target: JsonObject
  readonly body: JsonObject
}
type Item = (n: number) => Json

const ITEMS: { readonly [title: string]: Item } = {
  texts: (n) => `text ${n}`,
  numbers: (n) => n,
  'related documents': (n) => ({ _id: `id${n}:en:draft`, title: 'x' }),
  objects: (n) => ({ b: [n], a: { c: true } }),
}
const items = (count: number, item: Item) => Array.from({ length: count }, (_, n) => item(n))

const OPERATORS: { readonly [name: string]: (count: number, item: Item) => JsonObject } = {
  $push: (count, item) => ({ list: { $each: items(count, item), $position: 0 } }),
  $addToSet: (count, item) => ({ list: { $each: items(count, (n) => item(n + count / 2)) } }),
  $pullAll: (count, item) => ({ list: items(count, (n) => item(n + count / 2)) }),
  $pullAllById: (count, item) => ({ list: items(count, item).flatMap((one) => (isObject(one) && one._id) || []) }),
  $move: (count, item) => ({ list: { $item: idOf(item(count - 1)), $before: idOf(item(0)) } }),
}
const idOf = (item: Json) => (isObject(item) ? (item._id ?? null) : null)

describe('§4.1 PATCH operators', () => {
  for (const [name, operands] of Object.entries(OPERATORS)) {
    const needsIds = name === '$move' || name === '$pullAllById'
    const kinds = Object.entries(ITEMS).filter(([title]) => !needsIds || title === 'related documents')
    it.each(kinds)(`§4.1 ${name} takes linear time for lists of %s`, async (_title, item) => {
      const make = (count: number): Case => ({
        target: { list: items(count, item) },
        body: { [name]: operands(count, item) },
      })
      await expectLinear(make, ({ target, body }) => patch(NO_FIELDS, structuredClone(target), body), 4_000)
    })
  }

  it('§4.1 lists longer than the arguments of a call are changed', () => {
    const target: JsonObject = { list: items(200_000, (n) => n) }
    patch(NO_FIELDS, target, { $push: { list: { $each: items(200_000, (n) => n), $position: 1 } } })
    expect((target.list as Json[]).slice(0, 3)).toEqual([0, 0, 1])
    patch(NO_FIELDS, target, { $pullAll: { list: items(199_998, (n) => n) } })
    expect(target.list).toEqual([199_998, 199_999, 199_998, 199_999])
  })
})
