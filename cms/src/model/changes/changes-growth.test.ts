import { test } from 'vitest'
import { changes, rows } from '../../../test/changes.ts'
import { expectLinear } from '../../../test/growth.ts'
import type { JsonObject } from '../../base/json.ts'
import { referencesOf } from './references-of.ts'

const items = (length: number, from = 0): JsonObject[] =>
  Array.from({ length: length / 8 }, (_, index) => {
    return { _id: `i${from + index}`, metaType: 'arrayItem', name: `Item ${index}`, note: `${from}` }
  })

test.each<[string, (length: number) => readonly [JsonObject, JsonObject]]>([
  ['that were deleted', (length) => [{ steps: items(length) }, {}]],
  ['of which one is left', (length) => [{ steps: items(length) }, { steps: items(8) }]],
  ['that were replaced by others', (length) => [{ steps: items(length) }, { steps: items(length, length) }]],
  ['in another order', (length) => [{ steps: items(length) }, { steps: items(length).toReversed() }]],
  ['that were all changed', (length) => [{ steps: items(length) }, { steps: items(length).map(changed) }]],
])('§2.5 the cost of comparing grows as the number of items %s', async (_name, make) => {
  await expectLinear(make, ([older, newer]) => changes(older, newer))
})

test('§2.5 the cost of telling changes grows as their number', async () => {
  const make = (length: number) => [{ steps: items(length) }, { steps: items(length).map(changed) }] as const
  await expectLinear(make, ([older, newer]) => rows(older, newer))
})

test('§2.5 the cost of telling changes grows as their number, also inside an item with a long title', async () => {
  const inside = (count: number, words: string) =>
    Array.from({ length: count }, (_, index) => ({ _id: `w${index}`, metaType: 'widget', type: 'quote', words }))
  const panel = (count: number, words: string): JsonObject => {
    const items = [
      {
        _id: 'p',
        metaType: 'widget',
        type: 'panel',
        inside: { _id: 'a', metaType: 'area', items: inside(count, words) },
      },
    ]
    return { body: { _id: 'b', metaType: 'area', items } }
  }
  const make = (length: number) => [panel(length / 20, 'Some words'), panel(length / 20, 'Other words')] as const
  await expectLinear(make, ([older, newer]) => [referencesOf(changes(older, newer)), rows(older, newer)], 32_000)
})

function changed(item: JsonObject): JsonObject {
  return { ...item, note: 'changed' }
}
