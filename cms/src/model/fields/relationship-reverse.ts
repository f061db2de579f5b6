import { z } from 'zod'
import type { FieldType } from '../field-type/field-type.ts'
import { amount, relatedOptions, typeName } from '../field-type/options.ts'

const options = z.strictObject({
  ...relatedOptions,
  withType: typeName.transform((name) => [name]),
  /** The relationship of the other type that is followed back: `_topics`. */
  reverseOf: z.string().regex(/^_/, 'Name a relationship; its name begins with _.'),
  max: amount.optional(),
})

/**
 * The documents that refer to this one by a relationship. Nothing is stored: the list is computed when a document is
 * sent.
 */
export const relationshipReverse: FieldType<z.infer<typeof options>, null> = {
  name: 'relationshipReverse',
  hasNoPlaceholder: true,
  options,
  blank: () => null,
  read: () => null,
  toText: () => '',
  jsonSchema: () => ({
    type: 'array',
    readOnly: true,
    items: { type: 'object' },
  }),
  compile: (options, compiler) => ({ ...options, withType: compiler.typeNames(options.withType) }),
  property: {
    given: () => undefined,
    stored: () => null,
    store: () => ({}),
    names: () => [],
    jsonSchemas: () => ({}),
  },
  computed: true,
  relation: 'reverse',
}
