import { describe, expect, it } from 'vitest'
import { fieldsOf, readAll } from '../../../test/fields.ts'
import { indexRowsOf } from '../values/index-rows.ts'
import { textOf } from '../values/walk.ts'

type Name = 'invalid' | 'min' | 'max'
interface Table {
  readonly options?: object
  /** Outside values and what they are read as. */
  readonly takes: readonly (readonly [unknown, unknown])[]
  /** Outside values and the name of the problem. */
  readonly refuses: readonly (readonly [unknown, Name])[]
}

const NOT_TEXT = [7, true, ['a'], { a: 1 }].map((value) => [value, 'invalid'] as const)
const NOT_A_NUMBER = ['abc', '1,5', '0x10', 'Infinity', Infinity, NaN, '1e999', true, [1], {}, '1 2'].map(
  (value) => [value, 'invalid'] as const,
)
const choices = [
  { value: 'low', label: 'Low' },
  { value: 2, label: 'Two' },
  { value: false, label: 'None' },
]

const TABLES: { readonly [type: string]: Table } = {
  string: {
    options: { min: 2, max: 5 },
    takes: [
      ['abc', 'abc'],
      ['  abc  ', 'abc'],
      ['😀😀😀😀😀', '😀😀😀😀😀'],
      ['', ''],
      [' ', ''],
      [null, ''],
      ['a\ud800b', 'a\ufffdb'],
    ],
    refuses: [['a', 'min'], ['abcdef', 'max'], ['a\0b', 'invalid'], ...NOT_TEXT],
  },
  'string ': {
    options: { pattern: '^[A-Z]{2}\\d+$' },
    takes: [
      ['AB1', 'AB1'],
      ['', ''],
    ],
    refuses: [['ab1', 'invalid']],
  },
  'string  ': { takes: [], refuses: [['x'.repeat(1_000_001), 'max']] },
  slug: {
    takes: [
      ['Hello World', 'hello-world'],
      ['a/b', 'a-b'],
      [null, ''],
    ],
    refuses: [['!!', 'invalid'], ['x'.repeat(201), 'max'], ...NOT_TEXT],
  },
  'slug ': {
    options: { page: true },
    takes: [
      ['no-leading/Slash x', '/no-leading/slash-x'],
      ['/', '/'],
      ['/a/', '/a'],
    ],
    refuses: [],
  },
  integer: {
    options: { min: 0, max: 1000 },
    takes: [
      [7, 7],
      ['12', 12],
      [' 12 ', 12],
      ['1e2', 100],
      [-0, 0],
      [null, null],
      ['', null],
    ],
    refuses: [[1.5, 'invalid'], [-1, 'min'], ['1001', 'max'], ['9007199254740993', 'max'], ...NOT_A_NUMBER],
  },
  float: {
    options: { min: 0, max: 5 },
    takes: [
      [3.5, 3.5],
      ['.5', 0.5],
      ['+2.', 2],
    ],
    refuses: [[5.1, 'max'], [-1, 'min'], ...NOT_A_NUMBER],
  },
  range: {
    options: { min: 0, max: 100, step: 10 },
    takes: [
      [70, 70],
      ['75', 75],
      ['', null],
    ],
    refuses: [[101, 'max'], [-1, 'min'], ...NOT_A_NUMBER],
  },
  boolean: {
    takes: [
      [true, true],
      ['true', true],
      ['1', true],
      [1, true],
      [false, false],
      ['false', false],
      ['0', false],
      [0, false],
      [null, false],
      ['', false],
    ],
    refuses: ['yes', 'no', 'TRUE', 2, [true], {}].map((value) => [value, 'invalid']),
  },
  select: {
    options: { choices },
    takes: [
      ['low', 'low'],
      [' low ', 'low'],
      ['2', 2],
      [2, 2],
      ['false', false],
      ['', null],
      [null, null],
    ],
    refuses: [
      ['LOW', 'invalid'],
      ['mid', 'invalid'],
      [['low'], 'invalid'],
      [{}, 'invalid'],
    ],
  },
  radio: {
    options: { choices: ['soft', 'loud'] },
    takes: [
      ['soft', 'soft'],
      [null, null],
    ],
    refuses: [
      ['x', 'invalid'],
      ['toString', 'invalid'],
    ],
  },
  checkboxes: {
    options: { choices, max: 2 },
    takes: [
      [
        ['low', 2],
        ['low', 2],
      ],
      ['low', ['low']],
      [
        ['2', 'low', 2],
        [2, 'low'],
      ],
      [null, []],
      ['', []],
      [[], []],
    ],
    refuses: [
      [['mid'], 'invalid'],
      [[['low']], 'invalid'],
      [{ 0: 'low' }, 'invalid'],
      [['low', 2, false], 'max'],
    ],
  },
  color: {
    takes: [
      '#fff',
      '#FF0000aa',
      'rgb(1, 2, 3)',
      'rgba(1,2,3,.5)',
      'rgb(1 2 3 / 50%)',
      'hsl(120deg 50% 50%)',
      'transparent',
      '--brand-2',
    ].map((value) => [value, value]),
    refuses: ['#ff', '#ggg', 'red', 'rgb(1,2)', 'rgb(1,2,3);x', 'var(--x)', '--', '--a}b', 'url(x)', 3].map((value) => [
      value,
      'invalid',
    ]),
  },
  box: {
    options: { min: 0, max: 50 },
    takes: [
      [
        { top: 1, right: '2', bottom: '', left: null },
        { top: 1, right: 2, bottom: null, left: null },
      ],
      [
        { top: 1, middle: 4 },
        { top: 1, right: null, bottom: null, left: null },
      ],
      [null, { top: null, right: null, bottom: null, left: null }],
    ],
    refuses: [
      [{ top: 'x' }, 'invalid'],
      [{ left: 51 }, 'max'],
      [{ left: -1 }, 'min'],
      [5, 'invalid'],
      [[1, 2, 3, 4], 'invalid'],
    ],
  },
  date: {
    options: { min: '2020-01-01', max: '2030-12-31' },
    takes: [
      ['2026-05-04', '2026-05-04'],
      [' 2024-02-29 ', '2024-02-29'],
      ['', null],
    ],
    refuses: [
      ['2026-02-30', 'invalid'],
      ['2026-13-01', 'invalid'],
      ['04.05.2026', 'invalid'],
      ['2026-5-4', 'invalid'],
      ['2026-05-04T10:00', 'invalid'],
      ['2019-12-31', 'min'],
      ['2031-01-01', 'max'],
      [20260504, 'invalid'],
    ],
  },
  time: {
    options: { min: '08:00', max: '18:00' },
    takes: [
      ['13:05', '13:05'],
      ['13:05:06', '13:05:06'],
      ['08:00:00', '08:00:00'],
      ['18:00', '18:00'],
      ['18:00:00', '18:00:00'],
      [null, null],
    ],
    refuses: [
      ['24:00', 'invalid'],
      ['8:00', 'invalid'],
      ['12:60', 'invalid'],
      ['1pm', 'invalid'],
      ['07:59', 'min'],
      ['07:59:59', 'min'],
      ['18:00:01', 'max'],
    ],
  },
  dateAndTime: {
    takes: [
      ['2026-05-04T10:11:12.345Z', '2026-05-04T10:11:12.345Z'],
      ['2026-05-04T10:11:12+02:00', '2026-05-04T08:11:12.000Z'],
      ['2026-05-04T00:30-0130', '2026-05-04T02:00:00.000Z'],
      ['2026-05-04 10:11', '2026-05-04T10:11:00.000Z'],
      ['2026-05-04', '2026-05-04T00:00:00.000Z'],
      ['0099-05-04T10:11:12Z', '0099-05-04T10:11:12.000Z'],
    ],
    refuses: [
      '2026-02-30T10:00Z',
      '2026-05-04T25:00',
      '2026-05-04T10:00+25:00',
      '0000-01-01T00:00+14:00',
      'now',
      1_777_777_777_000,
    ].map((value) => [value, 'invalid']),
  },
  url: {
    takes: [
      'https://example.test/x?y#z',
      'http://[::1]:80/',
      '//cdn.test/x',
      '/about',
      'page.html',
      '#top',
      '?q=1',
      'mailto:a@b.test',
      'tel:+43-1',
      'https://ex.test/ä',
    ].map((value) => [value, value]),
    refuses: [
      ...[
        'javascript:alert(1)',
        'JAVASCRIPT:1',
        'java\nscript:alert(1)',
        'java\tscript:1',
        '\u0001javascript:1',
        'data:text/html,x',
        'vbscript:x',
        'file:///etc',
        'ftp://x',
        'http:',
        'http://',
        'http:foo',
        'https://a b',
        '\\\\evil',
        '/\\evil',
        'a:b',
        'http://%zz',
        'x"onclick=1',
        'mailto:',
        'tel:',
        7,
        {},
      ].map((value) => [value, 'invalid'] as const),
      [`/${'x'.repeat(2000)}`, 'max'],
    ],
  },
  email: {
    takes: [
      ['a@example.test', 'a@example.test'],
      [' a.b+c@sub.example.test ', 'a.b+c@sub.example.test'],
      ['ü@bücher.example', 'ü@bücher.example'],
      ['', ''],
    ],
    refuses: [
      ...[
        'nope',
        'a@b',
        'a@@b.test',
        'a b@c.test',
        '.a@b.test',
        'a..b@c.test',
        'a@-b.test',
        'a@b..test',
        'a@b.test\nBcc: x@y.test',
        7,
      ].map((value) => [value, 'invalid'] as const),
      [`${'x'.repeat(250)}@b.test`, 'max'],
    ],
  },
  password: {
    takes: [
      [' pass word ', ' pass word '],
      [null, null],
    ],
    refuses: [['short', 'min'], ['x'.repeat(1001), 'max'], ['$argon2id$v=19$m=1', 'invalid'], ...NOT_TEXT.slice(0, 2)],
  },
  attachment: {
    takes: [
      [
        { _id: 'a1', name: 'my-photo', extension: 'jpg', _url: '/x', length: 4 },
        { _id: 'a1', type: 'attachment', name: 'my-photo', extension: 'jpg' },
      ],
      ['a1', { _id: 'a1', type: 'attachment', name: '', extension: '' }],
      [null, null],
    ],
    refuses: [{}, { _id: 7 }, { _id: '__proto__' }, ['a1'], 7].map((value) => [value, 'invalid']),
  },
  oembed: {
    takes: [
      [
        { url: 'https://v.test/1', title: 'One', thumbnail: 'javascript:1', html: '<x>' },
        { url: 'https://v.test/1', title: 'One', thumbnail: '' },
      ],
      [{ url: '' }, null],
      [null, null],
    ],
    refuses: [
      ['https://v.test/1', 'invalid'],
      [{ url: '/relative' }, 'invalid'],
      [{ url: 'javascript:1' }, 'invalid'],
      [[], 'invalid'],
    ],
  },
  richText: {
    takes: [
      ['<p>a<script>b</script></p>', '<p>a</p>'],
      [null, ''],
    ],
    refuses: [
      [7, 'invalid'],
      ['a\0', 'invalid'],
      ['<b>'.repeat(1000), 'max'],
      ['<'.repeat(500_000), 'max'],
    ],
  },
}

describe.each(Object.entries(TABLES))('§2.13 values: %s', (type, { options = {}, takes, refuses }) => {
  const fields = fieldsOf({ it: { type: type.trim(), ...options } })

  it.each(takes)('%j → %j', (given, expected) => {
    const { values, problems } = readAll(fields, { it: given })
    expect(problems).toEqual([])
    expect(values.it).toEqual(expected)
  })

  it('refuses with the path and the name of the problem', () => {
    for (const [given, name] of refuses) {
      const { problems } = readAll(fields, { it: given })
      expect(
        problems.map((problem) => problem.name),
        JSON.stringify(given)?.slice(0, 80),
      ).toEqual([name])
      expect(problems[0]?.path).toMatch(/^it(\.|$)/)
    }
  })
})

describe('§2.5 display text', () => {
  it.each([
    [{ type: 'select', choices }, 2, 'Two'],
    [{ type: 'checkboxes', choices }, ['low', 2], 'Low, Two'],
    [{ type: 'integer', unit: ' px' }, 3, '3 px'],
    [{ type: 'box', unit: 'px' }, { top: 1, left: 2 }, 'top 1px, left 2px'],
    [{ type: 'boolean' }, true, 'Yes'],
    [{ type: 'attachment' }, { _id: 'a', name: 'plan', extension: 'pdf' }, 'plan.pdf'],
    [{ type: 'password' }, 'secret-secret', ''],
    [{ type: 'richText' }, '<p>a <b>b</b></p>', 'a b'],
  ])('%j', (declared, given, text) => {
    const fields = fieldsOf({ it: declared })
    const [field] = fields.list
    expect(field && textOf(field, readAll(fields, { it: given }).values)).toBe(text)
  })
})

describe('§4.1 what lists find values by', () => {
  it.each([
    [{ type: 'string' }, 'École', [['école', null]]],
    [{ type: 'string' }, '', []],
    [{ type: 'integer' }, 3, [[null, 3]]],
    [{ type: 'boolean' }, true, [[null, 1]]],
    [
      { type: 'checkboxes', choices },
      ['low', 2],
      [
        ['low', null],
        ['2', 2],
      ],
    ],
    [{ type: 'date' }, '1970-01-02', [['1970-01-02', 86_400_000]]],
    [{ type: 'time' }, '01:01:01', [['01:01:01', 3661]]],
    [{ type: 'dateAndTime' }, '1970-01-01T00:00:01Z', [['1970-01-01T00:00:01.000Z', 1000]]],
    [{ type: 'password' }, 'secret-secret', []],
  ])('%j %j', (declared, given, expected) => {
    const fields = fieldsOf({ it: declared })
    const indexRows = indexRowsOf(fields, readAll(fields, { it: given }).values)
    expect(indexRows.map(({ text, number }) => [text, number])).toEqual(expected)
  })
})

describe('options that make no sense', () => {
  it.each([
    [{ type: 'string', min: 5, max: 2 }, /min 5 is above max 2/],
    [{ type: 'string', pattern: '(' }, /not a regular expression/],
    [{ type: 'date', min: '2026-02-30' }, /YYYY-MM-DD/],
    [{ type: 'select', choices: [] }, /choices/],
    [{ type: 'select', choices: ['S', 's'] }, /more than case/],
    [{ type: 'range' }, /min/],
    [{ type: 'array', fields: { add: {} }, titleField: 'x' }, /x is not one of the fields/],
    [{ type: 'relationshipReverse', withType: 'a', reverseOf: 'b' }, /begins with _/],
    [{ type: 'richText', toolbar: ['blod'] }, /toolbar/],
  ])('%j', (declared, message) => {
    expect(() => fieldsOf({ it: declared })).toThrow(message)
  })
})
