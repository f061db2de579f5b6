import type { JsonSchema } from '../../base/json.ts'
import { list, oneOfTypes, refTo, text } from '../../base/json-schema.ts'
import type { Actor } from '../../engine/permissions.ts'
import { type TypeView, type Views, viewOf, viewsOf } from '../../engine/view.ts'
import type { Site, Type, WidgetType } from '../../model/declared/types.ts'
import type { Field, Fields, SchemaUse } from '../../model/field-type/field-type.ts'
import { widgetSchemaName } from '../../model/fields/area.ts'
import { itemProperties } from '../../model/fields/items.ts'
import { holderSchema } from '../../model/values/holder-schema.ts'
import { targetsOf } from '../../model/values/walk.ts'
import { schemaName } from './answer-schemas.ts'
import { changeRowSchema } from './change-schemas.ts'
import {
  AUTHOR,
  documentProperties,
  fallbackProperties,
  pageProperties,
  stylesheetProperties,
  writeProperties,
} from './document-properties.ts'
import { EDITING_SCHEMAS } from './editing-schemas.ts'
import { pageSchemas } from './page-schemas.ts'
import { problemSchema } from './problem-schemas.ts'

type Schemas = Record<string, JsonSchema>
type Content = Pick<Site, 'namespace' | 'types' | 'widgets' | 'locales'>

/** The component schemas of all types and widgets that the caller may know of, by name (§5). */
export function contentSchemas(site: Content, actor: Actor): Schemas {
  const schemas: Schemas = {}
  const reader = new SchemaReader(site, viewsOf({ site, actor }))
  const seen = [...site.types.values()].flatMap((type) => viewOf(actor, type) ?? [])
  for (const view of seen) {
    Object.assign(schemas, answerSchemas(reader, view))
    if (isEdited(view)) Object.assign(schemas, bodySchemas(reader, view.type))
  }
  const isEditor = seen.some(isEdited)
  for (const widget of site.widgets.values()) {
    schemas[widgetSchemaName(widget.name, '')] = widgetSchema(widget, reader.answer('read', false))
    schemas[widgetSchemaName(widget.name, '.written')] = widgetSchema(widget, reader.answer('written', false))
    if (isEditor) schemas[widgetSchemaName(widget.name, '.input')] = widgetSchema(widget, reader.body())
  }
  const pages = seen.filter(({ type }) => type.family === 'page')
  const edited = pages.filter(isEdited).map(({ type }) => type)
  return {
    ...schemas,
    ...reader.minimal,
    ...pageSchemas(
      pages.map(({ type }) => type),
      edited,
      schemas,
    ),
    ...SHARED,
  }
}

/** Schemas that many others refer to. */
const SHARED: Schemas = {
  SavedBy: AUTHOR,
  ContentChange: changeRowSchema,
  Problem: problemSchema,
  ...EDITING_SCHEMAS,
}

function isEdited({ rights }: TypeView): boolean {
  return rights.has('editDraft')
}

/** Describes the fields that a caller may know of. */
class SchemaReader {
  /** The shapes of related documents of types that show nothing by themselves, in relationships to several types. */
  readonly minimal: Schemas = {}
  readonly fallback: Schemas
  readonly #site: Content
  readonly #views: Views

  constructor(site: Content, views: Views) {
    this.fallback = fallbackProperties(site)
    this.#site = site
    this.#views = views
  }

  get namespace(): string {
    return this.#site.namespace
  }

  body(): SchemaUse {
    return {
      side: 'body',
      isFilled: true,
      shows: (field) => this.#views.mayWrite(field) && !field.readOnly,
      widget: (name) => widgetSchemaName(name, '.input'),
      related: () => ({ type: 'object' }),
    }
  }

  answer(form: Form, isFilled: boolean): SchemaUse {
    return {
      side: 'answer',
      isFilled,
      ...(form !== 'written' && { isNarrowed: true }),
      shows: (field) => this.#views.shows(field),
      widget: form === 'rendered' ? null : (name) => widgetSchemaName(name, SUFFIXES[form]),
      related: (field) => this.#related(field, form),
    }
  }

  /** Related documents as they are shown: narrowed where the relationship says so, else what their type shows. */
  #related(field: Field, form: Form): JsonSchema {
    // `as`: both relationship types declare this option.
    const { builders } = field.options as { readonly builders?: { readonly project?: object } }
    const types = targetsOf(field).flatMap((name) => this.#site.types.get(name) ?? [])
    const shown = types.filter(({ name }) => this.#views.related(name) !== null)
    const suffix = `${builders?.project ? '.partial' : '.related'}${SUFFIXES[form]}`
    if (types.length === 0) return { type: 'object' }
    if (shown.length > 1) return oneOfTypes(shown.map((type) => [type.name, this.#nameOf(type, suffix)]))
    const [only] = shown
    return only === undefined || this.#views.of(only.name) === null
      ? this.#minimal()
      : refTo(schemaName(only.name) + suffix)
  }

  /** The schema of a related document of one of several types, by name: `type` says which it is. */
  #nameOf({ name }: Type, suffix: string): string {
    if (this.#views.of(name) !== null) return schemaName(name) + suffix
    const minimal = `${schemaName(name)}.minimal`
    const type = { type: 'string', const: name, description: 'Its type.' }
    this.minimal[minimal] = this.#minimal({ type })
    return minimal
  }

  #minimal(more: Schemas = {}): JsonSchema {
    return { ...MINIMAL, properties: { ...MINIMAL_PROPERTIES, ...this.fallback, ...more } }
  }
}

const MINIMAL_PROPERTIES: Schemas = {
  _id: text('Its id.'),
  aposDocId: text('Its id without locale and mode.'),
  type: text('Its type.'),
  metaType: { type: 'string', const: 'doc', description: 'What it is.' },
  title: text('Its title.'),
  slug: text('Its slug.'),
  _url: text('Its public URL.'),
}

/** How documents are answered: as reads do, as writes do, or by either with areas as HTML. */
type Form = keyof typeof SUFFIXES
const SUFFIXES = { read: '', written: '.written', rendered: '.rendered' } as const
const FORMS = ['read', 'written', 'rendered'] as const

/** The shape of a related document whose type shows nothing by itself. */
const MINIMAL: JsonSchema = {
  type: 'object',
  required: ['_id', 'aposDocId', 'type', 'metaType'],
  properties: MINIMAL_PROPERTIES,
}

const SHORTENED =
  'Where related documents would make the answer to a write longer than 32 MB, they have no more than their ids, title and slug.'

const SHORT = new Set(['title', 'slug'])

function answerSchemas(reader: SchemaReader, view: TypeView): Schemas {
  const { type } = view
  const name = schemaName(type.name)
  const own = documentProperties(view)
  const stylesheet = stylesheetProperties(type, reader.namespace)
  const inTree = (form: Form, page: JsonSchema): JsonSchema =>
    documentSchema(view, reader.answer(form, true), { ...pageProperties(view, page), ...stylesheet })
  const narrowed = (schema: JsonSchema): JsonSchema => ({ ...schema, required: own.always })
  const id = { type: 'string' }
  return {
    [name]: inTree('written', refTo('page')),
    [`${name}.projected`]: narrowed(inTree('read', refTo('page.projected'))),
    [`${name}.rendered`]: narrowed(inTree('rendered', refTo('page.rendered'))),
    ...(type.family === 'page' && {
      [`${name}.flat`]: narrowed(inTree('read', id)),
      [`${name}.flat.rendered`]: narrowed(inTree('rendered', id)),
    }),
    ...Object.assign({}, ...FORMS.map((form) => relatedSchemas(reader, view, form))),
  }
}

/** A document as it is shown where others relate to it; complete in reads alone, which are refused where it is too long. */
function relatedSchemas(reader: SchemaReader, view: TypeView, form: Form): Schemas {
  const name = schemaName(view.type.name)
  const { always } = documentProperties(view)
  const short = [...always, ...view.fields.map(({ name }) => name).filter((name) => SHORT.has(name))]
  const whole = documentSchema(view, reader.answer(form, false), reader.fallback)
  const description = `${whole.description} ${SHORTENED}`
  return {
    [`${name}.related${SUFFIXES[form]}`]:
      form === 'read' ? whole : { ...whole, description, required: form === 'written' ? short : always },
    [`${name}.partial${SUFFIXES[form]}`]: { ...whole, required: always },
  }
}

function documentSchema(view: TypeView, use: SchemaUse, more: Schemas): JsonSchema {
  const { properties, always, ...own } = documentProperties(view)
  const required = use.isNarrowed ? always : own.required
  const { label, fields } = view.type
  const shown = { list: view.fields, byName: fields.byName }
  return holderSchema(shown, use, { description: `${label}.`, properties: { ...properties, ...more }, required })
}

function bodySchemas(reader: SchemaReader, type: Type): Schemas {
  const fields = type.hooks.title ? withOptionalTitle(type.fields) : type.fields
  const input = holderSchema(fields, reader.body(), {
    description: `${type.label}, to save.`,
    properties: writeProperties(type),
    required: [],
  })
  return { [`${schemaName(type.name)}.input`]: input, [`${schemaName(type.name)}.patch`]: patchOf(input) }
}

/** A type may make the titles of its documents itself. */
function withOptionalTitle({ list, byName }: Fields): Fields {
  return { list: list.map((field) => (field.name === 'title' ? { ...field, required: false } : field)), byName }
}

const patchList = (description: string) => ({ type: 'object', additionalProperties: true, description })

/** Returns the body of PATCH: some fields, paths into them, and operators (§4.1). */
function patchOf(input: JsonSchema): JsonSchema {
  const { required: _required, ...rest } = input
  return {
    ...rest,
    description: 'Some fields; also paths into them with dots and `@<_id>` (`links.@<_id>.label`), and operators.',
    properties: {
      // `as`: `holderSchema` gives properties.
      ...(input.properties as object),
      $push: patchList('By path: a value to append, or `{ $each, $position | $before | $after }`.'),
      $pullAll: patchList('By path: values to take out.'),
      $pullAllById: patchList('By path: the _ids of items to take out.'),
      $addToSet: patchList('By path: a value to add, or `{ $each }`, unless it is there.'),
      $move: patchList('By path: `{ $item, $before | $after }`.'),
      _patches: list({ type: 'object' }, 'Several changes, in this order, all or none.'),
    },
    additionalProperties: true,
  }
}

function widgetSchema({ name, label, fields }: WidgetType, use: SchemaUse): JsonSchema {
  const { properties, required } = itemProperties('widget', use)
  return holderSchema(fields, use, {
    description: `${label}.`,
    properties: { ...properties, type: { type: 'string', const: name, description: 'The type of the widget.' } },
    required: [...required, 'type'],
  })
}
