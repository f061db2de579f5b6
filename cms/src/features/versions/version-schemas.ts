import type { JsonSchema } from '../../base/json.ts'

const text = (description: string): JsonSchema => ({ type: 'string', description })
const orNull = (description: string): JsonSchema => ({ type: ['string', 'null'], description })
const date = (description: string): JsonSchema => ({ type: 'string', format: 'date-time', description })

const VERSION = {
  _id: text('The id of the version.'),
  createdAt: date('When it was recorded.'),
  updatedAt: date('When an autosave updated it last.'),
  mode: { type: 'string', enum: ['draft', 'published'], description: 'The copy that was saved.' },
  locale: orNull('Null for documents without locales.'),
  author: text('The name of the author, as it was then.'),
  authorId: orNull('The user or the key; null for the service itself.'),
  ai: { type: 'boolean', description: 'Whether it was saved with AI.' },
  restoredFrom: text('The version that was restored by it.'),
  changeCount: {
    type: 'integer',
    minimum: 0,
    description: 'How many changes there are, of those that the caller may see.',
  },
  versionIds: {
    type: 'array',
    items: { type: 'string' },
    description: 'Consolidated items only: the versions that it stands for, newest first.',
  },
  live: { type: 'boolean', description: 'Only true: the draft holds now what this version holds.' },
  label: text('A name that somebody gave it.'),
  data: { type: 'object', description: 'What the hook beforeVersion added.' },
  proposal: {
    type: 'object',
    required: ['_id', 'author', 'authorId'],
    properties: {
      _id: text('Of the proposal.'),
      author: text('The name of the person who made it, as it was then.'),
      authorId: text('The user or the key that made it.'),
    },
    description: 'Only where a proposal was accepted: the author of the version is who accepted it.',
  },
} satisfies { readonly [name: string]: JsonSchema }

const required = ['_id', 'createdAt', 'mode', 'locale', 'author', 'authorId', 'ai', 'changeCount']
const next = {
  type: ['string', 'null'],
  format: 'date-time',
  description: 'The value of `before` for the following page; null on the last one.',
}

/** A version as lists have it. */
export const versionRecord: JsonSchema = { type: 'object', required, properties: VERSION }

/** A page of the versions of a document. */
export const versionList: JsonSchema = {
  type: 'object',
  required: ['results', 'next', 'total'],
  properties: {
    results: { type: 'array', items: versionRecord, description: 'Ten, or more where a run would be split.' },
    next,
    total: { type: 'integer', minimum: 0, description: 'How many versions match.' },
  },
}

/** A version with its document. */
export const versionWithDocument: JsonSchema = {
  type: 'object',
  required: [...required, 'doc'],
  properties: {
    ...VERSION,
    doc: {
      type: 'object',
      description:
        'The document as of this version. With `annotate`, its widgets may have `_inserted`, `_deleted`, `_modified`, `_moved`, `_olderVersion` and `_changedWithAi`, and words of rich text are in `ins` and `del`.',
      properties: {
        _modified: {
          type: 'boolean',
          const: true,
          description: 'With `annotate`: widgets that are not shown were deleted.',
        },
        _changes: {
          type: 'object',
          additionalProperties: { type: 'string', enum: ['added', 'modified', 'deleted'] },
          description: 'With `annotate`: the fields outside areas that were changed. Objects and items have it, too.',
        },
      },
    },
  },
}

/** Names a version. */
export const labelBody: JsonSchema = {
  type: 'object',
  required: ['label'],
  properties: { label: { type: ['string', 'null'], maxLength: 200, description: 'Null takes it away.' } },
}

/** A page of the newest versions of all documents. */
export const recentVersions: JsonSchema = {
  type: 'object',
  required: ['results', 'next'],
  properties: {
    results: {
      type: 'array',
      items: {
        type: 'object',
        required: [...required, 'docId', 'type'],
        properties: {
          ...VERSION,
          docId: text('The _id of the document, in the mode that was saved.'),
          type: text('The type of the document.'),
          title: text('The title that its draft has now.'),
        },
      },
      description: 'Ten, or more where they were recorded in one millisecond.',
    },
    next,
  },
}

/** The documents in which AI has written. */
export const aiMarkList: JsonSchema = {
  type: 'object',
  required: ['results'],
  properties: {
    results: {
      type: 'array',
      items: {
        type: 'object',
        required: ['aposDocId', 'ai'],
        properties: {
          aposDocId: text('The document.'),
          ai: {
            type: 'string',
            enum: ['changed', 'assisted'],
            description: '`changed`: AI has saved it last; `assisted`: a person has, after AI.',
          },
        },
      },
      description: 'Documents in which AI has not written are left out, and those that the caller may not edit.',
    },
  },
}
