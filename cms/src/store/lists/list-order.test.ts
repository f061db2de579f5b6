import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuzzing } from '../../../test/sample.ts'
import { type KeyedRow, keyedRow, rowComparator, storedCell } from '../database/sort-key.ts'
import type { Sort } from '../terms/document-query.ts'
import { ListOrder } from './list-order.ts'

const SORT: readonly Sort[] = [
  { by: 'field', name: 'a', value: 'text', direction: -1 },
  { by: 'field', name: 'b', value: 'number', direction: 1 },
]

const texts = fc.constantFrom('', 'a', 'b', 'ab', 'é', '\ue000', '\uffff', '\u{10000}', '\u{1f600}a')
const keys = fc.tuple(fc.option(texts), fc.option(fc.constantFrom(-1.5, 0, 0.1 + 0.2, 7)))
const rows = fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 600 }) }, fc.constantFrom(2 ** 32, 2 ** 40))
/** A save of a row, or its removal. */
const writes = fc.record({ n: rows, key: fc.option(keys) })

/** As the databases do. */
function sorted(documents: ReadonlyMap<number, KeyedRow['key']>): number[] {
  const bytes = (text: unknown) => Buffer.from(String(text))
  return [...documents]
    .sort(([one, [oneText, oneNumber]], [other, [otherText, otherNumber]]) => {
      if (oneText !== otherText) {
        if (oneText === null || otherText === null) return oneText === null ? 1 : -1
        return -Buffer.compare(bytes(oneText), bytes(otherText))
      }
      if (oneNumber !== otherNumber) {
        if (oneNumber === null || otherNumber === null) return oneNumber === null ? 1 : -1
        return Number(oneNumber) - Number(otherNumber)
      }
      return other - one
    })
    .map(([n]) => n)
}

test('§4.1 an order follows what is saved and removed, whatever was saved since and is not known yet', () => {
  const batches = fc.array(
    fc.record({ known: fc.array(writes, { maxLength: 60 }), unknown: fc.array(writes, { maxLength: 3 }) }),
    {
      minLength: 5,
      maxLength: 60,
    },
  )
  fc.assert(
    fc.property(fc.array(writes, { maxLength: 400 }), batches, (first, rest) => {
      const documents = new Map<number, KeyedRow['key']>()
      const write = ({ n, key }: { n: number; key: KeyedRow['key'] | null }) => {
        if (key === null) documents.delete(n)
        else documents.set(n, key)
      }
      const read = (numbers: Iterable<number>): KeyedRow[] =>
        [...numbers].flatMap((n) => {
          const key = documents.get(n)
          return key === undefined ? [] : [keyedRow(n, key)]
        })
      first.forEach(write)
      const order = ListOrder.of(SORT, read(documents.keys()))
      const compare = rowComparator(SORT)
      /** Teaches the order rows of a part of the list, as when the store reads them. */
      const learn = (matching: readonly KeyedRow[]) => {
        for (const { least, most } of order.rangesAround(matching)) {
          const between = read(documents.keys()).filter((row) => compare(most, row) <= 0 && compare(row, least) <= 0)
          order.learn(between.slice(0, 40))
        }
      }
      let pending: number[] = []
      for (const { known, unknown } of rest) {
        const changed = [...new Set([...pending, ...known.map(({ n }) => n)])]
        known.forEach(write)
        const matching = read(changed)
        unknown.forEach(write)
        pending = unknown.map(({ n }) => n)
        learn(matching)
        order.change(changed, matching, read(order.around(matching)))
      }
      const matching = read(new Set(pending))
      order.change(pending, matching, read(order.around(matching)))
      expect(order.page(0, order.length)).toEqual(sorted(documents))
      const odd = new Map([...documents].filter(([n]) => n % 2 === 1))
      const narrow = order.filter((row) => odd.has(row))
      expect(narrow.page(0, 1000)).toEqual(sorted(odd))
    }),
    fuzzing(200),
  )
})

test('a cell of a key is what the database holds', () => {
  fc.assert(
    fc.property(fc.oneof(texts, fc.string({ unit: 'binary' })), (text) => {
      expect(keyedRow(1, [text]).key.map(storedCell)).toEqual([text])
    }),
    fuzzing(200),
  )
})

test('§4.1 an order takes bytes for what is in it', () => {
  const order = ListOrder.of(SORT, [])
  const empty = order.bytes
  const rows = Array.from({ length: 5000 }, (_, n) => ({ n: n + 1, key: ['x'.repeat(100), n] }))
  const byNumber = new Map(rows.map((row) => [row.n, row]))
  const read = (numbers: readonly number[]) => numbers.flatMap((n) => byNumber.get(n) ?? [])
  for (const row of rows) order.change([row.n], [row], read(order.around([row])))
  expect(order.length).toBe(5000)
  expect(order.bytes).toBeGreaterThan(empty + 4 * 5000 + (5000 / 128) * 200)
  order.change(
    rows.map(({ n }) => n),
    [],
    [],
  )
  expect(order.length).toBe(0)
  expect(order.page(0, 10)).toEqual([])
})
