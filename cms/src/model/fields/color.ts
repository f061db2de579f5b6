import { z } from 'zod'
import { foldText } from '../../base/text.ts'
import type { FieldType } from '../field-type/field-type.ts'
import { readText } from '../field-type/outside.ts'

const options = z.strictObject({})

const NUMBER = '[+-]?(?:\\d{1,9}(?:\\.\\d{1,9})?|\\.\\d{1,9})%?'
const ANGLE = `${NUMBER}(?:deg|grad|rad|turn)?`
const COLORS = [
  /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i,
  /^transparent$/i,
  /^--[\p{L}\p{N}_-]+$/u,
  new RegExp(`^rgba?\\( *${NUMBER}(?: *, *${NUMBER}){2,3} *\\)$`, 'i'),
  new RegExp(`^rgba?\\( *${NUMBER}(?: +${NUMBER}){2}(?: */ *${NUMBER})? *\\)$`, 'i'),
  new RegExp(`^hsla?\\( *${ANGLE}(?: *, *${NUMBER}){2,3} *\\)$`, 'i'),
  new RegExp(`^hsla?\\( *${ANGLE}(?: +${NUMBER}){2}(?: */ *${NUMBER})? *\\)$`, 'i'),
]

/** True for what colour fields take. */
export function isColor(text: string): boolean {
  return COLORS.some((color) => color.test(text))
}

/** A colour as CSS writes it: `#rgb[a]`, `#rrggbb[aa]`, `rgb()`, `hsl()`, `transparent`, or a variable `--name`. */
export const color: FieldType<z.infer<typeof options>, string> = {
  name: 'color',
  style: 'color',
  options,
  blank: () => null,
  read(input, _options, reading) {
    const text = readText(input, 100, reading)
    if (text === null || isColor(text)) return text
    reading.problem('This is not a colour. Write #rrggbb, rgb(…), hsl(…), transparent, or --name.')
    return null
  },
  toText: (value) => value,
  jsonSchema: () => ({ type: ['string', 'null'], format: 'color', maxLength: 100 }),
  scalar: () => 'text',
  index: (value) => [{ text: foldText(value), number: null }],
}
