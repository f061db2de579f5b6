import { effect } from '@preact/signals-core'
import { expect, test } from 'vitest'
import { defineSite, piece } from '../../../cms/src/index.ts'
import { compileSite } from '../../../cms/src/model/compile/site.ts'
import { schemaOf } from '../../test/made-up-schema.ts'
import { openDocument } from './tree.ts'

const NAMES = Array.from({ length: 400 }, (_, index) => `field${index}`)
const wide = piece('wide', {
  fields: { add: Object.fromEntries(NAMES.map((name) => [name, { type: 'string', required: true } as const])) },
})
const schema = schemaOf(compileSite(defineSite({ types: [wide] })))

test('§4 a key in one of 400 fields draws no other one', () => {
  const values = { title: 'Wide', ...Object.fromEntries(NAMES.map((name) => [name, 'Some words'])) }
  const document = openDocument(schema, 'wide', values, { newId: () => 'new', now: () => 0 })
  document.serviceProblems.value = [{ path: ['field7'], name: 'unique' }]
  const drawn: string[] = []
  for (const name of NAMES) {
    const node = document.node([name])
    if (node?.kind !== 'leaf') throw new Error(`${name} is a field with one value.`)
    effect(() => {
      void [node.isShown.value, node.value.value, node.problems.value]
      drawn.push(name)
    })
  }
  let listed = 0
  effect(() => {
    void document.conflicts.value
    listed += 1
  })
  expect(drawn).toEqual(NAMES)
  drawn.length = 0
  document.apply({ kind: 'set', path: ['field200'], value: 'Some wordsx', before: 'Some words' })
  expect({ drawn, listed }).toEqual({ drawn: ['field200'], listed: 1 })
  document.apply({ kind: 'set', path: ['field200'], value: '', before: 'Some wordsx' })
  expect(drawn).toEqual(['field200', 'field200'])
})
