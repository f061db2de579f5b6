import { finish } from 'quire-diff'
import { z } from 'zod'
import type { JsonObject } from '../src/base/json.ts'
import { compareContents } from '../src/model/changes/compare-contents.ts'
import type { Change, ChangeRow } from '../src/model/changes/content-change.ts'
import type { Names } from '../src/model/changes/format-change-row.ts'
import { compareByWords, comparedTexts, rowOf } from '../src/model/changes/row-of.ts'
import { compileSite, defineSite } from '../src/model/compile/site.ts'
import { type ContentType, defineFieldType, piece, widget } from '../src/model/declared/content-type.ts'
import type { Type } from '../src/model/declared/types.ts'

/** A field type that describes its own differences. */
export const route = defineFieldType<object, { from: string; to: string }>({
  name: 'route',
  options: z.strictObject({}),
  blank: () => null,
  read: (input) => input as { from: string; to: string } | null,
  toText: ({ from, to }) => `${from} – ${to}`,
  jsonSchema: () => ({}),
  *diff(older, newer) {
    for (const name of ['from', 'to'] as const) {
      const below = [{ name, label: name }]
      yield { of: 'value', below, old: older?.[name] ?? null, new: newer?.[name] ?? null }
    }
  },
})

const choices = [
  { value: 'news', label: 'News' },
  { value: 'essay', label: 'Essay' },
]
/** The fields of the type as declared. */
export const fields = {
  lead: { type: 'string' },
  kicker: { type: 'slug' },
  count: { type: 'integer', label: 'How many' },
  weight: { type: 'float', unit: ' kg' },
  warmth: { type: 'range', min: 0, max: 100, unit: '%' },
  hot: { type: 'boolean' },
  section: { type: 'select', choices },
  mood: { type: 'radio', choices },
  tags: { type: 'checkboxes', choices },
  tint: { type: 'color' },
  padding: { type: 'box', unit: 'px' },
  day: { type: 'date' },
  hour: { type: 'time' },
  moment: { type: 'dateAndTime' },
  link: { type: 'url' },
  mail: { type: 'email' },
  word: { type: 'password' },
  file: { type: 'attachment' },
  film: { type: 'oembed' },
  seo: { type: 'object', fields: { add: { about: { type: 'string' }, hidden: { type: 'boolean' } } } },
  steps: {
    type: 'array',
    titleField: 'name',
    fields: { add: { name: { type: 'string' }, title: { type: 'string' }, note: { type: 'string' } } },
  },
  plain: { type: 'array', fields: { add: { _by: { type: 'relationship', withType: 'person' } } }, titleField: '_by' },
  body: { type: 'area', widgets: { '@cms/rich-text': {}, '@cms/image': {}, quote: {}, panel: {} } },
  aside: { type: 'area', widgets: { quote: {} } },
  _people: { type: 'relationship', withType: 'person', fields: { add: { role: { type: 'string' } } } },
  _pictures: { type: 'relationship', withType: '@cms/image' },
  _stories: { type: 'relationshipReverse', withType: 'person', reverseOf: '_favourites' },
  trip: { type: 'route' },
}

/** A site with a type that has a field of every type. */
export const site = compileSite(
  defineSite({
    fieldTypes: [route],
    // `as`: the fields are used twice, and so were not typed where they are declared.
    types: [
      piece('person', { fields: { add: { _favourites: { type: 'relationship', withType: 'story' } } } }),
      piece('story', { fields: { add: fields } } as object),
    ] as unknown as ContentType[],
    widgets: [
      widget('quote', {
        titleField: 'words',
        fields: { add: { words: { type: 'string' }, by: { type: 'string' } } },
      }),
      widget('panel', {
        titleField: 'inside',
        fields: { add: { inside: { type: 'area', widgets: { quote: {} } } } },
      }),
      widget('old', { label: 'Out of use', fields: { add: { words: { type: 'string' } } } }),
    ],
  }),
)
// `as`: it is declared above.
/** The type with all fields. */
export const story = site.types.get('story') as Type

/** Titles, URLs and names of files that say what they are of; `gone` may not be seen. */
export const names: Names = {
  documentTitle: (id) => (id === 'gone' ? 'Not available' : `Title of ${id}`),
  documentUrl: (id) => `/${id}`,
  fileName: (id) => (id === 'gone' ? null : `${id}.pdf`),
  image: (id) => (id === 'gone' ? null : { text: `Title of ${id}`, href: `/${id}.one-third.jpg` }),
  imageType: '@cms/image',
}

/** What has changed between two contents of the type. */
export function changes(older: JsonObject, newer: JsonObject) {
  return finish(compareContents(site, { type: story, fields: older }, { type: story, fields: newer }))
}

/** The same as rows. */
export function rows(older: JsonObject, newer: JsonObject) {
  return changes(older, newer).map((change) => changeRow(change, names))
}

/** A change as a row, with its texts compared by words. */
export function changeRow(change: Change, names: Names): ChangeRow {
  const texts = comparedTexts(change, names)
  return rowOf(change, names, false, texts && finish(compareByWords(texts)))
}
