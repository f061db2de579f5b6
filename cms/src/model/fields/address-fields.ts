import { z } from 'zod'
import { isObject, own } from '../../base/json.ts'
import { foldText, lengthOf } from '../../base/text.ts'
import type { FieldType } from '../field-type/field-type.ts'
import { amountBounds, checkBounds, withoutLimits } from '../field-type/options.ts'
import { isBlank, readText } from '../field-type/outside.ts'

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

const noOptions = z.strictObject({})

type OembedValue = { url: string; title: string; thumbnail: string }

/** Embedded content of another site, a video for example: its address and metadata. */
export const oembed: FieldType<z.infer<typeof noOptions>, OembedValue> = {
  name: 'oembed',
  options: noOptions,
  blank: () => null,
  read(input, _options, reading) {
    if (isBlank(input)) return null
    if (!isObject(input)) {
      reading.problem('This must be an object with a url.')
      return null
    }
    const url = readText(own(input, 'url'), 2000, reading)
    if (url === null) return null
    if (!isWebUrl(url)) reading.problem('Use an address that begins with https:// or http://.', 'invalid', 'url')
    const title = readText(own(input, 'title'), 1000, reading) ?? ''
    const thumbnail = readText(own(input, 'thumbnail'), 2000, reading) ?? ''
    return isWebUrl(url) ? { url, title, thumbnail: isWebUrl(thumbnail) ? thumbnail : '' } : null
  },
  toText: (value) => value.title || value.url,
  diff: (older, newer) => [{ of: 'value', old: older, new: newer, ...(older && newer ? textsOf(older, newer) : {}) }],
  jsonSchema: () => ({
    type: ['object', 'null'],
    required: ['url'],
    properties: {
      url: { type: 'string', format: 'iri', description: 'Where it is.' },
      title: { type: 'string', description: 'What it is called.' },
      thumbnail: { type: 'string', description: 'The address of an image of it.' },
    },
  }),
}

function isWebUrl(text: string): boolean {
  return /^https?:/i.test(text) && isUrl(text)
}

/** Returns the addresses of two embeds whose titles are equal. */
function textsOf(older: OembedValue, newer: OembedValue): { oldText?: string; newText?: string } {
  return older.title === newer.title ? { oldText: older.url, newText: newer.url } : {}
}
