import { z } from 'zod'
import type { FieldType } from '../field-type/field-type.ts'
import { checkText, isBlank } from '../field-type/outside.ts'
import { isSameRichText } from '../rich-text-diff/same-rich-text.ts'
import { ANNOTATED, isMarkedText } from '../terms/annotation.ts'
import { richTextPolicy, sanitize, TOOLS } from '../values/clean-rich-text.ts'
import { plainText } from '../values/html-text.ts'
import { linkedIds, MOST_LINKS } from '../values/rich-text-links.ts'

const options = z
  .strictObject({
    toolbar: z.array(z.enum(TOOLS)).optional(),
    styles: z
      .array(
        z.strictObject({
          tag: z.string().regex(/^(p|div|span|h[1-6]|pre|blockquote)$/),
          label: z.string().optional(),
          class: z
            .string()
            .regex(/^[\w -]+$/)
            .optional(),
        }),
      )
      .optional(),
  })
  .transform((given) => ({ ...given, policy: richTextPolicy(given) }))

/** HTML, sanitised to what the options allow (§2.13): the `content` of rich text widgets. */
export const richText: FieldType<z.infer<typeof options>, string> = {
  name: 'richText',
  options,
  blank: () => '',
  read(input, { policy }, reading) {
    if (isBlank(input)) return ''
    if (typeof input !== 'string') {
      reading.problem('This must be HTML as text.')
      return ''
    }
    const html = checkText(input.trim(), undefined, reading) ?? ''
    if (isMarkedText(html)) reading.problem(ANNOTATED)
    const clean = sanitize(html, policy)
    if (clean !== null) return checkText(clean.trim(), undefined, reading) ?? ''
    reading.problem('Its elements are nested too deeply.', 'max')
    return ''
  },
  toText: (value) => plainText(value),
  jsonSchema: () => ({ type: 'string', contentMediaType: 'text/html' }),
  diff: (older, newer) =>
    isSameRichText(older ?? '', newer ?? '') ? [] : [{ of: 'value', kind: 'richText', old: older, new: newer }],
  isEmpty: (value) => plainText(value) === '' && !/<(?:img|hr|table)\b/.test(value),
  searchText: (value) => plainText(value),
  links: (value) => Object.values(linkedIds(value)).flat().slice(0, MOST_LINKS),
  translated: 'html',
  setByAreas: true,
}
