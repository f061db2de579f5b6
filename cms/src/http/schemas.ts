import type { JsonSchema } from '../base/json.ts'
import type { Field, Fields } from '../model/fields/field-type.ts'
import type { Site, Type, WidgetType } from '../model/types.ts'

/** A document of a type as answers show it. */
export function documentRef(typeName: string): JsonSchema {
  return { $ref: `#/components/schemas/${schemaName(typeName)}` }
}

/** What bodies may say of a document of a type. */
export function documentInputRef(typeName: string): JsonSchema {
  return { $ref: `#/components/schemas/${schemaName(typeName)}.input` }
}

/** A page of a list (decisions 4.1). */
export function listOf(item: JsonSchema): JsonSchema {
  const whole = { type: 'integer', minimum: 0 }
  return {
    type: 'object',
    required: ['pages', 'currentPage', 'results', 'total'],
    properties: {
      pages: whole,
      currentPage: { type: 'integer', minimum: 1 },
      results: { type: 'array', items: item },
      total: whole,
      choices: { type: 'object', additionalProperties: { type: 'array', items: CHOICE } },
    },
  }
}

/** What bulk operations answer: each document on its own (decisions 4.1). */
export const bulkAnswer: JsonSchema = {
  type: 'object',
  required: ['results'],
  properties: {
    results: {
      type: 'array',
      items: {
        type: 'object',
        required: ['_id', 'ok'],
        properties: {
          _id: { type: 'string' },
          ok: { type: 'boolean' },
          error: { $ref: '#/components/schemas/Error' },
        },
      },
    },
  },
}

/** The answer `{}`, of a DELETE for example. */
export const emptyAnswer: JsonSchema = { type: 'object', maxProperties: 0 }

/** `@cms/image` → `cms.image`: names of components hold no other signs. */
export function schemaName(typeName: string): string {
  return typeName.replace(/^@/, '').replaceAll(/[^A-Za-z0-9_-]+/g, '.')
}

/** The component schemas of all types and widgets of a site, by name. */
export function contentSchemas(site: Pick<Site, 'types' | 'widgets'>): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {}
  for (const type of site.types.values()) {
    schemas[schemaName(type.name)] = documentSchema(type)
    schemas[`${schemaName(type.name)}.input`] = inputSchema(type)
  }
  for (const widget of site.widgets.values()) schemas[`widget.${schemaName(widget.name)}`] = widgetSchema(widget)
  return schemas
}

function documentSchema(type: Type): JsonSchema {
  const properties = { ...presentedProperties(type.fields), ...documentProperties(type) }
  const description = 'Strangers see the public projection of the type, and always the required names.'
  return { type: 'object', title: type.label, description, required: REQUIRED, properties }
}

const REQUIRED = ['_id', 'aposDocId', 'type', 'metaType']

const CHOICE = {
  type: 'object',
  required: ['value', 'label'],
  properties: {
    value: { type: ['string', 'number', 'boolean', 'null'] },
    label: { type: 'string' },
    count: { type: 'integer', minimum: 0 },
  },
}

/** What every document has beside its fields (decisions 2). */
function documentProperties(type: Type): Record<string, JsonSchema> {
  const time = { type: 'string', format: 'date-time' }
  return {
    _id: { type: 'string', examples: type.localized ? ['0abc:en:published'] : ['0abc'] },
    aposDocId: { type: 'string' },
    aposLocale: { type: ['string', 'null'], examples: ['en:published'] },
    aposMode: { enum: ['draft', 'published', null] },
    type: { const: type.name },
    metaType: { const: 'doc' },
    createdAt: time,
    updatedAt: time,
    updatedBy: AUTHOR,
    lastPublishedAt: { anyOf: [time, { type: 'null' }] },
    modified: { type: 'boolean', description: 'Drafts only: differs from the published copy.' },
    _url: { type: 'string' },
    ...Object.fromEntries(['_edit', '_create', '_publish', '_delete'].map((name) => [name, { const: true }])),
  }
}

const AUTHOR = {
  type: 'object',
  properties: {
    _id: { type: ['string', 'null'] },
    firstName: { type: 'string' },
    lastName: { type: 'string' },
    username: { type: ['string', 'null'] },
    title: { type: 'string' },
  },
}

const RELATED = {
  type: 'object',
  description: 'What the caller may see of a document; at least its `_id`.',
  required: ['_id'],
  properties: {
    _id: { type: 'string' },
    title: { type: 'string' },
    slug: { type: 'string' },
    _url: { type: 'string' },
  },
}

function presentedProperties(fields: Fields): Record<string, JsonSchema> {
  const shown = fields.list.filter((field) => field.type.secret === undefined)
  return Object.assign({}, ...shown.map(presentedField))
}

/** Relationships show ids, their fields, and the documents themselves; other fields their value or null. */
function presentedField(field: Field): Record<string, JsonSchema> {
  if (!field.name.startsWith('_')) return { [field.name]: described(field, orNull(valueSchema(field))) }
  const related = described(field, { type: 'array', items: RELATED })
  const [ids, fieldsOfIds] = field.type.property?.names(field.name) ?? []
  return {
    [field.name]: related,
    ...(ids === undefined ? {} : { [ids]: IDS }),
    ...(fieldsOfIds === undefined ? {} : { [fieldsOfIds]: { type: 'object' } }),
  }
}

const IDS = { type: 'array', items: { type: 'string' } }

function inputSchema(type: Type): JsonSchema {
  const writable = type.fields.list.filter((field) => field.type.computed === undefined)
  return { type: 'object', title: `${type.label}, to save`, properties: Object.assign({}, ...writable.map(inputField)) }
}

function inputField(field: Field): Record<string, JsonSchema> {
  if (!field.name.startsWith('_')) return { [field.name]: described(field, orNull(valueSchema(field))) }
  const [ids] = field.type.property?.names(field.name) ?? []
  const related = { type: ['array', 'null'], items: { type: 'object', required: ['_id'], properties: ITEM } }
  return { [field.name]: described(field, related), ...(ids === undefined ? {} : { [ids]: IDS }) }
}

const ITEM = { _id: { type: 'string' }, _fields: { type: 'object' } }

function widgetSchema(widget: WidgetType): JsonSchema {
  return {
    type: 'object',
    title: widget.label,
    required: ['_id', 'metaType', 'type'],
    properties: {
      ...presentedProperties(widget.fields),
      _id: { type: 'string' },
      metaType: { const: 'widget' },
      type: { const: widget.name },
      _edit: { const: true },
      _docId: { type: 'string' },
    },
  }
}

function valueSchema(field: Field): JsonSchema {
  return field.type.jsonSchema(field.options)
}

function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null' }] }
}

function described(field: Field, schema: JsonSchema): JsonSchema {
  const help = field.help === null ? {} : { description: field.help }
  return { title: field.label, ...help, ...schema }
}
