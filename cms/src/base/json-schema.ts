import type { JsonSchema } from './json.ts'

/** The schema of an object with exactly these required properties. */
export function object(required: readonly string[], properties: { readonly [name: string]: JsonSchema }): JsonSchema {
  return { type: 'object', required, properties }
}

/** The schema of a list. */
export function list(items: JsonSchema, description: string): JsonSchema {
  return { type: 'array', items, description }
}

/** The schema of a text. */
export function text(description: string): JsonSchema {
  return { type: 'string', description }
}

/** The schema of a text that may be missing. */
export function textOrNull(description: string): JsonSchema {
  return { type: ['string', 'null'], description }
}

/** The schema of a time in ISO 8601. */
export function dateTime(description: string): JsonSchema {
  return { type: 'string', format: 'date-time', description }
}

/** The schema of a whole number of at least 0. */
export function count(description: string): JsonSchema {
  return { type: 'integer', minimum: 0, description }
}

/** The schema of a truth value. */
export function boolean(description: string): JsonSchema {
  return { type: 'boolean', description }
}
