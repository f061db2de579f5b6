import type { JsonSchema } from '../../base/json.ts'

/** A site's own query parameter: reads its value, and returns conditions on fields. */
export interface TypeQuery {
  readonly name: string
  readonly description: string
  readonly jsonSchema: JsonSchema
  /** Outside value → conditions. Throws `invalid` for values it does not accept. */
  where(input: unknown): FieldFilters
}

/** Per field: a value, a list of values (one of them), or bounds, both included. */
export interface FieldFilters {
  readonly [field: string]: FieldFilter
}
/** What a field must be: a value, one of some, or within bounds. */
export type FieldFilter =
  | string
  | number
  | boolean
  | readonly (string | number)[]
  | { readonly min?: string | number; readonly max?: string | number }
