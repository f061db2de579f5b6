import type { JsonSchema } from './json.ts'

// JSON Schemas with the descriptions that readers of an OpenAPI document need.

/** Where the components of the document are. */
export const COMPONENTS = '#/components/schemas/'

/** A component, by its name. */
export const refTo = (component: string): JsonSchema => ({ $ref: COMPONENTS + component })

/** One of several components, by the values of the property `type`, which says which one it is. */
export const oneOfTypes = (components: readonly (readonly [type: string, component: string])[]): JsonSchema => ({
  oneOf: components.map(([, component]) => refTo(component)),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(components.map(([type, component]) => [type, COMPONENTS + component])),
  },
})

/** A text. */
export const text = (description: string): JsonSchema => ({ type: 'string', description })

/** A text or null. */
export const textOrNull = (description: string): JsonSchema => ({ type: ['string', 'null'], description })

/** A date and time. */
export const dateTime = (description: string): JsonSchema => ({ type: 'string', format: 'date-time', description })

/** A date and time, or null. */
export const dateTimeOrNull = (description: string): JsonSchema => ({
  ...dateTime(description),
  type: ['string', 'null'],
})

/** A whole number from 0 on. */
export const integer = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description })

/** True or false. */
export const boolean = (description: string): JsonSchema => ({ type: 'boolean', description })

/** True, of a property that is otherwise left out. */
export const onlyTrue = (description: string): JsonSchema => ({ type: 'boolean', const: true, description })

/** One of some texts. */
export const oneOf = (names: readonly string[], description: string): JsonSchema => ({
  type: 'string',
  enum: names,
  description,
})

/** A list of any length. */
export const list = (items: JsonSchema, description: string): JsonSchema => ({ type: 'array', items, description })

/** A list of texts. */
export const texts = (description: string): JsonSchema => list({ type: 'string' }, description)

type Properties = { readonly [name: string]: JsonSchema }

/** An object with these properties, of which some are always there. */
export const object = (required: readonly string[], properties: Properties): JsonSchema => ({
  type: 'object',
  required,
  properties,
})

/** As `object`, with a description. */
export const describedObject = (
  description: string,
  required: readonly string[],
  properties: Properties,
): JsonSchema => ({ type: 'object', description, required, properties })
