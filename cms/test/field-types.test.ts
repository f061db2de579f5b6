import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newId } from '../src/base/ids.ts'
import type { JsonObject } from '../src/base/json.ts'
import type { Fields, SchemaUse } from '../src/model/field-type/field-type.ts'
import { widgetSchemaName } from '../src/model/fields/area.ts'
import { fieldTypes } from '../src/model/fields/index.ts'
import { holderSchema } from '../src/model/values/holder-schema.ts'
import { indexRowsOf, searchTexts } from '../src/model/values/index-rows.ts'
import { blankFields, readFields } from '../src/model/values/schema.ts'
import { textOf, walk } from '../src/model/values/walk.ts'
import { FORMATS } from './answers.ts'
import { fieldsOf } from './fields.ts'

const widgets = {
  '@cms/rich-text': 'richText' as const,
  promo: {
    heading: { type: 'string', required: true },
    _topics: { type: 'relationship', withType: 'topic', max: 3 },
    inner: { type: 'area', widgets: { promo: {}, '@cms/rich-text': {} } },
  },
}
const choices = [
  { value: 'low', label: 'Low' },
  { value: 2, label: 'Two' },
  { value: true, label: 'Yes' },
  { value: 'é', label: 'É' },
]
const nested = {
  add: { label: { type: 'string' }, n: { type: 'integer' }, _to: { type: 'relationship', withType: 'topic' } },
}

/** Representative options of every field type; the first ones are the plainest. */
const DECLARED: { readonly [type: string]: readonly object[] } = {
  string: [{}, { min: 2, max: 5 }, { pattern: '^[A-Z]{2}\\d+$' }, { textarea: true, max: 80 }],
  slug: [{}, { page: true }, { max: 10 }],
  integer: [{}, { min: 0, max: 1000 }],
  float: [{}, { min: -1, max: 5, unit: 'kg' }],
  boolean: [{}],
  select: [{ choices }, { choices: ['a', 'b', ''] }],
  radio: [{ choices }],
  checkboxes: [{ choices }, { choices, min: 1, max: 2 }],
  range: [{ min: 0, max: 100, step: 10 }],
  color: [{}],
  box: [{}, { min: 0, max: 50, unit: 'px' }],
  date: [{}, { min: '2020-01-01', max: '2030-12-31' }],
  time: [{}, { min: '08:00' }],
  dateAndTime: [{}, { min: '2020-01-01T00:00:00Z' }],
  url: [{}, { max: 30 }],
  email: [{}],
  password: [{}, { min: 1 }],
  attachment: [{}, { fileGroup: 'images' }],
  relationship: [
    { withType: 'topic' },
    {
      withType: '@cms/image',
      min: 1,
      max: 2,
      fields: { add: { why: { type: 'string' }, more: { type: 'object', fields: nested } } },
    },
  ],
  relationshipReverse: [{ withType: 'article', reverseOf: '_topics' }],
  object: [
    {
      fields: { add: { city: { type: 'string' }, deep: { type: 'object', fields: nested }, zip: { type: 'integer' } } },
    },
  ],
  array: [{ fields: nested }, { fields: nested, titleField: 'label', min: 1, max: 2 }],
  area: [
    { widgets: { '@cms/rich-text': { toolbar: ['bold', 'link'] }, promo: {} } },
    { widgets: { promo: {} }, max: 2 },
  ],
  oembed: [{}],
  richText: [
    {},
    {
      toolbar: ['styles', 'link', 'image', 'alignCenter', 'color'],
      styles: [{ tag: 'p', class: 'lead' }, { tag: 'h2' }],
    },
  ],
}

const ID = fc.constantFrom('a1', 'b2', 'c3:en:draft', '__proto__', 'constructor', 'no id', '')

/** Values that mean something to one field type or another, right and wrong ones. */
const TELLING = fc.oneof(
  fc.constantFrom<unknown>(
    ...[
      null,
      '',
      ' ',
      true,
      'false',
      '1',
      0,
      -0,
      '-3.5e2',
      '1e999',
      Number.NaN,
      'Infinity',
      2,
      '2',
      ' low ',
      'LOW',
      'AB12',
      'ab',
    ],
    ...['2026-05-04', '2026-02-30', '0000-01-01T00:00+14:00', '2026-05-04T10:11:12+02:00', '13:05', '24:00', '8:00'],
    ...[
      '#FF0000aa',
      'rgb(1 2 3 / 5%)',
      '--brand',
      'red;}',
      'a@example.test',
      'https://example.test/x',
      '/a b',
      'javascript:alert(1)',
    ],
    ...[
      'java\nscript:x',
      'Straße 5',
      'İstanbul',
      '\ud800',
      'a\0b',
      '<p onclick=x>Hi <b>you</b><script>1</script>',
      '<a href="javascript:1">',
    ],
    ...[
      { top: '1', left: 7 },
      { url: 'https://v.test/1', title: 3 },
      { _id: 'a1', name: '../x', extension: 'PNG' },
    ],
  ),
  ID,
  fc.string({ unit: 'binary' }),
  fc.double(),
)
const JSON_LIKE = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    TELLING,
    TELLING,
    fc.array(tie('any'), { maxLength: 4 }),
    tie('object'),
    tie('item'),
  ),
  object: fc.dictionary(
    fc.constantFrom(
      'label',
      'city',
      'zip',
      'deep',
      'n',
      'items',
      'ids',
      'fields',
      '_to',
      'toIds',
      'top',
      '__proto__',
      'constructor',
      'toString',
    ),
    tie('any'),
    { maxKeys: 4 },
  ),
  item: fc.record(
    {
      _id: ID,
      type: fc.constantFrom('promo', '@cms/rich-text', 'other', '__proto__'),
      metaType: fc.constant('doc'),
      heading: tie('any'),
      content: tie('any'),
      items: fc.array(tie('any'), { maxLength: 3 }),
      inner: tie('any'),
      _topics: tie('any'),
      _fields: tie('any'),
      why: tie('any'),
      more: tie('any'),
    },
    { requiredKeys: [] },
  ),
})).any

const ajv = new Ajv2020({ strict: false, formats: FORMATS })
formats.default(ajv)

function clean(fields: Fields, input: { readonly [name: string]: unknown }, before: JsonObject | null = null) {
  return readFields(fields, input, { newId, mayEdit: () => true, maxDepth: 10, before })
}

function validator(fields: Fields) {
  const schemas = {
    'widget.cms.rich-text': { type: 'object', properties: { type: { const: '@cms/rich-text' } } },
    'widget.promo': { type: 'object', properties: { type: { const: 'promo' } } },
  }
  const use: SchemaUse = {
    side: 'answer',
    isFilled: false,
    shows: () => true,
    widget: (name) => widgetSchemaName(name, ''),
    related: () => ({ type: 'object' }),
  }
  const { required: _, ...schema } = holderSchema(fields, use, { properties: {}, required: [] })
  return ajv.compile({ ...schema, components: { schemas } })
}

const cases = Object.entries(DECLARED).flatMap(([type, list]) => list.map((options) => [type, options] as const))

describe('§2.16 every field type', () => {
  it('is tried here', () => {
    expect(Object.keys(DECLARED).toSorted()).toEqual([...fieldTypes.keys()].toSorted())
    for (const [name, type] of fieldTypes) expect(type.name).toBe(name)
  })

  describe.each(cases)('%s %j', (type, options) => {
    const name = type.startsWith('relationship') ? '_it' : 'it'
    const fields = fieldsOf({ [name]: { type, ...options } }, widgets)
    const isValid = validator(fields)
    const [field] = fields.list
    if (!field) throw new Error('no field')

    it('has a clean blank value without text', () => {
      const blank = blankFields(fields, newId)
      const { values, problems } = clean(fields, blank)
      expect(problems).toEqual([])
      expect(values).toEqual(blank)
      expect(isValid(blank), JSON.stringify(isValid.errors)).toBe(true)
      // A boolean is never empty: it says no.
      expect(textOf(field, blank)).toBe(type === 'boolean' ? 'No' : '')
      expect([...searchTexts(fields, blank)]).toEqual([])
    })

    it('refuses options it does not know', () => {
      expect(field.type.options.safeParse({ ...options, unheard: 1 }).success).toBe(false)
    })

    it('reads anything without throwing; reading twice is reading once; the result has the described shape', () => {
      const given = type.startsWith('relationship') ? fc.constantFrom('_it', 'itIds') : fc.constant(name)
      fc.assert(
        fc.property(JSON_LIKE, given, (input, key) => {
          const { values, problems } = clean(fields, { [key]: input })
          const plain: JsonObject = JSON.parse(JSON.stringify(values))
          expect(plain).toEqual(values)
          for (const { path } of problems) expect(path.startsWith(name)).toBe(true)
          const again = clean(fields, plain)
          const known = clean(fields, plain, structuredClone(plain))
          const itself = clean(fields, plain, plain)
          if (problems.length === 0) {
            expect(again.problems).toEqual([])
            expect(again.values).toEqual(values)
            expect(known).toEqual({ values, problems: [], mustExist: [], staysUnseen: [], refused: [] })
            expect(itself).toEqual(known)
            expect(isValid(plain), JSON.stringify(isValid.errors)).toBe(true)
          }
          for (const entry of indexRowsOf(fields, values)) expect((entry.text ?? '').length).toBeLessThan(700)
          for (const visit of walk(fields, values)) textOf(visit.field, visit.values)
          expect(Object.hasOwn(Object.prototype, 'label')).toBe(false)
        }),
        { numRuns: 400 },
      )
    })
  })
})
