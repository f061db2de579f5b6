import { finish } from 'quire-diff'
import { describe, expect, test } from 'vitest'
import { changeRow, changes, fields, names, route, rows, site, story as type } from '../../../test/changes.ts'
import type { Json, JsonObject } from '../../base/json.ts'
import { compileSite, defineSite } from '../compile/site.ts'
import { type ContentType, piece, widget } from '../declared/content-type.ts'
import type { Type } from '../declared/types.ts'
import { fieldTypes } from '../fields/index.ts'
import { compareContents } from './compare-contents.ts'
import { type Change, countChanges } from './content-change.ts'
import { referencesOf } from './references-of.ts'
import { type ComparedTexts, type ComparedWords, compareByFormat, comparedTexts, notCompared, rowOf } from './row-of.ts'

/** Rows reduced to the parts that most tests look at. */
function short(older: JsonObject, newer: JsonObject) {
  return rows(older, newer).map(({ path, type, kind, oldText, newText }) => {
    return [path.map(({ name }) => name).join('.'), type, kind, oldText, newText]
  })
}

const quote = (_id: string, words: string, by = ''): JsonObject => ({
  _id,
  metaType: 'widget',
  type: 'quote',
  words,
  by,
})
const text = (_id: string, content: string): JsonObject => ({
  _id,
  metaType: 'widget',
  type: '@cms/rich-text',
  content,
})
const area = (...items: JsonObject[]): JsonObject => ({ _id: 'a1', metaType: 'area', items })
const item = (_id: string, values: JsonObject): JsonObject => ({ _id, metaType: 'arrayItem', ...values })
const box = { top: 1, right: null, bottom: 2.5, left: null }
const noBox = { top: null, right: null, bottom: null, left: null }
const file = (_id: string, name: string) => ({ _id, type: 'attachment', name, extension: 'pdf' })
const film = (url: string, title: string) => ({ url, title, thumbnail: '' })

/** Values of a field and another one, with their texts. */
const LEAVES: readonly (readonly [name: string, Json, string, Json, string])[] = [
  ['lead', 'One', 'One', 'Two', 'Two'],
  ['kicker', 'one', 'one', 'two', 'two'],
  ['count', 0, '0', 5, '5'],
  ['weight', 1.5, '1.5 kg', 2, '2 kg'],
  ['warmth', 10, '10%', 20, '20%'],
  ['section', 'news', 'News', 'essay', 'Essay'],
  ['mood', 'news', 'News', 'unknown', 'unknown'],
  ['tags', ['news'], 'News', ['essay', 'news'], 'Essay, News'],
  ['tint', '#fff', '#fff', '--accent', '--accent'],
  ['padding', box, 'top 1px, bottom 2.5px', { ...box, bottom: null }, 'top 1px'],
  ['day', '2026-01-31', '2026-01-31', '2026-02-01', '2026-02-01'],
  ['hour', '08:00', '08:00', '09:00', '09:00'],
  [
    'moment',
    '2026-01-31T08:00:00.000Z',
    '2026-01-31T08:00:00.000Z',
    '2027-01-31T08:00:00.000Z',
    '2027-01-31T08:00:00.000Z',
  ],
  ['link', '/a', '/a', '/b', '/b'],
  ['mail', 'a@example.org', 'a@example.org', 'b@example.org', 'b@example.org'],
  ['file', file('f1', 'plan'), 'f1.pdf', file('f2', 'map'), 'f2.pdf'],
  ['film', film('https://a.example/', 'A'), 'A', film('https://b.example/', 'B'), 'B'],
]
/** A value of every field. */
const VALUES: { readonly [name: string]: Json } = {
  ...Object.fromEntries(LEAVES),
  word: 'a hash',
  hot: true,
  seo: { _id: 's', metaType: 'object', about: 'One', hidden: false },
  steps: [item('i1', { name: 'One' })],
  plain: [item('i1', { byIds: ['p1'], byFields: {} })],
  body: area(quote('w1', 'Hi')),
  aside: area(quote('w1', 'Hi')),
  trip: { from: 'Rome', to: 'Oslo' },
}
const nameOf = (name: string) => (name.startsWith('_') ? '_x' : 'x')
/** Empty values, by field. */
const EMPTY: { readonly [name: string]: readonly Json[] } = {
  padding: [noBox, null],
  tags: [[], null],
  lead: ['', null],
}

describe('§2.5 changes of single values', () => {
  test.each(LEAVES)('%s: changed, set for the first time and emptied', (name, one, oneText, other, otherText) => {
    const fieldType = type.fields.byName.get(name)?.type.name
    const [label] = [type.fields.byName.get(name)?.label]
    const common = { path: [{ name, label }], kind: 'leaf', fieldType, ai: false }
    expect(rows({ [name]: one }, { [name]: other })).toMatchObject([
      { ...common, type: 'modified', old: one, new: other, oldText: oneText, newText: otherText },
    ])
    expect(rows({ [name]: one }, { [name]: one })).toEqual([])
    for (const empty of [{}, ...(EMPTY[name] ?? [null]).map((value) => ({ [name]: value }))]) {
      const [added, ...none] = rows(empty, { [name]: other })
      expect(none).toEqual([])
      expect(added).toMatchObject({ ...common, type: 'added', new: other, oldText: '', newText: otherText })
      expect(added).not.toHaveProperty('old')
      const [deleted] = rows({ [name]: one }, empty)
      expect(deleted).toMatchObject({ ...common, type: 'deleted', old: one, oldText: oneText, newText: '' })
      expect(deleted).not.toHaveProperty('new')
    }
  })

  test('of all field types some are looked at here', () => {
    const looked = new Set(Object.values(fields).map(({ type }) => type))
    expect([...fieldTypes.keys()].filter((name) => !looked.has(name))).toEqual(['richText'])
  })

  test('nothing, an empty text and an empty list are alike', () => {
    for (const [name, values] of Object.entries(EMPTY)) {
      for (const empty of values) expect(rows({}, { [name]: empty })).toEqual([])
    }
    expect(rows({}, { body: area(), seo: { _id: 's', metaType: 'object', about: '' } })).toEqual([])
    expect(rows({ body: area() }, { body: { ...area(), _id: 'other' } })).toEqual([])
  })

  test('a boolean is never empty: a field that is new to the document is false', () => {
    expect(short({ hot: true }, { hot: false })).toEqual([['hot', 'modified', 'leaf', 'Yes', 'No']])
    expect(rows({}, { hot: false })).toEqual([])
  })

  test('a file is the same whatever it is called', () => {
    expect(rows({ file: file('f1', 'plan') }, { file: file('f1', 'map') })).toEqual([])
    expect(short({ file: file('gone', 'plan') }, {})).toEqual([['file', 'deleted', 'leaf', 'plan.pdf', '']])
  })

  test('addresses of what is called the same tell the difference', () => {
    const [old, now] = ['https://a.example/', 'https://b.example/']
    expect(short({ film: film(old, 'A') }, { film: film(now, 'A') })).toEqual([['film', 'modified', 'leaf', old, now]])
  })

  test('words are compared, and the parts join to both texts', () => {
    const [row] = rows({ lead: 'The red house' }, { lead: 'The blue house' })
    expect(row?.diff).toEqual([
      { text: 'The ', change: 'same' },
      { text: 'red', change: 'removed' },
      { text: 'blue', change: 'added' },
      { text: ' house', change: 'same' },
    ])
    expect(rows({}, { lead: 'New' })[0]?.diff).toEqual([{ text: 'New', change: 'added' }])
    expect(rows({ lead: 'Old' }, {})[0]?.diff).toEqual([{ text: 'Old', change: 'removed' }])
  })

  test('texts that are too long in total are shown without comparing their words', () => {
    const html = (content: string) => ({ lead: content, body: area(text('w', `<p>${content}</p>`)) })
    const found = changes(html('The red house'), html('The blue house'))
    const without = (compare: (texts: ComparedTexts) => ComparedWords) => (change: Change) => {
      const texts = comparedTexts(change, names)
      return rowOf(change, names, false, texts && compare(texts))
    }
    const byFormat = without((texts) => finish(compareByFormat(texts)))
    for (const row of [...found.map(byFormat), ...found.map(without(notCompared))]) {
      expect(row).toMatchObject({ oldText: 'The red house', newText: 'The blue house' })
      expect(row).not.toHaveProperty('diff')
    }
    const long = 'The house '.repeat(2_000)
    const [added] = changes({}, { lead: long })
    const row = added && byFormat(added)
    expect(row).toMatchObject({ new: long, oldText: '', newText: long.slice(0, 10_000) })
    expect(row).not.toHaveProperty('diff')
  })

  test('secrets, reverse relationships and names that begin with _ are no content', () => {
    const computed = { word: 'hash', _stories: [{ _id: 'x' }], _url: '/a', _edit: true, unknown: 'x' }
    expect(rows({}, computed)).toEqual([])
  })

  test('a field type of a site tells its own differences', () => {
    expect(short({ trip: { from: 'Rome', to: 'Oslo' } }, { trip: { from: 'Rome', to: 'Bonn' } })).toEqual([
      ['trip.to', 'modified', 'leaf', 'Oslo', 'Bonn'],
    ])
    const [row] = rows({}, { trip: { from: 'Rome', to: 'Bonn' } })
    expect(row).toMatchObject({
      type: 'added',
      fieldType: 'route',
      new: 'Rome',
      path: [{ name: 'trip' }, { name: 'from' }],
    })
  })
})

describe('§2.5 changes of objects and arrays', () => {
  const seo = (about: string, hidden = false) => ({ seo: { _id: 's', metaType: 'object', about, hidden } })

  test('a field of an object is a change of its own', () => {
    const [row] = rows(seo('One'), seo('Two'))
    expect(row).toMatchObject({
      kind: 'leaf',
      path: [
        { name: 'seo', label: 'Seo' },
        { name: 'about', label: 'About' },
      ],
    })
    expect(rows(seo(''), seo('Two'))).toMatchObject([{ type: 'added', kind: 'leaf' }])
  })

  test('an object that is new to a document is one change', () => {
    expect(rows({}, seo('One', true))).toMatchObject([
      { type: 'added', kind: 'object', fieldType: 'object', path: [{ name: 'seo' }], newText: 'One, Yes', oldText: '' },
    ])
    expect(short(seo('One'), {})).toEqual([['seo', 'deleted', 'object', 'One, No', '']])
  })

  test('items that come or go are one change, others are compared field by field, by their ids', () => {
    const older = { steps: [item('i1', { name: 'One', note: 'a' }), item('i2', { name: 'Two', note: 'b' })] }
    const newer = { steps: [item('i2', { name: 'Two', note: 'c' }), item('i3', { title: 'Three' })] }
    expect(short(older, newer)).toEqual([
      ['steps.i1', 'deleted', 'arrayItem', 'One', ''],
      ['steps.i2.note', 'modified', 'leaf', 'b', 'c'],
      ['steps.i3', 'added', 'arrayItem', '', 'Three'],
    ])
    const [gone, changed, added] = rows(older, newer)
    expect(gone).toMatchObject({
      fieldType: 'arrayItem',
      old: older.steps[0],
      path: [{}, { label: 'One', ordinal: 1 }],
    })
    expect(changed?.path[1]).toEqual({ name: 'i2', label: 'Two', ordinal: 1 })
    expect(added).toMatchObject({ new: newer.steps[1], path: [{ name: 'steps' }, { label: 'Three', ordinal: 2 }] })
  })

  test('an item is called by its titleField, else by its title, else by its number', () => {
    const labelOf = (values: JsonObject) => rows({}, { steps: [item('i1', values)] })[0]?.path[1]?.label
    expect(labelOf({ name: 'Name', title: 'Title' })).toBe('Name')
    expect(labelOf({ name: '', title: 'Title' })).toBe('Title')
    expect(labelOf({ name: '', title: '' })).toBe('#1')
    expect(labelOf({ name: `two\nlines ${'long '.repeat(100)}` })).toMatch(/^two lines long .{180,}$/)
    const [row] = rows({}, { plain: [item('i1', { byIds: ['p1', 'p2'], byFields: {} })] })
    expect(row?.path[1]?.label).toBe('Title of p1, Title of p2')
  })

  test('items in another order are one change, with the ids that both sides have', () => {
    const [one, two, three, four] = ['One', 'Two', 'Three', 'Four'].map((name, index) =>
      item(`i${index + 1}`, { name }),
    )
    const older = { steps: [one, two, three] as JsonObject[] }
    const newer = { steps: [three, four, two] as JsonObject[] }
    const [order, ...rest] = rows(older, newer)
    expect(order).toMatchObject({ kind: 'array', fieldType: 'array', type: 'modified', path: [{ name: 'steps' }] })
    expect(order).toMatchObject({ old: ['i2', 'i3'], new: ['i3', 'i2'], oldText: 'Two, Three', newText: 'Three, Two' })
    expect(changes(older, newer)[0]?.key).toBe('steps#order')
    expect(rest.map(({ kind, type }) => [kind, type])).toEqual([
      ['arrayItem', 'deleted'],
      ['arrayItem', 'added'],
    ])
    expect(rows({ steps: [one, two] as JsonObject[] }, { steps: [one] as JsonObject[] })).toHaveLength(1)
  })
})

describe('§2.5 changes of areas', () => {
  test('widgets that come or go are one change, fields of others are compared at any depth', () => {
    const panel = (...items: JsonObject[]): JsonObject => ({
      _id: 'p',
      metaType: 'widget',
      type: 'panel',
      inside: { _id: 'a2', metaType: 'area', items },
    })
    const older = { body: area(quote('w1', 'Hi'), panel(quote('w2', 'Hello'), quote('w3', 'Bye'))) }
    const newer = { body: area(panel(quote('w2', 'Hello!')), text('w4', '<p>New</p>')) }
    expect(short(older, newer)).toEqual([
      ['body.w1', 'deleted', 'widget', 'Hi', ''],
      ['body.p.inside.w2.words', 'modified', 'leaf', 'Hello', 'Hello!'],
      ['body.p.inside.w3', 'deleted', 'widget', 'Bye', ''],
      ['body.w4', 'added', 'widget', '', 'Rich text'],
    ])
    expect(rows(older, newer)[0]).toMatchObject({ fieldType: 'widget', old: quote('w1', 'Hi') })
    expect(rows(older, newer)[1]?.path).toEqual([
      { name: 'body', label: 'Body' },
      { name: 'p', label: 'Panel', title: 'Hello!', ordinal: 1, widgetType: 'panel' },
      { name: 'inside', label: 'Inside' },
      { name: 'w2', label: 'Quote', title: 'Hello!', ordinal: 1, widgetType: 'quote' },
      { name: 'words', label: 'Words' },
    ])
  })

  test('a widget that moves from one area to another is deleted here and added there', () => {
    const older = { body: area(quote('w1', 'Hi')), aside: area() }
    const newer = { body: area(), aside: area(quote('w1', 'Hi')) }
    expect(short(older, newer)).toEqual([
      ['body.w1', 'deleted', 'widget', 'Hi', ''],
      ['aside.w1', 'added', 'widget', '', 'Hi'],
    ])
  })

  test('what is gone stands behind what it followed', () => {
    const older = { body: area(quote('w1', '1'), quote('w2', '2'), quote('w3', '3'), quote('w4', '4')) }
    const newer = { body: area(quote('w2', '2!'), quote('w5', '5'), quote('w4', '4!')) }
    expect(short(older, newer).map(([path]) => path)).toEqual([
      'body.w1',
      'body.w2.words',
      'body.w3',
      'body.w5',
      'body.w4.words',
    ])
  })

  test('a widget is called by the field that names it: an image by its title', () => {
    const image = {
      _id: 'w',
      metaType: 'widget',
      type: '@cms/image',
      imageIds: ['i1'],
      imageFields: {},
      caption: 'Old',
    }
    const [row] = rows({ body: area(image) }, { body: area({ ...image, caption: 'New' }) })
    expect(row?.path[1]).toMatchObject({ label: 'Image', title: 'Title of i1' })
    const [found] = changes({ body: area(image) }, { body: area({ ...image, caption: 'New' }) })
    expect([...(found ? referencesOf([found]) : { documents: [] }).documents]).toEqual(['i1'])
  })

  test('another order', () => {
    const [one, two] = [quote('w1', 'One'), text('w2', '<p>x</p>')]
    expect(rows({ body: area(one, two) }, { body: area(two, one) })).toMatchObject([
      { kind: 'area', fieldType: 'area', old: ['w1', 'w2'], new: ['w2', 'w1'], newText: 'Rich text, One' },
    ])
  })

  test('a widget that has become one of another type was deleted and added; each change has a key of its own', () => {
    const found = changes({ body: area(quote('w1', 'Hi')) }, { body: area(text('w1', '<p>Hi</p>')) })
    expect(found.map(({ type, kind }) => [type, kind])).toEqual([
      ['deleted', 'widget'],
      ['added', 'widget'],
    ])
    expect(new Set(found.map(({ key }) => key)).size).toBe(2)
  })

  test('widget types that are not allowed here, or unknown, keep the name that they had', () => {
    const stray = (_id: string, type: string, words: string): JsonObject => ({ _id, metaType: 'widget', type, words })
    const older = { body: area(stray('w1', 'old', 'x'), stray('w2', 'never-heard-of', 'x')) }
    const newer = { body: area(stray('w1', 'old', 'y'), stray('w2', 'never-heard-of', 'y')) }
    expect(short(older, newer)).toEqual([
      ['body.w1.words', 'modified', 'leaf', 'x', 'y'],
      ['body.w2', 'modified', 'widget', 'Never heard of', 'Never heard of'],
    ])
    expect(rows(older, {})[0]).toMatchObject({ path: [{}, { label: 'Out of use', widgetType: 'old' }] })
    const [, unknown] = rows(older, {})
    expect(unknown).toMatchObject({ type: 'deleted', oldText: 'Never heard of' })
    expect(unknown).not.toHaveProperty('old')
  })

  test('rich text is compared by its words', () => {
    const [row] = rows({ body: area(text('w', '<p>Hello you</p>')) }, { body: area(text('w', '<p>Hello all</p>')) })
    expect(row).toMatchObject({ kind: 'richText', fieldType: 'richText', oldText: 'Hello you', newText: 'Hello all' })
    expect(row?.diff).toContainEqual({ text: 'all', change: 'added' })
    expect(row?.formatChanges).toEqual([])
    const [added] = rows({ body: area(text('w', '')) }, { body: area(text('w', '<p>Hello</p>')) })
    expect(added).toMatchObject({ type: 'added', diff: [{ text: 'Hello', change: 'added' }], formatChanges: [] })
    expect(rows({ body: area(text('w', '')) }, { body: area(text('w', '<p></p>')) })).toEqual([])
  })
})

describe('§2.5 changes of relationships', () => {
  const people = (ids: string[], fields: JsonObject = {}) => ({ peopleIds: ids, peopleFields: fields })

  test('which documents are related, by their titles and ids', () => {
    const [row] = rows(people(['p1', 'gone']), people(['p2']))
    expect(row).toMatchObject({ kind: 'relationship', fieldType: 'relationship', old: ['p1', 'gone'], new: ['p2'] })
    expect(row).toMatchObject({
      oldText: 'Title of p1, Not available',
      newText: 'Title of p2',
      path: [{ name: '_people' }],
    })
    expect(row).not.toHaveProperty('images')
    expect(rows(people([]), people(['p2']))).toMatchObject([{ type: 'added', new: ['p2'] }])
    expect(rows(people(['p2']), {})).toMatchObject([{ type: 'deleted', old: ['p2'] }])
    expect(rows({}, people([]))).toEqual([])
  })

  test('what a relationship says of a document that both sides have', () => {
    const older = people(['p1', 'p2'], { p1: { role: 'Writer' }, p2: { role: 'x' } })
    const newer = people(['p1', 'p3'], { p1: { role: 'Editor' }, p3: { role: 'y' } })
    expect(short(older, newer)).toEqual([
      ['_people', 'modified', 'relationship', 'Title of p1, Title of p2', 'Title of p1, Title of p3'],
      ['_people.p1.role', 'modified', 'leaf', 'Writer', 'Editor'],
    ])
    expect(rows(older, newer)[1]?.path[1]).toEqual({ name: 'p1', label: 'Title of p1' })
  })

  test('images, as far as they may be seen', () => {
    const older = { picturesIds: ['i1', 'i2', 'gone'] }
    const newer = { picturesIds: ['i2', 'i3'] }
    const image = (id: string, change: string) => ({ text: `Title of ${id}`, href: `/${id}.one-third.jpg`, change })
    expect(rows(older, newer)[0]?.images).toEqual({
      old: [image('i1', 'removed'), image('i2', 'same')],
      new: [image('i2', 'same'), image('i3', 'added')],
    })
    expect(rows({}, newer)[0]?.images).toEqual({ old: [], new: [image('i2', 'added'), image('i3', 'added')] })
  })
})

describe('§2.5 changes of a whole document', () => {
  test('stand in the order of the schema, and are counted', () => {
    const older = { lead: 'One', body: area(quote('w1', 'Hi')), count: 1 }
    const newer = { count: 2, body: area(), peopleIds: ['p1'], lead: 'Two' }
    const found = changes(older, newer)
    expect(found.map(({ key }) => key)).toEqual(['lead', 'count', 'body.w1', '_people'])
    expect(countChanges(found)).toEqual({ added: 1, modified: 2, deleted: 1 })
  })

  test('name the documents and files that are to be looked up', () => {
    const link = '<p><a href="#apostrophe-permalink-d1?updateTitle=1">there</a></p>'
    const newer = {
      ...{ peopleIds: ['p1'], peopleFields: {}, file: file('f1', 'plan'), body: area(text('w', link)) },
      plain: [item('i', { byIds: ['p2'], byFields: {} })],
    }
    const found = referencesOf(changes({ body: area(text('w', '')), peopleIds: ['p3'] }, newer))
    expect([...found.documents].toSorted()).toEqual(['d1', 'p1', 'p2', 'p3'])
    expect([...found.attachments]).toEqual(['f1'])
  })

  test('fields that another type declares otherwise, or not at all', () => {
    const other = compileSite(
      defineSite({
        types: [piece('note', { fields: { add: { lead: { type: 'integer' }, extra: { type: 'string' } } } })],
      }),
    ).types.get('note') as Type
    const found = finish(
      compareContents(
        site,
        { type: other, fields: { title: 'Same', lead: 7, extra: 'gone' } },
        { type, fields: { title: 'Same', lead: 'Seven', count: 1 } },
      ),
    ).map((change) => changeRow(change, names))
    expect(found).toMatchObject([
      { type: 'modified', fieldType: 'string', old: 7, oldText: '7', newText: 'Seven' },
      { type: 'added', newText: '1', path: [{ name: 'count' }] },
      { type: 'deleted', fieldType: 'string', oldText: 'gone', path: [{ name: 'extra', label: 'Extra' }] },
    ])
  })

  test('a field of any type may be one of any other type in another type of documents', () => {
    const declared = Object.entries(fields).filter(([, { type }]) => type !== 'relationshipReverse')
    const others = compileSite(
      defineSite({
        fieldTypes: [route],
        // `as`: what is made here by a program is typed as what a site author writes.
        types: [
          piece('person'),
          ...declared.map(([name, field]) =>
            piece(`of-${name}`.replace('_', ''), { fields: { add: { [nameOf(name)]: field } } } as object),
          ),
        ] as unknown as ContentType[],
        widgets: [widget('quote'), widget('panel')],
      }),
    )
    const contents = declared.map(([name]) => ({
      type: others.types.get(`of-${name}`.replace('_', '')) as Type,
      fields: name.startsWith('_') ? { xIds: ['p1'] } : { x: VALUES[name] ?? null },
    }))
    const typeOfX = ({ type }: { type: Type }) => type.fields.byName.get('x')?.type.name
    for (const older of contents) {
      for (const newer of contents) {
        const found = finish(compareContents(others, older, newer))
        const shown = found.map((change) => changeRow(change, names))
        expect([...referencesOf(found).documents, ...referencesOf(found).attachments]).not.toContain(undefined)
        expect(JSON.stringify(shown)).not.toContain('a hash')
        if (older.type === newer.type) expect(shown).toEqual([])
        else if (typeOfX(newer) !== 'password' && typeOfX(older) !== typeOfX(newer)) expect(shown).not.toEqual([])
      }
    }
  })

  test('values that their field no longer takes are shown by their text, or only as changed', () => {
    const aside = (values: JsonObject, more: JsonObject = {}): JsonObject => ({
      _aside: { lead: { type: 'array', secret: false, audience: null, values, ...more } },
    })
    const was = aside({ lead: [{ _id: 'x', metaType: 'arrayItem', to: '/here' }] })
    expect(rows(was, { lead: '' })).toMatchObject([
      { type: 'deleted', fieldType: 'array', oldText: '/here', newText: '' },
    ])
    expect(rows(was, { lead: 'Now' })).toMatchObject([
      { type: 'modified', oldText: '/here', newText: 'Now', new: 'Now' },
    ])
    expect(rows(was, aside({ lead: ['/there'] }))).toMatchObject([
      { type: 'modified', oldText: '/here', newText: '/there' },
    ])
    expect(rows(was, was)).toEqual([])
    const hidden = aside({ lead: 'x' }, { holdsHidden: true })
    const [row, ...rest] = rows(hidden, { lead: 'Now' })
    expect(rest).toEqual([])
    expect(row).toMatchObject({ type: 'modified', oldText: '', newText: '', path: [{ name: 'lead', label: 'Lead' }] })
    expect(Object.keys(row ?? {})).not.toEqual(expect.arrayContaining(['old']))
    expect(row).not.toHaveProperty('new')
    const gone = { _aside: { formerly: { type: 'string', secret: false, audience: null, values: { formerly: 'x' } } } }
    expect(rows(gone as JsonObject, {})).toMatchObject([
      { type: 'deleted', oldText: 'x', path: [{ label: 'Formerly' }] },
    ])
  })
})
