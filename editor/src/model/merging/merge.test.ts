import fc from 'fast-check'
import type { JsonObject } from 'quire-client'
import { describe, expect, it } from 'vitest'
import { fuzzing } from '../../../../cms/test/sample.ts'
import { counting } from '../../../test/counting.ts'
import { Dice, randomEdit } from '../../../test/random-edits.ts'
import { nestedSample, samples } from '../../../test/test-sites.ts'
import { shapesOf } from '../fields.ts'
import { toPatch } from '../patching/to-patch.ts'
import { openDocument } from '../tree.ts'
import { merge } from './merge.ts'

const sample = fc.oneof(fc.constantFrom(...samples), fc.constantFrom(...nestedSample))
const given = { newId: counting('id'), now: () => 0 }
const mark = counting('mark')

type Edits = readonly (readonly number[])[]
const edits = (maxLength: number) => fc.array(fc.array(fc.nat(1000), { minLength: 12, maxLength: 12 }), { maxLength })

function edited({ schema, type }: Sample, begin: JsonObject, numbers: Edits): JsonObject {
  const document = openDocument(schema, type.name, begin, given)
  for (const one of numbers) randomEdit(document, new Dice(one), () => `<${mark()}>`)
  return document.root.value.peek()
}

type Sample = (typeof samples)[number]

function merged({ schema, type }: Sample, base: JsonObject, mine: JsonObject, theirs: JsonObject) {
  const fields = schema.types[type.name]?.fields ?? []
  return merge({ shapes: shapesOf(schema), widgets: schema.widgets, fields, base, mine, theirs }, 'Samir')
}

function difference({ schema, type }: Sample, one: JsonObject, other: JsonObject) {
  return toPatch(shapesOf(schema), schema.types[type.name]?.fields ?? [], one, other)
}

const all = (pattern: RegExp, value: unknown) => [...JSON.stringify(value).matchAll(pattern)].map(([text]) => text)

describe('5.3 merging', () => {
  it('takes what only one side changed, and says nothing of what both changed alike', () => {
    fc.assert(
      fc.property(sample, edits(20), edits(10), (of, first, then) => {
        const base = edited(of, { _id: 'd1' }, first)
        const changed = edited(of, base, then)
        for (const [mine, theirs] of [
          [changed, base],
          [base, changed],
          [changed, changed],
        ] as const) {
          const result = merged(of, base, mine, theirs)
          expect(result.conflicts).toEqual([])
          expect(difference(of, result.merged, changed)).toBe(null)
        }
      }),
      fuzzing(100),
    )
  })

  it('loses no value of either side without a mark, and doubles no item', () => {
    fc.assert(
      fc.property(sample, edits(20), edits(10), edits(10), (of, first, one, other) => {
        const base = edited(of, { _id: 'd1' }, first)
        const mine = edited(of, base, one)
        const theirs = edited(of, base, other)
        const result = merged(of, base, mine, theirs)
        const shown = new Set(all(/<mark\d+>/g, result))
        const were = new Set(all(/<mark\d+>/g, base))
        for (const side of [mine, theirs]) {
          const lost = all(/<mark\d+>/g, side).filter((text) => !were.has(text) && !shown.has(text))
          expect(lost).toEqual([])
        }
        // A copy of a block has its texts, too: only what is there once tells that it is lost.
        const isOnce = (text: string) =>
          [base, mine, theirs].every((side) => JSON.stringify(side).split(text).length === 2)
        const inBoth = all(/<mark\d+>/g, mine).filter(isOnce)
        expect(inBoth.filter((text) => !shown.has(text))).toEqual([])
        const ids = all(/"_id":"id\d+"/g, result.merged)
        expect(ids.length).toBe(new Set(ids).size)
      }),
      fuzzing(200),
    )
  })
})
