import { z } from 'zod'
import { isObject, type JsonObject } from '../../base/json.ts'
import type { Fields, FieldType, Part } from '../field-type/field-type.ts'
import { declaredFields, NO_FIELDS } from '../field-type/options.ts'
import { isBlank, isNothing } from '../field-type/outside.ts'
import { holderSchema } from '../values/holder-schema.ts'
import { blankFields } from '../values/schema.ts'
import { textOfAll } from '../values/walk.ts'
import { itemProperties, readItemId } from './items.ts'

const options = z.strictObject({ fields: declaredFields }).transform((given) => ({ ...given, children: NO_FIELDS }))

/** Several fields as one value. */
export const object: FieldType<z.infer<typeof options>, JsonObject> = {
  name: 'object',
  hasNoPlaceholder: true,
  style: 'parts',
  options,
  blank: ({ children }, newId) => ({ _id: newId(), metaType: 'object', ...blankFields(children, newId) }),
  read(input, { children }, reading, before) {
    const given = isObject(input) ? input : {}
    if (given !== input && !isBlank(input)) reading.problem('This must be an object.')
    const id = readItemId(given, before, reading)
    return { _id: id, metaType: 'object', ...reading.holder(children, given, '', before) }
  },
  toText: (value, { children }, names) => textOfAll(children, value, names),
  jsonSchema: ({ children }, use) => holderSchema(children, use, itemProperties('object', use)),
  compile: (options, compiler) => ({ ...options, children: compiler.fields(options.fields, 'fields') }),
  innerFields: ({ children }) => children,
  children: (value, { children }) => [{ step: '', values: value, fields: children }],
  diff: (older, newer, { children }) => [
    { of: 'part', kind: 'object', older: partOf(older, children), newer: partOf(newer, children) },
  ],
  isEmpty: isNothing,
}

function partOf(holder: JsonObject | null, fields: Fields): Part | null {
  return holder && { segment: null, holder, fields }
}
