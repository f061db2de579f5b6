import { describe, expect, it } from 'vitest'
import { patch, repeat } from '../../../test/patching.ts'
import type { JsonObject } from '../../base/json.ts'
import { compileSite, defineSite } from '../../model/compile/site.ts'
import { piece, widget } from '../../model/declared/content-type.ts'
import { refused } from './test-patched-document.ts'

describe('§4.1 widgets that a PATCH finds without metaType', () => {
  const body = { type: 'area', widgets: { note: {}, frame: {} } } as const
  const add = { body, type: { type: 'string' } } as const
  const frame = widget('frame', { fields: { add: { body } } })
  const thing = piece('thing', {
    fields: {
      add: {
        body,
        box: { type: 'object', fields: { add } },
        rows: { type: 'array', fields: { add } },
        _things: { type: 'relationship', withType: 'thing', fields: { add } },
        empty: { type: 'array', fields: { add: {} } },
      },
    },
  })
  const { fields } =
    compileSite(defineSite({ types: [thing], widgets: [widget('note'), frame] })).types.get('thing') ?? {}
  if (fields === undefined) throw new Error('The type is declared above.')
  const note = (type = 'note') => ({ items: ['text', { type: 'none' }, { _id: 'w', type }] })
  const holders: [string, (type?: string) => JsonObject][] = [
    ['the document', (type) => ({ body: note(type) })],
    ['a widget', (type) => ({ body: { items: [{ type: 'frame', body: note(type) }] } })],
    ['an object', (type) => ({ box: { body: note(type) } })],
    ['an item of an array', (type) => ({ rows: ['text', {}, { body: note(type) }] })],
    ['the fields of a relationship', (type) => ({ _things: [{ _id: 't', _fields: { body: note(type) } }] })],
  ]

  it.each(holders)('§4.1 in %s keep their type', (_title, target) => {
    const odd: JsonObject = { body: null, empty: [{}] }
    expect(refused({ '@w.type': 'frame' }, fields, { ...odd, ...target() })).toEqual(['@w.type', 'invalid'])
    expect(refused({ '@w.type': 'note' }, fields, { ...odd, ...target() })).toBeNull()
  })

  it.each(holders)('§3 in %s keep their type in another copy, too', (_title, target) => {
    const { operations } = patch(fields, target('frame'), { '@w.type': 'frame' })
    const other = target()
    repeat(fields, other, operations)
    expect(JSON.stringify(other)).toMatch('"type":"note"')
  })

  it.each([
    ['an item', { rows: [{ _id: 'w', type: 'one' }] }],
    ['an object', { box: { _id: 'w', type: 'one' } }],
    ['what a relationship says', { _things: [{ _id: 't', _fields: { _id: 'w', type: 'one' } }] }],
    ['an object that has items', { box: { _id: 'w', type: 'one', items: [{ type: 'note' }] } }],
    ['an item of what is no area', { box: { items: [{ _id: 'w', type: 'one' }] } }],
  ])('§4.1 %s with a field named type is no widget', (_title, target) => {
    expect(refused({ '@w.type': 'two' }, fields, target)).toBeNull()
  })
})
