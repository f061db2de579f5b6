import { z } from 'zod'
import { foldText, lengthOf } from '../../base/text.ts'
import type { FieldType } from '../field-type/field-type.ts'
import { amountBounds, checkBounds, withoutLimits } from '../field-type/options.ts'
import { readText } from '../field-type/outside.ts'

const options = z.strictObject(amountBounds)

const LONGEST_URL = 2000

/** An address: http, https, mailto, tel, or relative. */
export const url: FieldType<z.infer<typeof options>, string> = {
  name: 'url',
  options,
  blank: () => null,
  read(input, { min, max }, reading) {
    const text = readText(input, Math.min(max ?? LONGEST_URL, LONGEST_URL), reading)
    if (text === null) return null
    if (!isUrl(text)) reading.problem('This is not a URL. Use http, https, mailto, tel, or a path such as /about.')
    else if (min !== undefined && lengthOf(text) < min) reading.problem(`Use at least ${min} characters.`, 'min')
    else return text
    return null
  },
  toText: (value) => value,
  jsonSchema: () => ({ type: ['string', 'null'], format: 'iri-reference', maxLength: LONGEST_URL }),
  check: checkBounds,
  scalar: () => 'text',
  unlimited: withoutLimits,
  index: (value) => [{ text: foldText(value), number: null }],
}

const CHARACTERS_IN_NO_URL =
  /[\p{Cc}\p{Z}\p{Zl}\p{Zp}\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffd\\<>"`^{|}]/u

/** True for what a URL field takes; nothing that a browser could run. */
export function isUrl(text: string): boolean {
  if (CHARACTERS_IN_NO_URL.test(text)) return false
  const scheme = /^[^/?#]*?:/.exec(text)?.[0].toLowerCase()
  if (scheme === undefined) return URL.canParse(text, 'https://site.invalid/')
  if (scheme === 'http:' || scheme === 'https:') return /^https?:\/\/[^/?#]/i.test(text) && URL.canParse(text)
  if (scheme === 'mailto:') return /^mailto:[^?#]*@[^?#]+|^mailto:\?./i.test(text)
  return scheme === 'tel:' && /^tel:\+?[\d().;=\-*#a-z%]+$/i.test(text)
}
