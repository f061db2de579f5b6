import { describe, expect, it } from 'vitest'
import conditions from '../../../../editor/test/conditions.json' with { type: 'json' }
import { fieldsOf, readAll } from '../../../test/fields.ts'
import type { JsonObject } from '../../base/json.ts'
import type { FieldCondition } from '../field-type/field-type.ts'
import { indexRowsOf, searchTexts } from './index-rows.ts'
import { requiredProblems } from './required.ts'
import { blankFields } from './schema.ts'
import { conditionHolds, type LocatedField, walk } from './walk.ts'

const widgets = {
  '@cms/rich-text': 'richText' as const,
  promo: {
    heading: { type: 'string', required: true },
    _topics: { type: 'relationship', withType: 'topic' },
    inner: { type: 'area', widgets: { promo: {} } },
  },
}
const fields = fieldsOf(
  {
    title: { type: 'string', required: true },
    count: { type: 'integer', def: 7 },
    address: { type: 'object', fields: { add: { city: { type: 'string' }, zip: { type: 'integer', def: 1 } } } },
    links: {
      type: 'array',
      titleField: 'label',
      max: 3,
      fields: { add: { label: { type: 'string', required: true }, n: { type: 'integer' } } },
    },
    body: { type: 'area', max: 3, widgets: { '@cms/rich-text': {}, promo: {} } },
    _related: {
      type: 'relationship',
      withType: 'article',
      max: 2,
      fields: { add: { why: { type: 'string', max: 9 } } },
    },
    _from: { type: 'relationshipReverse', withType: 'article', reverseOf: '_related' },
    note: { type: 'string', editPermission: 'editor', viewPermission: 'editor' },
    fixed: { type: 'string', readOnly: true, def: 'as made' },
  },
  widgets,
)
const paths = (problems: readonly { path: string; name: string }[]) =>
  problems.map(({ path, name }) => `${path} ${name}`)

describe('§2.13 reading a whole document', () => {
  it('takes from the named copy only what the same field has there', () => {
    const area = { type: 'area', widgets: { one: {}, other: {} } } as const
    const either = fieldsOf({ body: area }, { one: { x: area }, other: { x: { type: 'string', max: 3 } } })
    const body = (type: string, x: unknown) => ({ body: { items: [{ _id: 'w', type, x }] } })
    const gone = { items: [{ _id: 'v', type: 'gone' }] }
    // `as`: as stored, of which this test needs no more.
    const named = (type: string, x: unknown) => ({ named: body(type, x) as JsonObject })
    const problems = (type: string, x: unknown, options = {}) => paths(readAll(either, body(type, x), options).problems)
    expect(problems('one', gone, named('one', gone))).toEqual([])
    expect(problems('one', gone, named('other', 'long text'))).toEqual(['body.w.x.v invalid'])
    expect(problems('other', 'long text', named('other', 'long text'))).toEqual([])
    expect(problems('other', 'long text', named('one', gone))).toEqual(['body.w.x max'])
  })

  it('gives what is absent its def or blank value', () => {
    const blank = {
      title: '',
      count: 7,
      address: { _id: expect.any(String), metaType: 'object', city: '', zip: 1 },
      links: [],
      body: { _id: expect.any(String), metaType: 'area', items: [] },
      relatedIds: [],
      relatedFields: {},
      note: '',
      fixed: 'as made',
    }
    expect(readAll(fields, {}).values).toEqual(blank)
    expect(blankFields(fields, () => 'x')).toEqual(blank)
  })

  it('reports everything at once, items by the id they came with or their index', () => {
    const input = {
      title: 7,
      count: 'x',
      address: { zip: 'x' },
      links: [{ _id: 'l1', n: 'x' }, { n: 'y' }, 5],
      body: { items: [{ _id: 'w1', type: 'promo', heading: 7 }, { type: 'video' }] },
      _related: [{ _id: 'r1', _fields: { why: 'x'.repeat(10) } }, { _id: 'not an id' }],
    }
    expect(paths(readAll(fields, input).problems).toSorted()).toEqual([
      '_related.1 invalid',
      '_related.r1.why max',
      'address.zip invalid',
      'body.1 invalid',
      'body.w1.heading invalid',
      'count invalid',
      'links.1.n invalid',
      'links.2 invalid',
      'links.l1.n invalid',
      'title invalid',
    ])
  })

  it('ignores unknown properties and never reaches a prototype', () => {
    const input = JSON.parse(
      '{"title":"a","x":1,"__proto__":{"count":1},"constructor":{"a":1},"address":{"__proto__":{"city":"no"}}}',
    )
    const { values } = readAll(fields, input)
    expect(values.count).toBe(7)
    expect(values.address).toMatchObject({ city: '' })
    expect(Object.keys(values)).not.toContain('constructor')
    expect(readAll(fields, { relatedIds: ['__proto__', 'constructor'] }).values.relatedIds).toEqual(['constructor'])
  })

  it('keeps what the writer may not change, also inside items', () => {
    const kept = fieldsOf({
      list: {
        type: 'array',
        fields: { add: { open: { type: 'string' }, closed: { type: 'string', editPermission: 'admin', def: 'd' } } },
      },
      object: { type: 'object', fields: { add: { closed: { type: 'string', editPermission: 'admin' } } } },
    })
    const before = {
      list: [{ _id: 'a', metaType: 'arrayItem', open: 'x', closed: 'secret' }],
      object: { _id: 'o', metaType: 'object', closed: 'secret' },
    }
    const input = {
      list: [
        { _id: 'b', open: '2', closed: 'mine' },
        { _id: 'a', open: '1', closed: 'mine' },
      ],
    }
    const { values, problems } = readAll(kept, input, { before, mayEdit: (field) => field.editRole === null })
    expect(problems).toEqual([])
    expect(values.list).toMatchObject([
      { open: '2', closed: 'd' },
      { open: '1', closed: 'secret' },
    ])
    expect(values.object).toEqual(before.object)
  })

  it('keeps what the writer may not change of a moved item, unless it lies where he may not write', () => {
    const inner = { open: { type: 'string' }, closed: { type: 'string', editPermission: 'admin' } }
    const list = { type: 'array', fields: { add: inner } }
    const groups = fieldsOf({
      groups: { type: 'array', fields: { add: { list, locked: { ...list, editPermission: 'admin' } } } },
    })
    const item = (_id: string) => ({ _id, metaType: 'arrayItem', open: 'x', closed: 'kept' })
    const group = (_id: string, parts: object) => ({ _id, metaType: 'arrayItem', list: [], locked: [], ...parts })
    const before = { groups: [group('a', { list: [item('i')], locked: [item('l')] }), group('b', {})] }
    const moved = [{ _id: 'i', open: 'y' }, { _id: 'l' }]
    const input = {
      groups: [
        { _id: 'a', list: [] },
        { _id: 'b', list: moved },
      ],
    }
    const { values } = readAll(groups, input, { before, mayEdit: (field) => field.editRole === null })
    expect(values.groups).toMatchObject([
      { list: [], locked: [{ _id: 'l', closed: 'kept' }] },
      {
        list: [
          { open: 'y', closed: 'kept' },
          { open: '', closed: '' },
        ],
      },
    ])
  })

  it('takes an item for a moved one only where no other one has its id', () => {
    const row = { mood: { type: 'select', choices: ['calm'] }, closed: { type: 'string', editPermission: 'admin' } }
    const nested = fieldsOf({
      groups: { type: 'array', fields: { add: { rows: { type: 'array', fields: { add: row } } } } },
    })
    const group = (_id: string, ...rows: object[]) => ({ _id, rows })
    const row1 = { _id: 'r', mood: 'loud' }
    const before = { groups: [group('a', { ...row1, metaType: 'arrayItem', closed: 'kept' }), group('b'), group('c')] }
    const read = (...groups: object[]) =>
      readAll(nested, { groups }, { before: before as JsonObject, mayEdit: (field) => field.editRole === null })
    const rowsOf = (values: JsonObject) =>
      // `as`: read above.
      (values.groups as { rows: JsonObject[] }[]).map(({ rows }) => rows.map(({ mood, closed }) => [mood, closed]))

    const moved = read(group('b', row1), group('a'))
    expect([rowsOf(moved.values), moved.problems]).toEqual([[[['loud', 'kept']], []], []])
    // Before the place where it is, after it, and at two new places.
    const borrowed = read(group('b', row1), group('a', row1))
    expect(rowsOf(borrowed.values)).toEqual([[[null, '']], [['loud', 'kept']]])
    expect(paths(borrowed.problems)).toEqual(['groups.b.rows.r.mood invalid'])
    expect(paths(read(group('a', row1), group('c', row1)).problems)).toEqual(['groups.c.rows.r.mood invalid'])
    expect(read(group('a'), group('b', row1), group('c', row1)).problems).toHaveLength(2)
  })

  it('refuses nobody what he sends back as it is stored', () => {
    const row = { mood: { type: 'select', choices: ['calm'] }, added: { type: 'string' } }
    const closed = fieldsOf({ rows: { type: 'array', editPermission: 'admin', fields: { add: row } } })
    const before = { rows: [{ _id: 'r', metaType: 'arrayItem', mood: 'loud' }] }
    const read = (rows: unknown) =>
      readAll(closed, { rows }, { before, mayEdit: ({ editRole }) => editRole === null, refuses: () => true })
    expect(read([{ _id: 'r', mood: 'loud', added: '' }]).refused).toEqual([])
    expect(read([{ _id: 'r', mood: 'loud', added: 'x' }]).refused).toEqual(['rows'])
    expect(read([{ _id: 'r', mood: 'calm', added: '' }]).refused).toEqual(['rows'])
  })

  it('keeps readOnly fields but from hooks', () => {
    const before = { fixed: 'was' }
    expect(readAll(fields, { fixed: 'new' }).values.fixed).toBe('as made')
    expect(readAll(fields, { fixed: 'new' }, { before }).values.fixed).toBe('was')
    expect(readAll(fields, { fixed: 'new' }, { before, trusted: true }).values.fixed).toBe('new')
  })

  it('keeps secrets that are not sent again', () => {
    const users = fieldsOf({ password: { type: 'password' } })
    const before = { password: '$argon2id$v=19$m=1$salt$tag' }
    for (const input of [{}, { password: null }, { password: '' }, before]) {
      expect(readAll(users, input, { before })).toEqual({
        values: before,
        problems: [],
        mustExist: [],
        staysUnseen: [],
        refused: [],
      })
    }
    expect(readAll(users, { password: 'another-one' }, { before }).values.password).toBe('another-one')
  })

  it('a site that has become stricter does not refuse what is stored', () => {
    const strict = fieldsOf({ level: { type: 'select', choices: ['low'] }, body: { type: 'area', widgets: {} } })
    const before = {
      level: 'mid',
      body: { _id: 'b', metaType: 'area', items: [{ _id: 'w', metaType: 'widget', type: 'gone', x: 1 }] },
    }
    const { values, problems } = readAll(strict, structuredClone(before), { before })
    expect(problems).toEqual([])
    expect(values).toEqual(before)
    expect(paths(readAll(strict, before, { before: { level: 'low' } }).problems)).toEqual([
      'level invalid',
      'body.w invalid',
    ])
    expect(paths(readAll(strict, before, { before }).problems)).toEqual(['level invalid'])
  })

  it('stops at the depth limit', () => {
    let inner: object = { items: [] }
    for (let depth = 0; depth < 50; depth += 1)
      inner = { items: [{ _id: `w${depth}`, type: 'promo', heading: 'x', inner }] }
    const { problems } = readAll(fields, { body: inner })
    expect(problems.map(({ name, message }) => [name, message])).toEqual([['max', expect.stringContaining('10')]])
  })
})

describe('§2.15 areas, lists and relationships', () => {
  it('a plain HTML string becomes one rich text widget', () => {
    expect(readAll(fields, { body: ' <p>Hi<script>x</script></p>' }).values.body).toEqual({
      _id: expect.any(String),
      metaType: 'area',
      items: [{ _id: expect.any(String), metaType: 'widget', type: '@cms/rich-text', content: '<p>Hi</p>' }],
    })
    expect(readAll(fields, { body: '' }).values.body).toMatchObject({ items: [] })
    const without = fieldsOf({ body: { type: 'area', widgets: { promo: {} } } }, widgets)
    expect(paths(readAll(without, { body: '<p>x</p>' }).problems)).toEqual(['body invalid'])
  })

  it('ids are kept; missing, impossible and doubled ones become new ones', () => {
    const { values } = readAll(fields, {
      links: [{ _id: 'a' }, { _id: 'a' }, { _id: 'no id' }].map((item) => ({ ...item, label: 'x', _edit: true })),
    })
    const ids = (values.links as JsonObject[]).map((item) => item._id)
    expect(ids[0]).toBe('a')
    expect(new Set(ids).size).toBe(3)
    expect(Object.keys((values.links as JsonObject[])[0] ?? {})).toEqual(['_id', 'metaType', 'label', 'n'])
  })

  it.each([
    [{ links: [1, 2, 3, 4].map(() => ({})) }, ['links max']],
    [{ body: { items: [1, 2, 3, 4].map(() => ({ type: 'promo' })) } }, ['body max']],
    [{ relatedIds: ['a', 'b', 'c'] }, ['_related max']],
    [{ links: { 0: {} } }, ['links invalid']],
    [{ body: [] }, ['body invalid']],
    [{ body: { items: 'x' } }, ['body invalid']],
    [{ address: [] }, ['address invalid']],
    [{ relatedIds: [7] }, ['_related.0 invalid']],
  ])('%j is refused', (input, expected) => {
    expect(paths(readAll(fields, input).problems)).toEqual(expected)
  })

  it.each([
    [
      { _related: [{ _id: 'a:en:draft', _fields: { why: ' w ' } }, 'b', { _id: 'a' }] },
      ['a', 'b'],
      { a: { why: 'w' }, b: { why: '' } },
      ['a', 'b'],
    ],
    [{ _related: { _id: 'a' } }, ['a'], { a: { why: '' } }, ['a']],
    [
      { relatedIds: ['a', 'b'], relatedFields: { b: { why: 'w' } } },
      ['a', 'b'],
      { a: { why: '' }, b: { why: 'w' } },
      [],
    ],
    [{ _related: [], relatedIds: ['a'] }, [], {}, []],
    [{ _related: null }, [], {}, []],
  ])('%j', (input, ids, relatedFields, mustExist) => {
    const read = readAll(fields, input)
    expect(read.problems).toEqual([])
    expect([read.values.relatedIds, read.values.relatedFields]).toEqual([ids, relatedFields])
    expect(read.mustExist).toEqual(
      mustExist.map((id) => ({ path: '_related', reference: { kind: 'document', id, types: ['article'] } })),
    )
  })
})

describe('§2.11 required and if', () => {
  it('at any depth, while the conditions on the way down hold', () => {
    const conditional = fieldsOf({
      on: { type: 'boolean' },
      name: { type: 'string', required: true, if: { on: true } },
      more: { type: 'object', if: { on: true }, fields: { add: { text: { type: 'string', required: true } } } },
      box: { type: 'box', required: true },
    })
    expect(paths(requiredProblems(conditional, readAll(conditional, {}).values))).toEqual(['box required'])
    const values = readAll(conditional, { on: true, box: { top: 0 } }).values
    expect(paths(requiredProblems(conditional, values))).toEqual(['name required', 'more.text required'])
    expect(paths(requiredProblems(conditional, values, { only: new Set(['more']) }))).toEqual(['more.text required'])
    const { values: document } = readAll(fields, {
      links: [{ _id: 'a' }],
      body: { items: [{ _id: 'w', type: 'promo' }] },
    })
    expect(paths(requiredProblems(fields, document))).toEqual([
      'title required',
      'links.a.label required',
      'body.w.heading required',
    ])
  })

  it('asks nothing of stored items that they lack already, wherever they are moved, but of what borrows their ids', () => {
    const name = { type: 'string', required: true }
    const inner = {
      type: { type: 'string' },
      rows: { type: 'array', fields: { add: { name } } },
      cards: { type: 'array', fields: { add: { name } } },
    }
    const nested = fieldsOf({
      groups: { type: 'array', fields: { add: { ...inner, name } } },
      _related: { type: 'relationship', withType: 'article', fields: { add: { name } } },
    })
    const group = (_id: string, more: object = {}) => ({ _id, type: '', name: '', rows: [], cards: [], ...more })
    const document = (ids: string[], ...groups: object[]) =>
      ({
        groups,
        relatedIds: ids,
        relatedFields: Object.fromEntries(ids.map((id) => [id, { name: '' }])),
      }) as unknown as JsonObject
    const row = { _id: 'r', name: '' }
    const values = document(['d'], group('a', { rows: [row] }), group('b'))
    const missing = (now: JsonObject) =>
      paths(requiredProblems(nested, now, { before: [{ fields: nested, values }] })).map((one) => one.split(' ')[0])
    expect(missing(values)).toEqual([])
    expect(missing(document(['d'], group('b', { rows: [row], type: 'new' }), group('a')))).toEqual([])
    expect(missing(document(['d', 'e'], group('a'), group('c')))).toEqual(['groups.c.name', '_related.e.name'])
    // While it is where it was, twice elsewhere, and in a list of other fields.
    const both = [group('b', { rows: [row] }), group('a', { rows: [row] })]
    expect(missing(document([], ...both))).toEqual(['groups.b.rows.r.name'])
    const filled = group('a', { rows: [{ ...row, name: 'x' }] })
    expect(missing(document([], group('b', { rows: [row] }), filled))).toEqual(['groups.b.rows.r.name'])
    expect(missing(document([], group('a', { cards: [row] })))).toEqual(['groups.a.cards.r.name'])
    expect(
      missing(document([], group('b', { rows: [row] }), group('a'), group('c', { rows: [row], name: 'C' }))),
    ).toEqual(['groups.c.rows.r.name'])
  })

  it.each(conditions.cases.map(({ condition, holds }) => [condition, holds] as const))(
    '%j holds: %s',
    (condition, expected) => {
      expect(conditionHolds(condition as FieldCondition, conditions.values)).toBe(expected)
    },
  )
})

describe('the walk', () => {
  const { values } = readAll(fields, {
    title: 'T',
    note: 'hidden',
    address: { city: 'Graz' },
    links: [{ _id: 'l', label: 'Link' }],
    body: {
      items: [
        {
          _id: 'w',
          type: 'promo',
          heading: 'H',
          _topics: ['t1', 't2'],
          inner: { items: [{ _id: 'v', type: 'promo', heading: 'I', _topics: ['t1'] }] },
        },
      ],
    },
    _related: [{ _id: 'r', _fields: { why: 'because' } }],
  })

  it('visits every field, containers before what they hold', () => {
    const depthOf = ({ parent }: LocatedField): number => (parent === null ? 0 : depthOf(parent) + 1)
    expect([...walk(fields, values)].map((located) => `${depthOf(located)} ${located.path}`)).toEqual([
      ...[
        '0 title',
        '0 count',
        '0 address',
        '1 address.city',
        '1 address.zip',
        '0 links',
        '1 links.l.label',
        '1 links.l.n',
        '0 body',
      ],
      ...[
        '1 body.w.heading',
        '1 body.w._topics',
        '1 body.w.inner',
        '2 body.w.inner.v.heading',
        '2 body.w.inner.v._topics',
        '2 body.w.inner.v.inner',
      ],
      ...['0 _related', '1 _related.r.why', '0 _from', '0 note', '0 fixed'],
    ])
  })

  it('finds index values and references, none twice', () => {
    expect(indexRowsOf(fields, values).map(({ kind, name, text, number }) => [kind, name, text ?? number])).toEqual([
      ['value', 'title', 't'],
      ['value', 'count', 7],
      ['document', '*', 't1'],
      ['document', '*', 't2'],
      ['document', '_related', 'r'],
      ['value', 'note', 'hidden'],
      ['value', 'fixed', 'as made'],
    ])
  })

  it('§4.6 indexes the documents that rich text links to and shows, whatever their types', () => {
    const content = `<p><a href="#apostrophe-permalink-doc1?updateTitle=1">A</a> <a href="https://a.example/">B</a></p>
<img src="/api/v1/@cms/image/img1/src" alt=""><img src="/elsewhere.jpg" alt="">`
    const widget = { _id: 'w', metaType: 'widget', type: '@cms/rich-text', content }
    const rows = indexRowsOf(fields, { body: { _id: 'b', metaType: 'area', items: [widget, { ...widget, _id: 'v' }] } })
    expect(rows.filter(({ kind }) => kind === 'document').map(({ name, text }) => `${name} ${text}`)).toEqual([
      '* doc1',
      '* img1',
    ])
  })

  it('gives texts to search with their top-level field and the strictest role', () => {
    const found = [...searchTexts(fields, values)].map(
      ({ field, viewRole, text }) => `${field.name} ${viewRole} ${text}`,
    )
    expect(found).toEqual([
      'title null T',
      'address null Graz',
      'links null Link',
      'body null H',
      'body null I',
      '_related null because',
      'note editor hidden',
      'fixed null as made',
    ])
  })
})
