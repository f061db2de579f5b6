import type { JsonSchema } from '../../base/json.ts'
import {
  boolean,
  dateTime,
  dateTimeOrNull,
  describedObject,
  integer,
  list,
  object,
  oneOf,
  refTo,
  text,
  texts,
} from '../../base/json-schema.ts'
import { localeRef } from '../requests/read-parameters.ts'
import { problemsSchema, unpublishedPageSchema } from './problem-schemas.ts'

/** A document of a type as answers show it. */
export function documentRef(typeName: string): JsonSchema {
  return refTo(schemaName(typeName))
}

/** A document of a type, perhaps narrowed by `project`: only ids and type are always there. */
export function projectedRef(typeName: string): JsonSchema {
  return refTo(`${schemaName(typeName)}.projected`)
}

/** A document of a type with its areas as HTML (`render-areas`), from reads or writes. */
export function renderedRef(typeName: string): JsonSchema {
  return refTo(`${schemaName(typeName)}.rendered`)
}

/** The body of a whole document of a type. */
export function documentInputRef(typeName: string): JsonSchema {
  return refTo(`${schemaName(typeName)}.input`)
}

/** The body of a PATCH of a document of a type. */
export function documentPatchRef(typeName: string): JsonSchema {
  return refTo(`${schemaName(typeName)}.patch`)
}

/** A page of a list (§4.1). */
export function listOf(item: JsonSchema): JsonSchema {
  const byFilter = (required: readonly string[], description: string): JsonSchema => ({
    type: 'object',
    additionalProperties: { type: 'array', items: object(required, CHOICE) },
    description,
  })
  return object(['pages', 'currentPage', 'results', 'total'], {
    pages: integer('How many pages there are.'),
    currentPage: { ...integer('Which page this is.'), minimum: 1 },
    results: list(item, 'The documents of this page.'),
    total: integer('How many documents match.'),
    choices: byFilter(['value'], 'By filter, on request: the values in use.'),
    counts: byFilter(['value', 'count'], 'By filter, on request: the values in use, and how many documents have each.'),
  })
}

/** The answer of bulk operations: each document on its own (§4.1). */
export const bulkAnswer = object(['results'], {
  results: list(
    object(['_id', 'ok'], {
      _id: text('The document.'),
      toLocale: text('Localizing only: the locale to copy it to.'),
      ok: boolean('Whether it was changed.'),
      error: refTo('Error'),
    }),
    'One for each document, and for each locale that it is localized to.',
  ),
})

/** The locales that a document is in (§4.5). */
export const localesAnswer = object(['results', 'missing'], {
  results: list(
    object(['_id'], {
      _id: text('The document in that locale.'),
      aposLocale: { ...text('Locale and mode.'), examples: ['fr:draft'] },
      aposMode: oneOf(['draft', 'published'], 'Draft or published copy.'),
      title: text('Its title there.'),
      archived: boolean('Whether it is archived there.'),
      updatedAt: dateTime('When it was last saved there.'),
      lastPublishedAt: dateTimeOrNull('When it was last published there.'),
      isOutdated: boolean('Whether the document that was asked for was published after this one was last saved.'),
    }),
    'One for each locale that the document is in, in the order of the site.',
  ),
  missing: texts('The locales that the document is not in.'),
})

/** The body of `localize` (§3.4). */
export const localizeBody = {
  type: 'object',
  required: ['toLocale'],
  properties: {
    toLocale: { ...localeRef, description: 'The locale to copy the draft to.' },
    update: boolean('Overwrite the draft that is there.'),
    publish: boolean('Publish it there too.'),
    related: {
      type: ['boolean', 'array'],
      items: { type: 'string' },
      description: 'Which related documents come along where they are missing: all, none, or those of these types.',
    },
  },
} as const

/** The body of `localize` for a page (§3.4). */
export const localizePageBody = {
  ...localizeBody,
  properties: {
    ...localizeBody.properties,
    subtree: boolean(
      'Copy everything below the page too. Pages that are there already stay as they are without update.',
    ),
  },
} as const

/** The body of `publish` (§3.3). */
export const publishBody: JsonSchema = {
  type: 'object',
  properties: {
    check: boolean('Only report what would happen; for all who may edit the draft.'),
    alsoPublish: texts('Pieces to publish together with it, by _id or aposDocId.'),
  },
}

/** The answer of `publish`: the published document, or what `check` has found. */
export function publishAnswer(typeName: string): JsonSchema {
  return { oneOf: [projectedRef(typeName), publishingCheck] }
}

const DRAFT = {
  _id: text('The draft.'),
  type: text('Its type.'),
  title: text('Its title; empty where the caller may not see it.'),
}

const publishingCheck = describedObject(
  'With `check`.',
  ['ok', 'problems', 'unpublishedAncestors', 'unpublishedRelated', 'alsoPublished', 'changes'],
  {
    ok: boolean('Whether it can be published.'),
    problems: { ...problemsSchema, description: 'What the draft lacks.' },
    unpublishedAncestors: list(unpublishedPageSchema, 'The pages to publish before this one.'),
    unpublishedRelated: list(
      object(['_id', 'type', 'title'], DRAFT),
      'The drafts that it relates to and that are not published.',
    ),
    alsoPublished: list(
      object(['_id', 'type', 'title', 'problems'], {
        ...DRAFT,
        problems: { ...problemsSchema, description: 'What it lacks.' },
      }),
      'The drafts of alsoPublish.',
    ),
    changes: integer('How many changes it would bring to the published copy.'),
  },
)

/** The answer `{}`, of a DELETE for example. */
export const emptyAnswer: JsonSchema = { type: 'object', maxProperties: 0 }

/** `@cms/image` → `cms.image`: component names allow no other characters. */
export function schemaName(typeName: string): string {
  return typeName.replace(/^@/, '').replace(/[^\w.-]/g, '.')
}

const CHOICE = {
  value: { type: ['string', 'number', 'boolean', 'null'], description: 'What to filter by.' },
  label: text('Its name for people.'),
  type: text('Of a related document, where the filter finds several: its type.'),
  count: integer('How many documents have it.'),
}
