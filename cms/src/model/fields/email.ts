import { z } from 'zod'
import { foldText, lengthOf } from '../../base/text.ts'
import type { FieldType } from '../field-type/field-type.ts'
import { amountBounds, checkBounds, withoutLimits } from '../field-type/options.ts'
import { readText } from '../field-type/outside.ts'

const options = z.strictObject(amountBounds)

const LONGEST_EMAIL = 254
const EMAIL =
  /^[^\s\p{Cc}@<>()[\]\\,;:"]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*$/u

/** An e-mail address. */
export const email: FieldType<z.infer<typeof options>, string> = {
  name: 'email',
  options,
  blank: () => '',
  read(input, { min, max }, reading) {
    const text = readText(input, Math.min(max ?? LONGEST_EMAIL, LONGEST_EMAIL), reading)
    if (text === null) return ''
    if (!EMAIL.test(text) || /^\.|\.\.|\.@/.test(text)) reading.problem('This is not an email address.')
    else if (min !== undefined && lengthOf(text) < min) reading.problem(`Use at least ${min} characters.`, 'min')
    else return text
    return ''
  },
  toText: (value) => value,
  jsonSchema: (_options, { side }) => {
    const email = { type: 'string', format: 'idn-email', maxLength: LONGEST_EMAIL }
    // Without an address it is the empty text, which is not an address.
    return side === 'body'
      ? { ...email, type: ['string', 'null'] }
      : { anyOf: [email, { type: 'string', maxLength: 0 }] }
  },
  check: checkBounds,
  scalar: () => 'text',
  unlimited: withoutLimits,
  index: (value) => (value === '' ? [] : [{ text: foldText(value), number: null }]),
}
