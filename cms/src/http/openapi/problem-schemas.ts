import type { JsonSchema } from '../../base/json.ts'

/** The schema of a problem of one field (§0.2), also as a component of the document. */
export const problemSchema: JsonSchema = {
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

/** A list of the component. */
export const problemsSchema = { type: 'array', items: { $ref: '#/components/schemas/Problem' } } as const

/** A page that has to be published before another one. */
export const unpublishedPageSchema: JsonSchema = {
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
