import type { JsonSchema } from '../../base/json.ts'
import { STATUS_OF } from '../requests/failure-status.ts'
import { AUTHOR } from './document-properties.ts'

/** Only ever true: it is left out otherwise. */
const onlyTrue = (description: string): JsonSchema => ({ type: 'boolean', const: true, description })

const PROBLEM: JsonSchema = {
  type: 'object',
  required: ['path', 'name', 'message'],
  properties: {
    path: { type: 'string', description: 'The field, dotted from the top; items by `_id`, or by index without one.' },
    name: {
      type: 'string',
      enum: ['required', 'invalid', 'min', 'max', 'unique', 'unknown'],
      description: 'The kind.',
    },
    message: { type: 'string', description: 'What is wrong with it.' },
  },
}

const PAGE: JsonSchema = {
  type: 'object',
  required: ['_id', 'aposDocId', 'aposLocale', 'title', 'type'],
  properties: {
    _id: { type: 'string', description: 'The draft of the page.' },
    aposDocId: { type: 'string', description: 'Its id without locale and mode.' },
    aposLocale: { type: 'string', description: 'Locale and mode.', examples: ['fr:draft'] },
    title: { type: 'string', description: 'Its title.' },
    type: { type: 'string', description: 'Its type.' },
  },
}

/** The body of every failure (§0.2). A site may add to `data`. */
export const ERROR: JsonSchema = {
  type: 'object',
  description: 'What went wrong.',
  required: ['name', 'message', 'data'],
  properties: {
    name: { type: 'string', enum: Object.keys(STATUS_OF), description: 'What kind of failure it is.' },
    message: { type: 'string', description: 'One or two plain sentences.' },
    data: {
      type: 'object',
      description: 'What else is known.',
      properties: {
        errors: { type: 'array', items: PROBLEM, description: 'With 400 and 409: one for each wrong or taken value.' },
        requestId: { type: 'string', description: 'With 500 and 503: finds the failure in the log.' },
        mayBeStored: onlyTrue(
          'With 503: the database did not confirm the change, which may have been stored. Read the present state before you send it again, or send it again with its `Idempotency-Key`.',
        ),
        etag: { type: 'string', description: 'With 409, after a stale `If-Match`: the present ETag.' },
        updatedAt: { type: 'string', format: 'date-time', description: 'Likewise: when the document was last saved.' },
        updatedBy: AUTHOR,
        unpublishedAncestors: {
          type: 'array',
          items: PAGE,
          description: 'With 400: the pages to publish before this one.',
        },
        parentNotLocalized: onlyTrue('With 400: the parent page is not in that locale yet.'),
        retryAfter: { type: 'integer', minimum: 0, description: 'With 429: seconds to wait, as `Retry-After` says.' },
      },
    },
  },
}
