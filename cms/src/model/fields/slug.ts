import { z } from 'zod'
import { foldText, isSlugTooLong, lengthOf, PAGE_SLUG_LENGTH, SLUG_LENGTH, slugify } from '../../base/text.ts'
import type { FieldType } from '../field-type/field-type.ts'
import { amountBounds, checkBounds, withoutLimits } from '../field-type/options.ts'
import { readText } from '../field-type/outside.ts'

const options = z.strictObject({
  ...amountBounds,
  /** The fields that the editor suggests a slug from. */
  following: z.union([z.string(), z.array(z.string())]).optional(),
  /** A page's slug: begins with `/` and may hold more of them. */
  page: z.boolean().optional(),
})

const LENGTH = `Use at most ${SLUG_LENGTH} characters.`
const PAGE_LENGTH = `Use at most ${SLUG_LENGTH} characters between two slashes, and ${PAGE_SLUG_LENGTH} in all.`

/** A readable identifier for addresses (§2.12). */
export const slug: FieldType<z.infer<typeof options>, string> = {
  name: 'slug',
  options,
  blank: () => '',
  read(input, { min, max, page }, reading) {
    const text = readText(input, undefined, reading)
    if (text === null) return ''
    const allow = page ? { allow: '/' as const } : {}
    const given = page ? `/${text}` : text
    const slug = slugify(given, allow)
    if (slug === '') reading.problem('Use at least one letter or digit.')
    else if (isSlugTooLong(given, allow)) reading.problem(page ? PAGE_LENGTH : LENGTH, 'max')
    else if (min !== undefined && lengthOf(slug) < min) reading.problem(`Use at least ${min} characters.`, 'min')
    else if (max !== undefined && lengthOf(slug) > max) reading.problem(`Use at most ${max} characters.`, 'max')
    return slug
  },
  toText: (value) => value,
  jsonSchema: ({ max, page }, { side }) => {
    const longest = page ? PAGE_SLUG_LENGTH : SLUG_LENGTH
    return { type: 'string', maxLength: side === 'body' ? (max ?? longest) : longest }
  },
  check: checkBounds,
  scalar: () => 'text',
  unlimited: withoutLimits,
  index: (value) => (value === '' ? [] : [{ text: foldText(value), number: null }]),
  searchText: (value) => value,
}
