import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fuzzing } from '../../test/sample.ts'
import { NumberSet } from './number-set.ts'

/** Few numbers and many, near each other and far, in several chunks, or only the odd ones of them. */
const numbers = fc
  .tuple(
    fc.constantFrom(10, 1_000, 70_000, 200_000, 2 ** 40),
    fc.constantFrom(0, 1, 50, 30_000),
    fc.nat(),
    fc.boolean(),
  )
  .map(([end, count, seed, isOdd]) =>
    Array.from({ length: count }, (_, index) => {
      const number = scattered(index + seed, end)
      return isOdd ? 2 * Math.floor(number / 2) + 1 : number
    }),
  )

function scattered(index: number, end: number): number {
  return Math.floor(((Math.abs(Math.sin(index)) * 1e6) % 1) * end)
}

const highestFirst = (set: ReadonlySet<number>) => [...set].toSorted((one, other) => other - one)

describe('a set of numbers', () => {
  test('holds what it was made of, in order, however it was changed', () => {
    fc.assert(
      fc.property(numbers, numbers, fc.nat(300), fc.nat(600), (given, others, offset, limit) => {
        const model = new Set(given)
        let set = NumberSet.of(given)
        const changes = new Map(others.slice(0, 40).map((number, index) => [number, index % 3 > 0]))
        for (const number of given.slice(0, 20)) changes.set(number, number % 2 === 0)
        set = set.changed(changes)
        for (const [number, isThere] of changes) {
          if (isThere) model.add(number)
          else model.delete(number)
        }
        const ordered = highestFirst(model)
        expect(set.size).toBe(model.size)
        expect(set.highest(limit, offset)).toEqual(ordered.slice(offset, offset + limit))
        expect(set.highest(set.size)).toEqual(ordered)
        for (const number of [...given.slice(0, 30), ...others.slice(0, 30)])
          expect(set.has(number)).toBe(model.has(number))
        const [highest = 0, lowest = 0] = [ordered[offset], ordered[offset + limit]]
        expect(set.between(lowest, highest)).toEqual(ordered.filter((one) => one >= lowest && one <= highest))
      }),
      fuzzing(60),
    )
  })

  test('holds higher ones that are added to it', () => {
    fc.assert(
      fc.property(numbers, fc.nat(200_000), (given, bound) => {
        const lower = given.filter((one) => one < bound)
        const set = NumberSet.of(lower).with(NumberSet.of(given.filter((one) => one >= bound)))
        const expected = highestFirst(new Set(given))
        expect(set.highest(set.size)).toEqual(expected)
        expect(set.size).toBe(expected.length)
      }),
      fuzzing(60),
    )
  })

  test('has in common with another one what both hold', () => {
    fc.assert(
      fc.property(numbers, numbers, (given, others) => {
        const isOther = new Set(others)
        const common = NumberSet.of(given).and(NumberSet.of(others))
        const expected = highestFirst(new Set(given.filter((one) => isOther.has(one))))
        expect(common.highest(common.size)).toEqual(expected)
        expect(common.size).toBe(expected.length)
      }),
      fuzzing(60),
    )
  })

  test('takes about a byte for each of many', () => {
    const many = NumberSet.of(Array.from({ length: 100_000 }, (_, index) => 7 * index))
    expect(many.bytes).toBeLessThan(110_000)
  })

  test('takes as much for each second number as for each one', () => {
    const each = NumberSet.of(Array.from({ length: 100_000 }, (_, index) => 9 * index))
    const second = NumberSet.of(Array.from({ length: 100_000 }, (_, index) => 9 * 2 * index + 1))
    expect(second.bytes).toBeLessThan(1.01 * each.bytes)
  })
})
