import type { FieldType } from '../field-type/field-type.ts'
import { readText } from '../field-type/outside.ts'
import { color, isColor } from '../fields/color.ts'
import { string } from '../fields/string.ts'
import { LONGEST_VALUE, valueMistake } from './css-safety.ts'

/** True for a colour as CSS writes it: what colour fields take, or a name. */
export function isCssColor(text: string): boolean {
  return isColor(text) || NAMES.has(text.toLowerCase())
}

/**
 * The field type `color` of style fields. It takes the names of colours, too, which the built-in presets have as their
 * defaults (§2.9).
 */
export const cssColor: FieldType = {
  ...(color as FieldType),
  read(input, _options, reading) {
    const text = readText(input, 100, reading)
    if (text === null || isCssColor(text)) return text
    reading.problem('This is not a colour. Write #rrggbb, rgb(…), hsl(…), --name, or the name of a colour.')
    return null
  },
}

/** The named colours of CSS (CSS Color Module Level 4, 6.1). */
const NAMES: ReadonlySet<string> = new Set(
  `
aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood
cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod
darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon
darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray
dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green
greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon
lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon
lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linen magenta
maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen
mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive
olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru
pink plum powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen
seashell sienna silver skyblue slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato
turquoise violet wheat white whitesmoke yellow yellowgreen
`
    .trim()
    .split(/\s+/),
)

const { translated: _translated, searchText: _searchText, ...plain } = string as FieldType

/**
 * The field type `string` of style fields: a text that is a CSS value (§4.7), checked wherever values are read. It is
 * neither searched nor translated.
 */
export const cssString: FieldType = {
  ...plain,
  jsonSchema: (options, use) => ({ ...string.jsonSchema(options as never, use), maxLength: LONGEST_VALUE }),
  read(input, options, reading, before) {
    const text = string.read(input, options as never, reading, typeof before === 'string' ? before : null)
    const mistake = text === null || text === '' ? null : valueMistake(text)
    if (mistake !== null) reading.problem(`This is not a CSS value: it ${mistake}.`)
    return mistake === null ? text : ''
  },
}
