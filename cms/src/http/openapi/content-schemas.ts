import type { JsonSchema } from '../../base/json.ts'
import {
  type Actor,
  may,
  mayWriteField,
  type ReadAccess,
  readAccess,
  roleOf,
  seesField,
} from '../../engine/permissions.ts'
import type { Site, Type, WidgetType } from '../../model/declared/types.ts'
import type { Field, Fields, SchemaUse } from '../../model/field-type/field-type.ts'
import { widgetSchemaName } from '../../model/fields/area.ts'
import { itemProperties } from '../../model/fields/items.ts'
import { hasRole } from '../../model/terms/roles.ts'
import { holderSchema } from '../../model/values/holder-schema.ts'
import { schemaName } from './answer-schemas.ts'
import { documentProperties, pageProperties, stylesheetProperties, writeProperties } from './document-properties.ts'

type Schemas = Record<string, JsonSchema>
type Content = Pick<Site, 'namespace' | 'types' | 'widgets'>

/** The component schemas of all types and widgets that the caller may know of, by name (§5). */
export function contentSchemas(site: Content, actor: Actor): Schemas {
  const schemas: Schemas = {}
  const reader = new SchemaReader(site, actor)
  for (const type of site.types.values()) {
    const access = readAccess(actor, type)
    if (access !== null) Object.assign(schemas, answerSchemas(reader, type, access))
    if (may(actor, 'editDraft', type)) Object.assign(schemas, bodySchemas(reader, type))
  }
  const isEditor = [...site.types.values()].some((type) => may(actor, 'editDraft', type))
  for (const widget of site.widgets.values()) {
    schemas[widgetSchemaName(widget.name, 'answer')] = widgetSchema(widget, reader.use('answer', false))
    if (isEditor) schemas[widgetSchemaName(widget.name, 'body')] = widgetSchema(widget, reader.use('body', true))
  }
  return { ...schemas, ...pageSchemas(site, actor, schemas) }
}

/** What a caller may know of a site's fields. */
class SchemaReader {
  readonly #site: Content
  readonly actor: Actor

  constructor(site: Content, actor: Actor) {
    this.#site = site
    this.actor = actor
  }

  get namespace(): string {
    return this.#site.namespace
  }

  use(side: SchemaUse['side'], isFilled: boolean): SchemaUse {
    const shows = (field: Field) =>
      side === 'answer'
        ? field.type.secret === undefined && hasRoleFor(this.actor, field)
        : mayWriteField(this.actor, field) && !field.readOnly
    return { side, isFilled, shows, related: (field) => this.#related(field) }
  }

  /** Related documents as they are shown: narrowed where the relationship says so, else what their type shows. */
  #related({ options }: Field): JsonSchema {
    // `as`: both relationship types declare these options.
    const { withType, builders } = options as { readonly withType: string; readonly builders?: { project?: object } }
    const type = this.#site.types.get(withType)
    if (type === undefined) return { type: 'object' }
    const name = schemaName(type.name)
    if (readAccess(this.actor, type) === null) return MINIMAL
    return { $ref: `#/components/schemas/${name}.${builders?.project ? 'partial' : 'related'}` }
  }
}

function hasRoleFor(actor: Actor, { viewRole }: Field): boolean {
  return viewRole === null || hasRole(roleOf(actor), viewRole)
}

/** What is shown of a related document whose type shows nothing by itself. */
const MINIMAL: JsonSchema = {
  type: 'object',
  required: ['_id', 'aposDocId', 'type', 'metaType', 'title', 'slug'],
  properties: {
    _id: { type: 'string', description: 'Its id.' },
    aposDocId: { type: 'string', description: 'Its id without locale and mode.' },
    type: { type: 'string', description: 'Its type.' },
    metaType: { type: 'string', const: 'doc', description: 'What it is.' },
    title: { type: 'string', description: 'Its title.' },
    slug: { type: 'string', description: 'Its slug.' },
    _url: { type: 'string', description: 'Its public URL.' },
  },
}

const RELATED =
  'Where related documents would make the answer to a write longer than 32 MB, they have no more than their ids, title and slug.'

const SHORT = new Set(['title', 'slug'])

function answerSchemas(reader: SchemaReader, type: Type, access: ReadAccess): Schemas {
  const { actor } = reader
  const shown = only(type.fields, (field) => seesField(actor, access, type, field))
  const name = schemaName(type.name)
  const own = documentProperties(type, access)
  const document = (isFilled: boolean, more: Schemas = {}): JsonSchema =>
    holderSchema(shown, reader.use('answer', isFilled), {
      title: type.label,
      properties: { ...own.properties, ...more },
      required: own.required,
    })
  const short = [...own.always, ...shown.list.map(({ name }) => name).filter((name) => SHORT.has(name))]
  const related = { ...document(false), description: RELATED, required: short }
  const stylesheet = stylesheetProperties(type, reader.namespace)
  const objects = { ...pageProperties(type, access, { $ref: '#/components/schemas/page' }), ...stylesheet }
  const ids = pageProperties(type, access, { type: 'string' })
  return {
    [name]: document(true, objects),
    ...(type.family === 'page' && { [`${name}.flat`]: document(true, ids) }),
    [`${name}.related`]: related,
    [`${name}.partial`]: { ...related, required: own.always },
  }
}

function bodySchemas(reader: SchemaReader, type: Type): Schemas {
  const fields = type.hooks.title ? withOptionalTitle(type.fields) : type.fields
  const use = reader.use('body', true)
  const input = holderSchema(fields, use, {
    title: `${type.label}, to save`,
    properties: writeProperties(type),
    required: [],
  })
  return {
    [`${schemaName(type.name)}.input`]: input,
    [`${schemaName(type.name)}.patch`]: patchOf(input, `${type.label}, to change`),
  }
}

/** A type may make the titles of its documents itself. */
function withOptionalTitle({ list, byName }: Fields): Fields {
  return { list: list.map((field) => (field.name === 'title' ? { ...field, required: false } : field)), byName }
}

const patchList = (description: string) => ({ type: 'object', additionalProperties: true, description })

/** What PATCH takes: some fields, paths into them, and operators (§4.1). */
function patchOf(input: JsonSchema, title: string): JsonSchema {
  const { required: _required, ...rest } = input
  return {
    ...rest,
    title,
    description: 'Some fields; also paths into them with dots and `@<_id>` (`links.@<_id>.label`), and operators.',
    properties: {
      // `as`: `holderSchema` gives properties.
      ...(input.properties as object),
      $push: patchList('By path: a value to append, or `{ $each, $position | $before | $after }`.'),
      $pullAll: patchList('By path: values to take out.'),
      $pullAllById: patchList('By path: the _ids of items to take out.'),
      $addToSet: patchList('By path: a value to add, or `{ $each }`, unless it is there.'),
      $move: patchList('By path: `{ $item, $before | $after }`.'),
      _patches: {
        type: 'array',
        items: { type: 'object' },
        description: 'Several changes, in this order, all or none.',
      },
    },
    additionalProperties: true,
  }
}

function widgetSchema({ name, label, fields }: WidgetType, use: SchemaUse): JsonSchema {
  const { properties, required } = itemProperties('widget', use)
  return holderSchema(fields, use, {
    title: label,
    properties: { ...properties, type: { type: 'string', const: name, description: 'The type of the widget.' } },
    required: [...required, 'type'],
  })
}

/** One of the page types, in answers; and one flat body for all of them. */
function pageSchemas(site: Content, actor: Actor, schemas: Schemas): Schemas {
  const types = [...site.types.values()].filter(({ family }) => family === 'page')
  const shown = types.filter((type) => readAccess(actor, type) !== null)
  const written = types.filter((type) => may(actor, 'editDraft', type))
  const bodies = (kind: 'input' | 'patch') => written.map((type) => schemas[`${schemaName(type.name)}.${kind}`] ?? {})
  return {
    ...(shown.length > 0 && { page: oneOfTypes(shown, ''), 'page.flat': oneOfTypes(shown, '.flat') }),
    ...(written.length > 0 && pageBodies(merged(bodies('input'), written), merged(bodies('patch'), written))),
  }
}

function pageBodies(input: JsonSchema, patch: JsonSchema): Schemas {
  const required = ['_targetId', '_position', 'type', ...listOf(input.required)]
  return { 'page.insert': { ...input, title: 'A new page', required }, 'page.input': input, 'page.patch': patch }
}

function oneOfTypes(types: readonly Type[], suffix: string): JsonSchema {
  const refs = types.map(({ name }) => [name, `#/components/schemas/${schemaName(name)}${suffix}`] as const)
  return {
    oneOf: refs.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(refs) },
  }
}

/** One flat object of what bodies of several types take: clients that expose tools accept nothing else. */
function merged(bodies: readonly JsonSchema[], types: readonly Type[]): JsonSchema {
  const properties: Record<string, JsonSchema> = {}
  for (const body of bodies) {
    // `as`: `holderSchema` gives properties.
    for (const [name, schema] of Object.entries(body.properties as Record<string, JsonSchema>)) {
      properties[name] = name in properties ? eitherOf(properties[name] ?? {}, schema) : schema
    }
  }
  const [first, ...others] = bodies
  const { required, ...words } = first ?? {}
  const needed = listOf(required).filter((name) => others.every((body) => listOf(body.required).includes(name)))
  return {
    ...words,
    title: 'A page',
    ...(needed.length > 0 && { required: needed }),
    properties: {
      ...properties,
      type: { type: 'string', enum: types.map(({ name }) => name), description: 'The type of the page.' },
      _targetId: { type: 'string', description: 'The _id of a page, `_home` or `_archive`: where it is to stand.' },
      _position: {
        type: ['string', 'integer'],
        description:
          'As seen from the target: `before`, `after`, `firstChild`, `lastChild`, or the index among its children.',
      },
    },
  }
}

function eitherOf(one: JsonSchema, other: JsonSchema): JsonSchema {
  if (JSON.stringify(one) === JSON.stringify(other)) return one
  const types = [...new Set([one.type, other.type].flat())]
  return { ...(types.includes(undefined) ? {} : { type: types }), description: 'As the type of the page declares it.' }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function only({ list, byName }: Fields, isShown: (field: Field) => boolean): Fields {
  return { list: list.filter(isShown), byName }
}
