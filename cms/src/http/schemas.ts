import { isObject, type JsonSchema } from '../base/json.ts'
import { widgetSchemaName } from '../model/fields/area.ts'
import type { Fields } from '../model/fields/field-type.ts'
import { propertySchemas } from '../model/schema.ts'
import type { Site, Type, WidgetType } from '../model/types.ts'

/** A document of a type as answers show it. */
export function documentRef(typeName: string): JsonSchema {
  return { $ref: `#/components/schemas/${schemaName(typeName)}` }
}

/** What bodies may say of a document of a type. */
export function documentInputRef(typeName: string): JsonSchema {
  return { $ref: `#/components/schemas/${schemaName(typeName)}.input` }
}

/** A page of a list (§4.1). */
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

/** What bulk operations answer: each document on its own (§4.1). */
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

/** What `localize` takes (§3.4). */
export const localizeBody = {
  type: 'object',
  required: ['toLocale'],
  properties: {
    toLocale: { type: 'string', description: 'The locale to copy the draft to.' },
    update: { type: 'boolean', description: 'Overwrite the draft that is there.' },
    publish: { type: 'boolean', description: 'Publish it there too.' },
    related: {
      anyOf: [{ type: 'boolean' }, { type: 'array', items: { type: 'string' } }],
      description: 'Which related documents come along where they are missing: all, none, or those of these types.',
    },
  },
} as const

/** The answer `{}`, of a DELETE for example. */
export const emptyAnswer: JsonSchema = { type: 'object', maxProperties: 0 }

/** `@cms/image` → `cms.image`: names of components hold no other signs. */
export function schemaName(typeName: string): string {
  return typeName.replace(/^@/, '').replace(/[^\w.-]/g, '.')
}

/** The component schemas of all types and widgets of a site, by name. */
export function contentSchemas(site: Pick<Site, 'types' | 'widgets'>): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {}
  for (const type of site.types.values()) {
    schemas[schemaName(type.name)] = documentSchema(type)
    schemas[`${schemaName(type.name)}.input`] = inputSchema(type)
  }
  for (const widget of site.widgets.values()) schemas[widgetSchemaName(widget.name)] = widgetSchema(widget)
  return schemas
}

function documentSchema(type: Type): JsonSchema {
  const properties = { ...shownProperties(type.fields), ...documentProperties(type) }
  const description = 'Anonymous callers see the public projection of the type, and always the required names.'
  return { type: 'object', title: type.label, description, required: REQUIRED, properties }
}

const REQUIRED = ['_id', 'aposDocId', 'type', 'metaType']

const CHOICE = {
  type: 'object',
  required: ['value'],
  properties: {
    value: { type: ['string', 'number', 'boolean', 'null'] },
    label: { type: 'string' },
    count: { type: 'integer', minimum: 0 },
  },
}

/** What every document has beside its fields (§2.1). */
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

/** Secrets are never shown. */
function shownProperties({ list, byName }: Fields): Record<string, JsonSchema> {
  return propertySchemas({ list: list.filter((field) => field.type.secret === undefined), byName })
}

/** Bodies: nothing computed, and nothing required, since ids and the like are filled in. */
function inputSchema(type: Type): JsonSchema {
  const { list, byName } = type.fields
  const written = { list: list.filter((field) => field.type.computed === undefined), byName }
  const properties = withoutRequired(propertySchemas(written))
  return { type: 'object', title: `${type.label}, to save`, properties }
}

function withoutRequired(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutRequired)
  if (!isObject(schema)) return schema
  const kept = Object.entries(schema).filter(([keyword, value]) => keyword !== 'required' || !Array.isArray(value))
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, withoutRequired(value)]))
}

function widgetSchema(widget: WidgetType): JsonSchema {
  return {
    type: 'object',
    title: widget.label,
    required: ['_id', 'metaType', 'type'],
    properties: {
      ...shownProperties(widget.fields),
      _id: { type: 'string' },
      metaType: { const: 'widget' },
      type: { const: widget.name },
      _edit: { const: true },
      _docId: { type: 'string' },
    },
  }
}
