import type { JsonSchema } from '../../base/json.ts'
import type { Field, Fields, SchemaUse } from '../field-type/field-type.ts'
import { propertyNames } from './walk.ts'

/** The properties of a holder in addition to its fields. */
interface OwnProperties {
  readonly description?: string
  readonly properties: { readonly [name: string]: JsonSchema }
  readonly required: readonly string[]
}

/** The shape of an object that holds fields, for OpenAPI and the editor (§2): its own properties first. */
export function holderSchema({ list }: Fields, use: SchemaUse, own: OwnProperties): JsonSchema {
  const shown = list.filter((field) => use.shows(field) && !(use.side === 'body' && field.type.computed))
  const { properties, required, ...words } = own
  const all = Object.assign({ ...properties }, ...shown.map((field) => propertiesOf(field, use)))
  const needed = [...required, ...shown.flatMap((field) => requiredOf(field, use))].filter((name) => name in all)
  return { type: 'object', ...words, ...(needed.length > 0 && { required: [...new Set(needed)] }), properties: all }
}

function propertiesOf(field: Field, use: SchemaUse): { [name: string]: JsonSchema } {
  const { name, type, label, help } = field
  return {
    [name]: { description: help ?? label, ...valueSchema(field, use) },
    ...type.property?.jsonSchemas(name, label),
  }
}

/** A field that always has a value is never null. */
function valueSchema(field: Field, use: SchemaUse): JsonSchema {
  const { type, options, required, def } = field
  const schema = type.jsonSchema(options, use)
  if (type.relation && use.side === 'answer') return { ...schema, items: relatedSchema(field, use) }
  if (!required || def === undefined || def === null) return schema
  if (Array.isArray(schema.oneOf))
    return { ...schema, oneOf: schema.oneOf.filter((one: JsonSchema) => one.type !== 'null') }
  if (!Array.isArray(schema.enum)) return schema
  const values = schema.enum.filter((value: unknown) => value !== null)
  return {
    ...schema,
    enum: values,
    ...(Array.isArray(schema.type) && { type: schema.type.filter((one: unknown) => one !== 'null') }),
  }
}

/** A related document, with its relationship values. */
function relatedSchema(field: Field, use: SchemaUse): JsonSchema {
  const document = use.related(field)
  const inner = field.type.innerFields?.(field.options)
  if (!inner) return document
  // Values that were never set are absent.
  const { required: _none, ...properties } = holderSchema(inner, use, { properties: {}, required: [] })
  const _fields = { ...properties, description: 'Its relationship values.' }
  return { allOf: [document, { type: 'object', required: ['_fields'], properties: { _fields } }] }
}

/**
 * Returns the properties that are always there: in answers all but relationships that are not filled in; in bodies
 * those without a default.
 */
function requiredOf(field: Field, use: SchemaUse): readonly string[] {
  if (use.isNarrowed) return []
  if (use.side === 'answer') {
    if (field.type.relation === undefined) return propertyNames(field)
    return use.isFilled ? [field.name, ...propertyNames(field)] : []
  }
  const isNeeded = field.required && field.def === undefined && field.if === null && !field.readOnly
  return isNeeded && field.type.relation === undefined ? [field.name] : []
}
