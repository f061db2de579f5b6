import { z } from 'zod'
import { isObject, own } from '../../base/json.ts'
import type { FieldType } from '../field-type/field-type.ts'
import { boundsSchema, checkBounds, numberBounds } from '../field-type/options.ts'
import { isBlank, readNumber } from '../field-type/outside.ts'

const options = z.strictObject({ ...numberBounds, unit: z.string().optional() })

const SIDES = ['top', 'right', 'bottom', 'left'] as const
type BoxValue = { [Side in (typeof SIDES)[number]]: number | null }

/** A number for each side of a box. */
export const box: FieldType<z.infer<typeof options>, BoxValue> = {
  name: 'box',
  hasNoPlaceholder: true,
  style: 'sides',
  options,
  blank: () => ({ top: null, right: null, bottom: null, left: null }),
  read(input, bounds, reading) {
    const box: BoxValue = { top: null, right: null, bottom: null, left: null }
    if (isBlank(input)) return box
    if (!isObject(input)) reading.problem('This must be an object with top, right, bottom and left.')
    else for (const side of SIDES) box[side] = readNumber(own(input, side), bounds, reading, side)
    return box
  },
  toText: (value, { unit = '' }) =>
    SIDES.filter((side) => value[side] !== null)
      .map((side) => `${side} ${value[side]}${unit}`)
      .join(', '),
  jsonSchema: (bounds, use) => {
    const side = { type: ['number', 'null'], ...boundsSchema(bounds, use) }
    return {
      type: 'object',
      ...(use.side === 'answer' && { required: SIDES }),
      properties: Object.fromEntries(SIDES.map((name) => [name, { ...side, description: `The ${name}.` }])),
      additionalProperties: false,
    }
  },
  check: checkBounds,
  isEmpty: (value) => SIDES.every((side) => value[side] === null),
}
