import { z } from 'zod'
import type { JsonSchema } from '../../base/json.ts'
import type { Field, Fields, SchemaUse } from './field-type.ts'

// Options that several field types share.

/** How many: characters, items, related documents. */
export const amount = z.int().min(0)

/** Bounds of a number, both included. */
export const numberBounds = { min: z.number().optional(), max: z.number().optional() }

/** Bounds of an amount, both included. */
export const amountBounds = { min: amount.optional(), max: amount.optional() }

/** Declared fields as a site author writes them, `{ add, group }`; the compiler reads them. */
export const declaredFields = z.strictObject({
  add: z.record(z.string(), z.unknown()),
  group: z.record(z.string(), z.unknown()).optional(),
})

/** No fields: what containers have before they are compiled. */
export const NO_FIELDS: Fields = { list: [], byName: new Map() }

/** These fields alone. */
export function fieldsOf(...list: readonly Field[]): Fields {
  return { list, byName: new Map(list.map((field) => [field.name, field])) }
}

/** The name of a type. */
export const typeName = z.string().min(1)

/** How much of the related documents is fetched, for both directions of a relationship. */
export const relatedOptions = {
  builders: z
    .strictObject({ project: z.record(z.string(), z.union([z.literal(0), z.literal(1), z.boolean()])).optional() })
    .optional(),
  withRelationships: z.union([z.boolean(), z.array(z.string())]).optional(),
}

interface Bounds<Bound> {
  readonly min?: Bound | undefined
  readonly max?: Bound | undefined
}

interface Limits extends Bounds<unknown> {
  readonly pattern?: unknown
}

/** The options without bounds, which may have changed since, and without a pattern, which would tell cases apart. */
export function withoutLimits<Options extends Limits>(options: Options): Options {
  const { min: _min, max: _max, pattern: _pattern, ...others } = options
  // `as`: all types that have these options do without them.
  return others as Options
}

/** Returns the bounds of a number in a body; those of answers are left out, since they may have been wider before. */
export function boundsSchema({ min, max }: Bounds<number>, { side }: SchemaUse): JsonSchema {
  if (side === 'answer') return {}
  return { ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) }
}

/** Reports bounds that no value can satisfy. */
export function checkBounds<Bound extends number | string>(
  bounds: Bounds<Bound>,
  report: (path: string, message: string) => void,
): void {
  const { min, max } = bounds
  if (min !== undefined && max !== undefined && min > max) report('min', `min ${min} is above max ${max}`)
}
