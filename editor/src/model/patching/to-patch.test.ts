import fc from 'fast-check'
import type { JsonObject } from 'quire-client'
import { describe, expect, it } from 'vitest'
import { copyJson } from '../../../../cms/src/base/json.ts'
import { patch } from '../../../../cms/src/engine/values/patch.ts'
import type { Fields } from '../../../../cms/src/model/field-type/field-type.ts'
import { readFields } from '../../../../cms/src/model/values/schema.ts'
import { fuzzing } from '../../../../cms/test/sample.ts'
import { counting } from '../../../test/counting.ts'
import { Dice, randomEdit } from '../../../test/random-edits.ts'
import { nestedSample, samples } from '../../../test/test-sites.ts'
import type { OpenDocument } from '../form.ts'
import { openDocument } from '../tree.ts'

const sample = fc.oneof(fc.constantFrom(...samples), fc.constantFrom(...nestedSample))
const given = { newId: counting('id'), now: () => 0 }

/** What the service stores of a document that a body would give. */
function stored(fields: Fields, document: JsonObject) {
  // `as`: both are JSON.
  const values = document as Parameters<typeof copyJson>[0]
  const options = { newId: counting('made'), mayEdit: () => true, maxDepth: 50, before: null }
  return readFields(fields, copyJson(values) as Record<string, unknown>, options)
}

function edited(document: OpenDocument, edits: readonly (readonly number[])[]): OpenDocument {
  for (const numbers of edits) randomEdit(document, new Dice(numbers))
  return document
}

const edits = (maxLength: number) => fc.array(fc.array(fc.nat(1000), { minLength: 12, maxLength: 12 }), { maxLength })

describe('4.1 the patch of a document', () => {
  it('makes the service store what the tree has, and nothing else', () => {
    fc.assert(
      fc.property(sample, edits(25), edits(12), ({ schema, type: { name: typeName, fields } }, first, then) => {
        const begin = { _id: 'd1:en:draft', odd: { kept: true }, _url: '/x' }
        const base = edited(openDocument(schema, typeName, begin, given), first).root.value.peek()
        const document = edited(openDocument(schema, typeName, base, given), then)
        const { body } = document.patch()
        const current = document.root.value.peek()
        // `as`: both are JSON.
        const target = JSON.parse(JSON.stringify(base)) as Parameters<typeof patch>[1]
        if (body !== null) patch(fields, target, structuredClone(body) as Record<string, unknown>)
        expect(stored(fields, target)).toEqual(stored(fields, current))
        expect(target.odd).toEqual(begin.odd)
        expect(openDocument(schema, typeName, target, given).patch().body).toBe(null)
        for (let step = 0; step < 40; step += 1) document.undo()
        expect(document.patch().body).toBe(null)
        for (let step = 0; step < 40; step += 1) document.redo()
        expect(document.root.value.peek()).toEqual(current)
      }),
      fuzzing(200),
    )
  })
})
