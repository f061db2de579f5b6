import { readNumber } from '../field-type/outside.ts'
import { float } from './float.ts'

/** A whole number. */
export const integer: typeof float = {
  ...float,
  name: 'integer',
  read(input, bounds, reading) {
    const value = readNumber(input, bounds, reading)
    if (value === null || Number.isSafeInteger(value)) return value
    reading.problem('This must be a whole number.')
    return null
  },
  jsonSchema: (options, use) => ({ ...float.jsonSchema(options, use), type: ['integer', 'null'] }),
}
