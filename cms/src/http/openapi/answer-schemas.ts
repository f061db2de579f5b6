import type { JsonSchema } from '../../base/json.ts'
import { localeRef } from '../requests/read-parameters.ts'
import { problemsSchema, unpublishedPageSchema } from './problem-schemas.ts'

/** A document of a type as answers show it. */
export function documentRef(typeName: string): JsonSchema {
  return { $ref: `#/components/schemas/${schemaName(typeName)}` }
}

/** A document of a type, perhaps narrowed by `project`: only ids and type are always there. */
export function projectedRef(typeName: string): JsonSchema {
  return { $ref: `#/components/schemas/${schemaName(typeName)}.projected` }
}

/** A document of a type with its areas as HTML (`render-areas`), from reads or writes. */
export function renderedRef(typeName: string): JsonSchema {
  return { $ref: `#/components/schemas/${schemaName(typeName)}.rendered` }
}

/** The body of a whole document of a type. */
export function documentInputRef(typeName: string): JsonSchema {
  return { $ref: `#/components/schemas/${schemaName(typeName)}.input` }
}

/** The body of a PATCH of a document of a type. */
export function documentPatchRef(typeName: string): JsonSchema {
  return { $ref: `#/components/schemas/${schemaName(typeName)}.patch` }
}

/** A page of a list (§4.1). */
export function listOf(item: JsonSchema): JsonSchema {
  const whole = (description: string) => ({ type: 'integer', minimum: 0, description })
  return {
    type: 'object',
    required: ['pages', 'currentPage', 'results', 'total'],
    properties: {
      pages: whole('How many pages there are.'),
      currentPage: { ...whole('Which page this is.'), minimum: 1 },
      results: { type: 'array', items: item, description: 'The documents of this page.' },
      total: whole('How many documents match.'),
      choices: {
        type: 'object',
        additionalProperties: { type: 'array', items: CHOICE },
        description: 'By filter, on request: the values in use.',
      },
      counts: {
        type: 'object',
        additionalProperties: { type: 'array', items: { ...CHOICE, required: [...CHOICE.required, 'count'] } },
        description: 'By filter, on request: the values in use, and how many documents have each.',
      },
    },
  }
}

/** The answer of bulk operations: each document on its own (§4.1). */
export const bulkAnswer: JsonSchema = {
  type: 'object',
  required: ['results'],
  properties: {
    results: {
      type: 'array',
      description: 'One for each document, and for each locale that it is localized to.',
      items: {
        type: 'object',
        required: ['_id', 'ok'],
        properties: {
          _id: { type: 'string', description: 'The document.' },
          toLocale: { type: 'string', description: 'Localizing only: the locale to copy it to.' },
          ok: { type: 'boolean', description: 'Whether it was changed.' },
          error: { $ref: '#/components/schemas/Error' },
        },
      },
    },
  },
}

/** The locales that a document is in (§4.5). */
export const localesAnswer: JsonSchema = {
  type: 'object',
  required: ['results', 'missing'],
  properties: {
    results: {
      type: 'array',
      description: 'One for each locale that the document is in, in the order of the site.',
      items: {
        type: 'object',
        required: ['_id'],
        properties: {
          _id: { type: 'string', description: 'The document in that locale.' },
          aposLocale: { type: 'string', description: 'Locale and mode.', examples: ['fr:draft'] },
          aposMode: { type: 'string', enum: ['draft', 'published'], description: 'Draft or published copy.' },
          title: { type: 'string', description: 'Its title there.' },
          archived: { type: 'boolean', description: 'Whether it is archived there.' },
          updatedAt: { type: 'string', format: 'date-time', description: 'When it was last saved there.' },
          lastPublishedAt: {
            type: ['string', 'null'],
            format: 'date-time',
            description: 'When it was last published there.',
          },
          isOutdated: {
            type: 'boolean',
            description: 'Whether the document that was asked for was published after this one was last saved.',
          },
        },
      },
    },
    missing: { type: 'array', items: { type: 'string' }, description: 'The locales that the document is not in.' },
  },
}

/** The body of `localize` (§3.4). */
export const localizeBody = {
  type: 'object',
  required: ['toLocale'],
  properties: {
    toLocale: { ...localeRef, description: 'The locale to copy the draft to.' },
    update: { type: 'boolean', description: 'Overwrite the draft that is there.' },
    publish: { type: 'boolean', description: 'Publish it there too.' },
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
    subtree: {
      type: 'boolean',
      description: 'Copy everything below the page too. Pages that are there already stay as they are without update.',
    },
  },
} as const

/** The body of `publish` (§3.3). */
export const publishBody: JsonSchema = {
  type: 'object',
  properties: {
    check: { type: 'boolean', description: 'Only report what would happen; for all who may edit the draft.' },
    alsoPublish: {
      type: 'array',
      items: { type: 'string' },
      description: 'Pieces to publish together with it, by _id or aposDocId.',
    },
  },
}

/** The answer of `publish`: the published document, or what `check` has found. */
export function publishAnswer(typeName: string): JsonSchema {
  return { oneOf: [projectedRef(typeName), publishingCheck] }
}

const namedDraft = {
  type: 'object',
  required: ['_id', 'type', 'title'],
  properties: {
    _id: { type: 'string', description: 'The draft.' },
    type: { type: 'string', description: 'Its type.' },
    title: { type: 'string', description: 'Its title; empty where the caller may not see it.' },
  },
} as const

const publishingCheck: JsonSchema = {
  type: 'object',
  required: ['ok', 'problems', 'unpublishedAncestors', 'unpublishedRelated', 'alsoPublished', 'changes'],
  description: 'With `check`.',
  properties: {
    ok: { type: 'boolean', description: 'Whether it can be published.' },
    problems: { ...problemsSchema, description: 'What the draft lacks.' },
    unpublishedAncestors: {
      type: 'array',
      items: unpublishedPageSchema,
      description: 'The pages to publish before this one.',
    },
    unpublishedRelated: {
      type: 'array',
      description: 'The drafts that it relates to and that are not published.',
      items: namedDraft,
    },
    alsoPublished: {
      type: 'array',
      description: 'The drafts of alsoPublish.',
      items: {
        ...namedDraft,
        required: ['_id', 'type', 'title', 'problems'],
        properties: { ...namedDraft.properties, problems: { ...problemsSchema, description: 'What it lacks.' } },
      },
    },
    changes: { type: 'integer', minimum: 0, description: 'How many changes it would bring to the published copy.' },
  },
}

/** The answer `{}`, of a DELETE for example. */
export const emptyAnswer: JsonSchema = { type: 'object', maxProperties: 0 }

/** `@cms/image` → `cms.image`: component names allow no other characters. */
export function schemaName(typeName: string): string {
  return typeName.replace(/^@/, '').replace(/[^\w.-]/g, '.')
}

const CHOICE = {
  type: 'object',
  required: ['value'],
  properties: {
    value: { type: ['string', 'number', 'boolean', 'null'], description: 'What to filter by.' },
    label: { type: 'string', description: 'Its name for people.' },
    type: { type: 'string', description: 'Of a related document, where the filter finds several: its type.' },
    count: { type: 'integer', minimum: 0, description: 'How many documents have it.' },
  },
}
