import type { FieldType } from '../field-type/field-type.ts'
import { string } from '../fields/string.ts'
import { LONGEST_VALUE, valueMistake } from './css-safety.ts'

const { translated: _translated, searchText: _searchText, ...plain } = string as FieldType

/**
 * The field type `string` of style fields: a text that is a CSS value (§4.7), checked wherever values are read. It is
 * neither searched nor translated.
 */
export const cssString: FieldType = {
  ...plain,
  jsonSchema: (options, use) => ({ ...string.jsonSchema(options as never, use), maxLength: LONGEST_VALUE }),
  read(input, options, reading, before) {
    const text = string.read(input, options as never, reading, typeof before === 'string' ? before : null)
    const mistake = text === null || text === '' ? null : valueMistake(text)
    if (mistake !== null) reading.problem(`This is not a CSS value: it ${mistake}.`)
    return mistake === null ? text : ''
  },
}
