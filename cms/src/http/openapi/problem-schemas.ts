import type { JsonSchema } from '../../base/json.ts'
import { object, oneOf, refTo, text } from '../../base/json-schema.ts'

/** The schema of a problem of one field (§0.2), also as a component of the document. */
export const problemSchema = object(['path', 'name', 'message'], {
  path: text('The field, dotted from the top; items by `_id`, or by index without one.'),
  name: oneOf(['required', 'invalid', 'min', 'max', 'unique', 'unknown'], 'The kind.'),
  message: text('What is wrong with it.'),
})

/** A list of the component. */
export const problemsSchema: JsonSchema = { type: 'array', items: refTo('Problem') }

/** A page that has to be published before another one. */
export const unpublishedPageSchema = object(['_id', 'aposDocId', 'aposLocale', 'title', 'type'], {
  _id: text('The draft of the page.'),
  aposDocId: text('Its id without locale and mode.'),
  aposLocale: { ...text('Locale and mode.'), examples: ['fr:draft'] },
  title: text('Its title.'),
  type: text('Its type.'),
})
