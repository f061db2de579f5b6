import { z } from 'zod'
import type { JsonObject } from '../../base/json.ts'
import { diffItems } from '../field-type/diff-items.ts'
import type { FieldType } from '../field-type/field-type.ts'
import { amountBounds, checkBounds, declaredFields, NO_FIELDS } from '../field-type/options.ts'
import { checkCount, isBlank } from '../field-type/outside.ts'
import type { TextNames } from '../field-type/value-terms.ts'
import { holderSchema } from '../values/holder-schema.ts'
import { textOf, textOfAll } from '../values/walk.ts'
import { countSchema, itemInputs, itemProperties } from './items.ts'

const options = z
  .strictObject({
    ...amountBounds,
    fields: declaredFields,
    /** The field that names an item. */
    titleField: z.string().optional(),
    inline: z.boolean().optional(),
  })
  .transform((given) => ({ ...given, children: NO_FIELDS }))

type ArrayOptions = z.infer<typeof options>

/** A list of items, each with the same fields. */
export const array: FieldType<ArrayOptions, JsonObject[]> = {
  name: 'array',
  hasNoPlaceholder: true,
  countsItems: true,
  options,
  blank: () => [],
  read(input, options, reading, before) {
    const list = Array.isArray(input) ? input : []
    if (list !== input && !isBlank(input)) reading.problem('This must be a list.')
    checkCount(list.length, options, reading, before?.length)
    return itemInputs(list, before ?? [], reading).map(({ id, step, values, before }) => ({
      _id: id,
      metaType: 'arrayItem',
      ...reading.holder(options.children, values, step, before ?? reading.storedElsewhere(id, options.children)),
    }))
  },
  toText: (value, options, names) =>
    value.map((item, index) => titleOf(item, options, names) || `#${index + 1}`).join(', '),
  jsonSchema: ({ children, min, max }, use) => ({
    type: 'array',
    ...countSchema(min, max, use),
    items: holderSchema(children, use, itemProperties('arrayItem', use)),
  }),
  check(options, report) {
    checkBounds(options, report)
    const { titleField, fields } = options
    if (titleField !== undefined && !Object.hasOwn(fields.add, titleField)) {
      report('titleField', `${titleField} is not one of the fields`)
    }
  },
  compile: (options, compiler) => ({ ...options, children: compiler.fields(options.fields, 'fields') }),
  innerFields: ({ children }) => children,
  diff: (older, newer, { children, titleField }) =>
    diffItems({
      kind: 'array',
      older: older ?? [],
      newer: newer ?? [],
      part: (holder, ordinal) => ({
        segment: { of: 'item', name: String(holder._id), ordinal, titleField },
        holder,
        fields: children,
      }),
      isSame: () => true,
    }),
  children: (value, { children }) => value.map((item) => ({ step: String(item._id), values: item, fields: children })),
}

/** The text of the field that names an item: `titleField`, else `title`, else all of its fields. */
function titleOf(item: JsonObject, { titleField = 'title', children }: ArrayOptions, names?: TextNames): string {
  const field = children.byName.get(titleField)
  return field ? textOf(field, item, names) : textOfAll(children, item, names)
}
