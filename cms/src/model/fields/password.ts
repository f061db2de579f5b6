import { z } from 'zod'
import { lengthOf } from '../../base/text.ts'
import type { FieldType } from '../field-type/field-type.ts'
import { amountBounds, checkBounds } from '../field-type/options.ts'
import { checkText } from '../field-type/outside.ts'

const options = z.strictObject(amountBounds)

const SHORTEST = 8
const LONGEST = 1000
const HASH = /^\$argon2id\$|^\$?scrypt[$:]/

/** A password: hashed before it is stored, never sent. Surrounding space is part of it. */
export const password: FieldType<z.infer<typeof options>, string> = {
  name: 'password',
  options,
  blank: () => null,
  read(input, { min = SHORTEST, max }, reading, before) {
    if (input === null || input === '' || input === before) return before ?? null
    if (typeof input !== 'string') reading.problem('This must be text.')
    else if (HASH.test(input)) reading.problem('This is how stored passwords begin. Choose another one.')
    else if (lengthOf(input) < min) reading.problem(`Use at least ${min} characters.`, 'min')
    else return checkText(input, Math.min(max ?? LONGEST, LONGEST), reading)
    return null
  },
  toText: () => '',
  jsonSchema: () => ({ type: ['string', 'null'], writeOnly: true }),
  check: ({ min = SHORTEST, max = LONGEST }, report) => checkBounds({ min, max }, report),
  secret: 'hashed',
}
