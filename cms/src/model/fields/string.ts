import { z } from 'zod'
import { foldText, lengthOf } from '../../base/text.ts'
import type { FieldType } from '../field-type/field-type.ts'
import { amountBounds, checkBounds, withoutLimits } from '../field-type/options.ts'
import { readText } from '../field-type/outside.ts'

const options = z.strictObject({
  ...amountBounds,
  pattern: z
    .string()
    .transform(
      (source, issues) => compilePattern(source) ?? issues.addIssue('This is not a regular expression.') ?? z.NEVER,
    )
    .optional(),
  textarea: z.boolean().optional(),
})

/** Plain text. `min` and `max` are lengths in characters. */
export const string: FieldType<z.infer<typeof options>, string> = {
  name: 'string',
  style: 'text',
  options,
  blank: () => '',
  read(input, { min, max, pattern }, reading) {
    const text = readText(input, max, reading)
    if (text === null) return ''
    if (min !== undefined && lengthOf(text) < min) {
      reading.problem(`Use at least ${min} characters.`, 'min')
    } else if (pattern && !pattern.test(text)) {
      reading.problem(`This must match the pattern ${pattern.source}.`)
    }
    return text
  },
  toText: (value) => value,
  jsonSchema: ({ max, pattern }, { side }) => ({
    type: 'string',
    ...(side === 'body' && max !== undefined && { maxLength: max }),
    ...(side === 'body' && pattern && { pattern: `^$|(?:${pattern.source})` }),
  }),
  check: checkBounds,
  scalar: () => 'text',
  unlimited: withoutLimits,
  index: (value) => (value === '' ? [] : [{ text: foldText(value), number: null }]),
  searchText: (value) => value,
  translated: 'text',
}

function compilePattern(source: string): RegExp | null {
  try {
    return new RegExp(source, 'u')
  } catch {
    return null
  }
}
