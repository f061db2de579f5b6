import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changes, rows } from '../../../test/changes.ts'
import { fuzzing } from '../../../test/sample.ts'
import { canonicalJson, isObject, type Json, type JsonObject } from '../../base/json.ts'
import { countChanges } from './content-change.ts'

const some = (...values: Json[]) => fc.constantFrom(null, ...values)
const words = fc.constantFrom('', 'one', 'one two', 'two one', 'three, and more', '日本語の文', 'a\nb')
const html = fc.constantFrom('', '<p></p>', '<p>one two</p>', '<p>one <b>two</b></p>', '<h2>one</h2><p>two</p>', 'one')
const ids = fc.uniqueArray(fc.constantFrom('i1', 'i2', 'i3', 'i4', 'i5'), { maxLength: 4 })

/** Items or widgets with ids of their own, in any order. */
function items(item: fc.Arbitrary<JsonObject>, metaType: string): fc.Arbitrary<JsonObject[]> {
  return ids.chain((found) =>
    found.length === 0
      ? fc.constant([])
      : fc.tuple(...found.map((_id) => item.map((values) => ({ _id, metaType, ...values })))),
  )
}

const areaOf = (widget: fc.Arbitrary<JsonObject>) =>
  fc.oneof(
    fc.constant(null),
    fc.record({ _id: fc.constantFrom('a', 'b'), metaType: fc.constant('area'), items: items(widget, 'widget') }),
  )
const record = (values: { readonly [name: string]: fc.Arbitrary<Json> }): fc.Arbitrary<JsonObject> =>
  // `as`: what is not there is left out.
  fc.record(values, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>
const quote = record({ words, by: words }).map((values) => ({ type: 'quote', ...values }))
const richText = record({ content: html }).map((values) => ({ type: '@cms/rich-text', ...values }))
const panel = record({ inside: areaOf(quote) }).map((values) => ({ type: 'panel', ...values }))
const stray = fc.constantFrom({ type: 'unheard-of', words: 'one' }, { type: 'unheard-of', words: 'two' })
const box = record({ top: some(1, 2) }).map((side) => ({ top: null, right: null, bottom: null, left: null, ...side }))

/** Contents with every field type; some fields are not there, others are empty in one way or another. */
const content = record({
  lead: words,
  kicker: some('', 'one'),
  count: some(0, 1),
  weight: some(0.5),
  warmth: some(5),
  hot: fc.boolean(),
  section: some('news', 'essay'),
  mood: some('news'),
  tags: fc.subarray(['news', 'essay']),
  tint: some('#fff'),
  padding: box,
  day: some('2026-01-01'),
  hour: some('10:00'),
  moment: some('2026-01-31T08:00:00.000Z'),
  link: some('/a', '/b'),
  mail: some('a@example.org'),
  file: fc.option(
    record({ name: words }).map((rest) => ({ _id: 'f1', type: 'attachment', extension: 'pdf', ...rest })),
  ),
  film: some({ url: 'https://a.example/', title: '', thumbnail: '' }),
  seo: fc.option(
    record({ about: words, hidden: fc.boolean() }).map((rest) => ({ _id: 'o', metaType: 'object', ...rest })),
  ),
  steps: items(record({ name: words, title: words, note: words }), 'arrayItem'),
  plain: items(record({ byIds: ids }), 'arrayItem'),
  body: areaOf(fc.oneof(quote, richText, panel, stray)),
  aside: areaOf(quote),
  peopleIds: ids,
  peopleFields: record({ i1: record({ role: words }), i2: record({ role: words }) }),
  picturesIds: ids,
  trip: fc.option(fc.record({ from: words, to: words })),
})

/** Two contents that are the same but for some fields. */
const pairs = fc
  .tuple(content, content, fc.uniqueArray(fc.nat(40), { maxLength: 6 }))
  .map(([older, other, changed]): readonly [JsonObject, JsonObject] => {
    const names = Object.keys({ ...older, ...other })
    const taken = changed.flatMap((index) => names[index] ?? [])
    const kept = Object.entries(older).filter(([name]) => !taken.includes(name))
    return [older, Object.fromEntries([...kept, ...taken.flatMap((name) => asEntry(name, other[name]))])]
  })

function asEntry(name: string, value: Json | undefined): [string, Json][] {
  return value === undefined ? [] : [[name, value]]
}

/** Reduces a content, by other means, to text that is equal for equal contents. */
function essence(content: JsonObject): string {
  const { peopleFields, ...values } = content
  const said = isObject(peopleFields) ? peopleFields : {}
  const related = Array.isArray(values.peopleIds) ? values.peopleIds : []
  const people = related.map((id) => ({ _id: id, said: said[String(id)] ?? {} }) as JsonObject)
  return canonicalJson(essential({ ...values, people }) ?? {})
}

function essential(value: Json): Json | undefined {
  if (value === null || value === '' || value === '<p></p>' || value === false) return undefined
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((one) => essential(one) ?? {})
  if (typeof value !== 'object') return value
  if (value.type === 'attachment') return value._id
  const isItem = value.metaType === 'widget' || value.metaType === 'arrayItem' || 'said' in value
  const found = Object.entries(value).flatMap(([name, one]) => {
    const kept = name === 'metaType' || (name === '_id' && !isItem) ? undefined : essential(one)
    return kept === undefined ? [] : [[name, kept] as const]
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

test('§2.5 there are rows if and only if the contents differ', () => {
  fc.assert(
    fc.property(pairs, ([older, newer]) => {
      expect(changes(older, newer).length === 0).toBe(essence(older) === essence(newer))
      expect(changes(older, JSON.parse(JSON.stringify(older)))).toEqual([])
    }),
    fuzzing(1000),
  )
})

test('§2.5 rows are the same each time, their keys are unique, and backwards what was added is deleted', () => {
  fc.assert(
    fc.property(pairs, ([older, newer]) => {
      const found = changes(older, newer)
      expect(rows(older, newer)).toEqual(rows(older, newer))
      expect(new Set(found.map(({ key }) => key)).size).toBe(found.length)
      const { added, modified, deleted } = countChanges(found)
      expect(countChanges(changes(newer, older))).toEqual({ added: deleted, modified, deleted: added })
    }),
    fuzzing(500),
  )
})

test('§2.5 a side that is missing has no value and no text, and the parts of a diff join to both texts', () => {
  fc.assert(
    fc.property(pairs, ([older, newer]) => {
      for (const row of rows(older, newer)) {
        if (row.type === 'added') expect([row.old, row.oldText]).toEqual([undefined, ''])
        if (row.type === 'deleted') expect([row.new, row.newText]).toEqual([undefined, ''])
        const joined = (change: string) =>
          row.diff?.flatMap((part) => (part.change === change || part.change === 'same' ? [part.text] : [])).join('')
        if (row.diff) expect([joined('removed'), joined('added')]).toEqual([row.oldText, row.newText])
        for (const { name, label } of row.path) expect([name, label]).not.toContain('')
      }
    }),
    fuzzing(500),
  )
})
