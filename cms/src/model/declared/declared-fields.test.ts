import { expect, it } from 'vitest'
import { optionNames } from '../compile/read-options.ts'
import { compileSite, defineSite } from '../compile/site.ts'
import { fieldTypes } from '../fields/index.ts'
import { piece } from './content-type.ts'

const inner = { add: { name: { type: 'string' } } } as const
const choices = ['a', { value: 'b', label: 'B' }] as const
const related = { withType: 'everything', builders: { project: { title: 1 } }, withRelationships: ['_others'] } as const

/** Every field type with every option that TypeScript knows. */
const everything = piece('everything', {
  fields: {
    add: {
      string: { type: 'string', min: 1, max: 9, pattern: '^a', textarea: true },
      slugged: { type: 'slug', min: 1, max: 9, following: ['title'] },
      integer: { type: 'integer', min: 1, max: 9, unit: 'px' },
      float: { type: 'float', min: 1, max: 9, unit: 'px' },
      boolean: { type: 'boolean' },
      select: { type: 'select', choices, def: 'a' },
      radio: { type: 'radio', choices, def: 'b' },
      checkboxes: { type: 'checkboxes', choices, min: 0, max: 2, def: ['a', 'b'] },
      range: { type: 'range', min: 1, max: 9, step: 1, unit: 'px' },
      color: { type: 'color' },
      box: { type: 'box', min: 1, max: 9, unit: 'px' },
      date: { type: 'date', min: '2026-01-01', max: '2026-12-31' },
      time: { type: 'time', min: '08:00', max: '18:00' },
      dateAndTime: { type: 'dateAndTime', min: '2026-01-01T00:00:00Z', max: '2026-12-31T00:00:00Z' },
      url: { type: 'url', min: 1, max: 9 },
      email: { type: 'email', min: 1, max: 9 },
      password: { type: 'password', min: 1, max: 9 },
      attachment: { type: 'attachment', fileGroup: 'images', accepts: ['png'] },
      _others: { type: 'relationship', ...related, min: 0, max: 9, fields: inner },
      _back: { type: 'relationshipReverse', ...related, reverseOf: '_others', max: 9 },
      object: { type: 'object', fields: inner },
      array: { type: 'array', fields: inner, min: 0, max: 9, titleField: 'name', inline: true },
      area: { type: 'area', min: 0, max: 9, widgets: { '@cms/rich-text': {} } },
      oembed: { type: 'oembed' },
      richText: { type: 'richText', toolbar: ['bold'], styles: [{ tag: 'p', label: 'Paragraph', class: 'lead' }] },
    },
  },
})

it('§2.16 TypeScript and the field types know the same options', () => {
  const compiled = compileSite(defineSite({ types: [everything] })).types.get('everything')
  expect(compiled?.fields.list).toHaveLength(4 + fieldTypes.size)
  const declared = Object.values(everything.fields.add).map(
    ({ type, ...options }) => [type, Object.keys(options)] as const,
  )
  for (const [type, options] of declared) {
    const known = optionNames(fieldTypes.get(type)?.options ?? expect.fail(type)).filter((name) => name !== 'page')
    const own = options.filter((name) => name !== 'def')
    expect(own.toSorted(), type).toEqual(known.toSorted())
  }
})
