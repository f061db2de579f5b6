import type { JsonSchema } from '../../base/json.ts'

/** A document of a type as answers show it. */
export function documentRef(typeName: string): JsonSchema {
  return { $ref: `#/components/schemas/${schemaName(typeName)}` }
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

/** What bulk operations answer: each document on its own (§4.1). */
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

/** What `localize` takes (§3.4). */
export const localizeBody = {
  type: 'object',
  required: ['toLocale'],
  properties: {
    toLocale: { type: 'string', description: 'The locale to copy the draft to.' },
    update: { type: 'boolean', description: 'Overwrite the draft that is there.' },
    publish: { type: 'boolean', description: 'Publish it there too.' },
    related: {
      type: ['boolean', 'array'],
      items: { type: 'string' },
      description: 'Which related documents come along where they are missing: all, none, or those of these types.',
    },
  },
} as const

/** What `localize` takes for a page (§3.4). */
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
    count: { type: 'integer', minimum: 0, description: 'How many documents have it.' },
  },
}
