import { z } from 'zod'
import type { FieldType } from '../field-type/field-type.ts'
import { checkText, isBlank } from '../field-type/outside.ts'
import { ANNOTATED, isMarkedText } from '../terms/annotation.ts'
import { TOOLS } from '../terms/rich-text-tools.ts'
import { richTextPolicy, sanitize } from '../values/clean-rich-text.ts'
import { diffLibrary } from '../values/html-libraries.ts'
import { occursMoreThan, plainText, readHtmlInSteps } from '../values/html-text.ts'
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
  .transform((given) => ({ ...given, policy: richTextPolicy(given, []) }))

/** Tags and character references of a text: sanitising takes several microseconds for each, and others wait. */
const MOST_TAGS = 20_000
const MOST_REFERENCES = 100_000

/** HTML, sanitised to what the options allow (§2.13): the `content` of rich text widgets. */
export const richText: FieldType<z.infer<typeof options>, string> = {
  name: 'richText',
  options,
  compile: (given, { imageHosts }) => ({ ...given, policy: richTextPolicy(given, imageHosts) }),
  blank: () => '',
  read(input, { policy }, reading) {
    if (isBlank(input)) return ''
    if (typeof input !== 'string') {
      reading.problem('This must be HTML as text.')
      return ''
    }
    const html = checkText(input.trim(), undefined, reading) ?? ''
    if (isMarkedText(html)) reading.problem(ANNOTATED)
    if (occursMoreThan(MOST_TAGS, '<', html) || occursMoreThan(MOST_REFERENCES, '&', html)) {
      reading.problem(`Use at most ${MOST_TAGS} tags and ${MOST_REFERENCES} character references.`, 'max')
      return ''
    }
    const clean = sanitize(html, policy)
    if (clean !== null) return checkText(clean.trim(), undefined, reading) ?? ''
    reading.problem('Its elements are nested too deeply.', 'max')
    return ''
  },
  toText: (value) => plainText(value),
  jsonSchema: () => ({ type: 'string', contentMediaType: 'text/html' }),
  *diff(older, newer) {
    const isSame = diffLibrary().isSameRichTextInSteps(older ?? '', newer ?? '', readHtmlInSteps)
    let step = isSame.next()
    for (; !step.done; step = isSame.next()) yield null
    if (!step.value) yield { of: 'value', kind: 'richText', old: older, new: newer }
  },
  isEmpty: (value) => plainText(value) === '' && !/<(?:img|hr|table)\b/.test(value),
  searchText: (value) => plainText(value),
  links: (value) => Object.values(linkedIds(value)).flat().slice(0, MOST_LINKS),
  translated: 'html',
  setByAreas: true,
}
