import type { JsonSchema } from '../../base/json.ts'
import { boolean, dateTime, dateTimeOrNull, integer, list, object, oneOf, text, texts } from '../../base/json-schema.ts'

// Documents as lists of many show them (§4.1): thin.

const one = (description: string): JsonSchema => ({ const: true, description })

/** The properties of a document of any type. */
export const thinPropertySchemas: Readonly<Record<string, JsonSchema>> = {
  _id: text('The copy.'),
  aposDocId: text('The document.'),
  aposLocale: text('Locale and mode.'),
  aposMode: oneOf(['draft', 'published'], 'Draft or published copy.'),
  type: text('The name of its type.'),
  metaType: { type: 'string', const: 'doc', description: 'What it is.' },
  title: text('Its title.'),
  slug: text('Its slug.'),
  _url: text('Its public URL, where it has one.'),
  _path: list(
    object(['_id'], { _id: text('The page.'), title: text('Its title.') }),
    'Of a page: its ancestors, from the home page on.',
  ),
  state: {
    enum: ['draft', 'modified', 'published', 'archived'],
    description: 'How far it is on its way to the public.',
  },
  modified: boolean('Of a draft: whether it differs from what is published.'),
  archived: boolean('Whether it is archived.'),
  updatedAt: dateTime('When it was last saved.'),
  updatedBy: { type: 'object', description: 'Who saved it last.' },
  lastPublishedAt: dateTimeOrNull('When it was last published.'),
  _thumbnail: text('Of an image: the URL of its smallest size.'),
  _create: one('The caller may create such documents.'),
  _edit: one('The caller may edit it.'),
  _publish: one('The caller may publish it.'),
  _delete: one('The caller may delete it.'),
}

const required = ['_id', 'aposDocId', 'type', 'state']

/** The answer: the slug that the service would save (§2.12). */
export const proposedSlug = object(['slug', 'isTaken', 'suggestion', 'carried'], {
  slug: text('The slug as it would be stored.'),
  isTaken: boolean('Whether another document has it.'),
  suggestion: text('The slug itself, or the first one with a number that is free.'),
  carried: integer('How many pages below would follow.'),
})

/** The properties of a body that proposes a slug. */
export const slugQuestion = {
  title: text('Make a slug of this title.'),
  slug: text('Or take this one.'),
  _id: text('The document that is edited; left out for a new one.'),
} as const

/** A document of any type. */
export const thinSchema = object(required, thinPropertySchemas)

/** A page, with its place in the tree. */
export const thinPageSchema = object([...required, '_childCount'], {
  ...thinPropertySchemas,
  path: text('The ids from the home page down to it.'),
  level: integer('How far it is below the home page.'),
  rank: integer('Its place among its siblings.'),
  orphan: boolean('Whether navigation leaves it out.'),
  parkedId: text('The name of a built-in page.'),
  parked: texts('The fields of a built-in page that are fixed.'),
  _childCount: integer('How many children it has that the caller may see.'),
})

/** The schema of a page of such a list. `more` are further properties. */
export function thinListOf(item: JsonSchema, more: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
  return object(['results', 'total', 'pages', 'currentPage'], {
    results: list(item, 'The documents of this page.'),
    total: integer('How many there are.'),
    pages: integer('How many pages there are.'),
    currentPage: { ...integer('Which page this is.'), minimum: 1 },
    ...more,
  })
}
