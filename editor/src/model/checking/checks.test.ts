import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FieldType } from '../../../../cms/src/model/field-type/field-type.ts'
import { fieldTypes } from '../../../../cms/src/model/fields/index.ts'
import { readFields } from '../../../../cms/src/model/values/schema.ts'
import { fieldsOf } from '../../../../cms/test/fields.ts'
import { fuzzing } from '../../../../cms/test/sample.ts'
import { describe as describeFields } from '../../../test/made-up-schema.ts'
import { checkValue } from './checks.ts'

const fields = fieldsOf({
  string: { type: 'string', min: 2, max: 5, pattern: '^[a-z😀]+$' },
  email: { type: 'email' },
  url: { type: 'url' },
  color: { type: 'color' },
  date: { type: 'date', min: '2026-02-01' },
  time: { type: 'time', max: '12:00' },
  dateAndTime: { type: 'dateAndTime', max: '2026-06-01T00:00:00Z' },
  integer: { type: 'integer', min: 1, max: 10 },
  float: { type: 'float', max: 1.5 },
  checkboxes: { type: 'checkboxes', choices: ['a', 'b', 'c'], min: 2, max: 2 },
  select: { type: 'select', choices: ['a', 'b'] },
})
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.emailAddress(),
  fc.webUrl(),
  fc.constantFrom(
    'a@b',
    'tel:+12',
    'mailto:a@b',
    'javascript:x',
    '/a b',
    '#abc',
    '#ab',
    'rgb(1, 2, 3)',
    'hsl(1deg 2% 3% / 4)',
  ),
  fc.constantFrom(
    '2026-02-30',
    '2026-02-01',
    '2026-01-31',
    '10:00',
    '12:00:00',
    '25:00',
    '12:01',
    '2026-05-01T10:00',
    'abc',
    'a😀',
  ),
  fc.constantFrom(
    '2026-05-31T23:00-02:00',
    '2026-05-31 23:00:00+02',
    '2026-05-01T10:00:00.5Z',
    '2026-05-01T10:00+25:00',
  ),
)
const values: Readonly<Record<string, fc.Arbitrary<string | number | readonly string[]>>> = {
  integer: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: -2, max: 12 })),
  float: fc.double({ noNaN: true, noDefaultInfinity: true }),
  checkboxes: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd')),
  select: fc.constantFrom('a', 'b', 'c', ''),
}

describe('4.1 checks', () => {
  it.each(describeFields(fields).map((field) => [field.name, field] as const))(
    'of %s are those of the service',
    (name, field) => {
      fc.assert(
        fc.property(values[name] ?? text, (value) => {
          const reading = { newId: () => 'id', mayEdit: () => true, maxDepth: 9, before: null }
          const { problems } = readFields(fields, { [name]: value }, reading)
          expect(checkValue(field, value, [name]).length > 0).toBe(problems.length > 0)
        }),
        fuzzing(300),
      )
    },
  )

  it('of required fields take what the service takes for empty', () => {
    const type = (name: string): FieldType | undefined => fieldTypes.get(name)
    expect(type('richText')?.isEmpty?.('<p>&nbsp;</p>')).toBe(true)
    const required = { name: 'x', label: 'x', options: {}, required: true } as const
    const isMissing = (kind: string, value: Parameters<typeof checkValue>[1]) =>
      checkValue({ ...required, type: kind }, value, ['x']).map(({ name }) => name)
    expect(isMissing('richText', '<p>&nbsp;</p>')).toEqual(['required'])
    expect(isMissing('richText', '<img src="a">')).toEqual([])
    expect(isMissing('area', { metaType: 'area', items: [] })).toEqual(['required'])
    expect(isMissing('boolean', false)).toEqual([])
    expect(isMissing('object', { _id: 'a', metaType: 'object', city: '' })).toEqual(['required'])
    expect(isMissing('password', null)).toEqual([])
  })
})
