import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuzzing } from '../../../test/sample.ts'
import { movedItems } from './moved.ts'

const ids = fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
const isInOrder = (some: readonly string[], order: readonly string[]) => {
  const positions = some.map((id) => order.indexOf(id))
  return positions.every((position, index) => index === 0 || position > (positions[index - 1] ?? 0))
}

/** All ways to leave some out, the fewest first. */
function subsetsOf(items: readonly string[]): string[][] {
  const all = Array.from({ length: 2 ** items.length }, (_, mask) => items.filter((_, index) => (mask >> index) & 1))
  return all.toSorted((one, other) => other.length - one.length)
}

test('§4.4 annotate: the fewest items that explain an order are moved', () => {
  fc.assert(
    fc.property(ids, ids, (older, newer) => {
      const moved = movedItems(older, newer)
      const common = newer.filter((id) => older.includes(id))
      const left = common.filter((id) => !moved.has(id))
      expect([...moved].every((id) => common.includes(id))).toBe(true)
      expect(isInOrder(left, older)).toBe(true)
      expect(left.length).toBe(subsetsOf(common).find((one) => isInOrder(one, older))?.length)
    }),
    fuzzing(200),
  )
})

test('§4.4 annotate: a widget that changes places with all others is moved alone', () => {
  expect([...movedItems(['a', 'b', 'c', 'd'], ['d', 'a', 'b', 'c'])]).toEqual(['d'])
  expect([...movedItems(['a', 'b', 'c', 'd'], ['b', 'c', 'd', 'a'])]).toEqual(['a'])
  expect([...movedItems(['a', 'b'], ['a', 'x', 'b'])]).toEqual([])
})
