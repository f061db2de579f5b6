import { test } from 'vitest'
import { changes, rows } from '../../../test/changes.ts'
import { expectLinear } from '../../../test/growth.ts'
import type { JsonObject } from '../../base/json.ts'

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

function changed(item: JsonObject): JsonObject {
  return { ...item, note: 'changed' }
}
