import { expect, test } from 'vitest'
import { batchesOf } from './batches.ts'

const LIMITS = { items: 3, bytes: 10 }
const split = (...sizes: number[]) => batchesOf(sizes, LIMITS, (size) => size)

test('batches hold as many items as are allowed, in their order', () => {
  expect(split(1, 2, 1, 2, 1, 2, 1)).toEqual([[1, 2, 1], [2, 1, 2], [1]])
  expect(split()).toEqual([])
})

test('batches hold no more bytes than allowed, but for a single large item', () => {
  expect(split(6, 4, 1, 40, 5, 5, 1)).toEqual([[6, 4], [1], [40], [5, 5], [1]])
})
