import type { JsonSchema } from '../../base/json.ts'

/** A site's own query parameter: reads its value, and returns conditions on fields. */
export interface TypeQuery {
  readonly name: string
  readonly description: string
  readonly jsonSchema: JsonSchema
  /** Outside value → conditions. Throws `invalid` for values it does not accept. */
  where(input: unknown): FieldFilters
}

/** Conditions by the name of a field (or `_rel.field`, of related documents), all of which hold; and groups of them. */
export interface FieldFilters {
  readonly [field: string]: FieldFilter | FieldFilters | readonly FieldFilters[]
}
/** The condition for a field: a value, one of several, or operators (§4.1); `min` and `max` are `$gte` and `$lte`. */
export type FieldFilter =
  | string
  | number
  | boolean
  | readonly (string | number)[]
  | { readonly [Operator in FilterOperator]?: string | number | boolean | readonly (string | number)[] }

/** The operators of a filter, as far as the field takes them. */
export type FilterOperator =
  | '$eq'
  | '$ne'
  | '$in'
  | '$nin'
  | '$not'
  | '$exists'
  | '$gt'
  | '$gte'
  | '$lt'
  | '$lte'
  | '$between'
  | '$startsWith'
  | '$contains'
  | 'min'
  | 'max'
