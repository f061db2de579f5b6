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
  onlyTrue,
  text,
  textOrNull,
  texts,
} from '../../base/json-schema.ts'

const VERSION = {
  _id: text('The id of the version.'),
  createdAt: dateTime('When it was recorded.'),
  updatedAt: dateTime('When an autosave updated it last.'),
  mode: oneOf(['draft', 'published'], 'The copy that was saved.'),
  locale: textOrNull('Null for documents without locales.'),
  author: text('The name of the author, as it was then.'),
  authorId: textOrNull('The user or the key; null for the service itself.'),
  ai: boolean('Whether it was saved with AI.'),
  restoredFrom: text('The version that was restored by it.'),
  changeCount: integer('How many changes there are, of those that the caller may see.'),
  versionIds: texts('Consolidated items only: the versions that it stands for, newest first.'),
  live: boolean('Only true: the draft holds now what this version holds.'),
  label: text('A name that somebody gave it.'),
  data: { type: 'object', description: 'What the hook beforeVersion added.' },
  proposal: describedObject(
    'Only where a proposal was accepted: the author of the version is who accepted it.',
    ['_id', 'author', 'authorId'],
    {
      _id: text('Of the proposal.'),
      author: text('The name of the person who made it, as it was then.'),
      authorId: text('The user or the key that made it.'),
    },
  ),
}

const required = ['_id', 'createdAt', 'mode', 'locale', 'author', 'authorId', 'ai', 'changeCount']
const next = dateTimeOrNull('The value of `before` for the following page; null on the last one.')

/** A version as lists have it. */
export const versionRecord = object(required, VERSION)

/** A page of the versions of a document. */
export const versionList = object(['results', 'next', 'total'], {
  results: list(versionRecord, 'Ten, or more where a run would be split.'),
  next,
  total: integer('How many versions match.'),
})

/** A version with its document. */
export const versionWithDocument = object([...required, 'doc'], {
  ...VERSION,
  doc: {
    type: 'object',
    description:
      'The document as of this version. With `annotate`, its widgets may have `_inserted`, `_deleted`, `_modified`, `_moved`, `_olderVersion` and `_changedWithAi`, and words of rich text are in `ins` and `del`.',
    properties: {
      _modified: onlyTrue('With `annotate`: widgets that are not shown were deleted.'),
      _changes: {
        type: 'object',
        additionalProperties: { type: 'string', enum: ['added', 'modified', 'deleted'] },
        description: 'With `annotate`: the fields outside areas that were changed. Objects and items have it, too.',
      },
    },
  },
})

/** Names a version. */
export const labelBody = object(['label'], { label: { ...textOrNull('Null takes it away.'), maxLength: 200 } })

/** A page of the newest versions of all documents. */
export const recentVersions = object(['results', 'next'], {
  results: list(
    object([...required, 'docId', 'type'], {
      ...VERSION,
      docId: text('The _id of the document, in the mode that was saved.'),
      type: text('The type of the document.'),
      title: text('The title that its draft has now.'),
    }),
    'Ten, or more where they were recorded in one millisecond.',
  ),
  next,
})

/** The documents in which AI has written. */
export const aiMarkList: JsonSchema = object(['results'], {
  results: list(
    object(['aposDocId', 'ai'], {
      aposDocId: text('The document.'),
      ai: oneOf(['changed', 'assisted'], '`changed`: AI has saved it last; `assisted`: a person has, after AI.'),
    }),
    'Documents in which AI has not written are left out, and those that the caller may not edit.',
  ),
})
