import fc from 'fast-check'
import { finish } from 'quire-diff'
import { expect, test } from 'vitest'
import { fuzzing } from '../../../test/sample.ts'
import type { JsonObject } from '../../base/json.ts'
import { compareContents } from '../../model/changes/compare-contents.ts'
import { compileSite, defineSite } from '../../model/compile/site.ts'
import { piece, widget } from '../../model/declared/content-type.ts'
import { annotate } from './annotate.ts'

const words = { type: 'string' } as const
const site = compileSite(
  defineSite({
    types: [
      piece('story', {
        fields: {
          add: {
            text: words,
            box: { type: 'object', fields: { add: { text: words } } },
            list: { type: 'array', fields: { add: { text: words, inner: { type: 'area', widgets: { quote: {} } } } } },
            body: { type: 'area', widgets: { quote: {}, frame: {}, silent: {} } },
          },
        },
      }),
    ],
    widgets: [
      widget('quote', { versionsRender: true, fields: { add: { text: words } } }),
      widget('silent', { versionsRenderDeleted: false, fields: { add: { text: words } } }),
      widget('frame', { fields: { add: { inner: { type: 'area', widgets: { quote: {}, silent: {} } } } } }),
    ],
  }),
)
const story = site.types.get('story')

const text = fc.constantFrom('', 'one', 'two')
const id = fc.constantFrom(...'abcdefg')
const listOf = <Item extends { readonly _id: string }>(item: fc.Arbitrary<Item>) =>
  fc.uniqueArray(item, { maxLength: 6, selector: ({ _id }) => _id })
const areaOf = <Item extends { readonly _id: string }>(item: fc.Arbitrary<Item>) =>
  listOf(item).map((items) => ({ _id: 'area', metaType: 'area', items }))
const widgetOf = (...types: string[]) =>
  fc.record({ _id: id, metaType: fc.constant('widget'), type: fc.constantFrom(...types), text })
const inner = areaOf(widgetOf('quote', 'silent'))
const frame = fc.record({ _id: id, metaType: fc.constant('widget'), type: fc.constant('frame'), inner })
const item = fc.record({ _id: id, metaType: fc.constant('arrayItem'), text, inner: areaOf(widgetOf('quote')) })
const content = fc.record({
  title: text,
  text,
  box: fc.record({ _id: fc.constant('box'), metaType: fc.constant('object'), text }),
  list: listOf(item),
  body: areaOf(fc.oneof(widgetOf('quote', 'silent'), frame)),
})

const MARKS = ['_inserted', '_deleted', '_modified', '_moved', '_olderVersion', '_changedWithAi', '_changes']

function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((one) => one._deleted !== true).map(unmarked)
  if (typeof value !== 'object' || value === null) return value
  const rest = Object.entries(value).filter(([name]) => !MARKS.includes(name))
  return Object.fromEntries(rest.map(([name, inside]) => [name, unmarked(inside)]))
}

test('§4.4 annotate: a document is marked when it was changed, and without its marks it is what it was', async () => {
  if (!story) throw new Error('There is no such type.')
  await fc.assert(
    fc.asyncProperty(content, content, async (older, newer) => {
      const sides = structuredClone({ older, newer }) as unknown as { older: JsonObject; newer: JsonObject }
      const contents = [sides.older, sides.newer].map((fields) => ({ type: story, fields: structuredClone(fields) }))
      const [before = { type: story, fields: {} }, after = before] = contents
      const changes = finish(compareContents(site, before, after))
      await annotate(site, sides, changes, () => 'assisted')
      const { newer: doc } = sides
      expect(unmarked(doc)).toEqual(newer)
      expect(MARKS.some((mark) => JSON.stringify(doc).includes(`"${mark}"`))).toBe(changes.length > 0)
      const idsOf = (value: unknown) => (value as { items: { _id: string; type: string }[] }).items
      const rendered = older.body.items.filter(({ type }) => type !== 'silent')
      expect(idsOf(doc.body).map(({ _id, type }) => `${_id} ${type}`)).toEqual(
        expect.arrayContaining(rendered.map(({ _id, type }) => `${_id} ${type}`)),
      )
    }),
    fuzzing(200),
  )
})
