import { z } from 'zod'
import { isObject, own } from '../../base/json.ts'
import type { FieldType } from '../field-type/field-type.ts'
import { isBlank, readText } from '../field-type/outside.ts'
import { isUrl } from './url.ts'

const options = z.strictObject({})

type OembedValue = { url: string; title: string; thumbnail: string }

/** Embedded content of another site, a video for example: its address and metadata. */
export const oembed: FieldType<z.infer<typeof options>, OembedValue> = {
  name: 'oembed',
  options,
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
