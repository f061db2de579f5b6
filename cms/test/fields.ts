import { isObject } from '../src/base/json.ts'
import type { Field, FieldCompiler, Fields, WidgetUse } from '../src/model/field-type/field-type.ts'
import { fieldTypes } from '../src/model/fields/index.ts'
import { isRole } from '../src/model/terms/roles.ts'
import type { ReadOptions, ReadResult } from '../src/model/values/read-result.ts'
import { readFields } from '../src/model/values/schema.ts'

/** Compiles declared fields without a site: `{ title: { type: 'string' } }`. Throws on the first mistake. */
export function fieldsOf(declared: { readonly [name: string]: object }, widgets: Widgets = {}): Fields {
  const list = Object.entries(declared).map(([name, field]) => compileField(name, field, widgets))
  return { list, byName: new Map(list.map((field) => [field.name, field])) }
}

/** Widget types by name: their fields, or `richText` for the widget whose options are those of its content. */
export interface Widgets {
  readonly [name: string]: { readonly [field: string]: object } | 'richText'
}

function compileField(name: string, declared: object, widgets: Widgets): Field {
  const {
    type,
    label,
    help,
    required,
    def,
    if: condition,
    readOnly,
    viewPermission,
    editPermission,
    ...options
  } = {
    ...declared,
  } as { [name: string]: unknown }
  const fieldType = fieldTypes.get(String(type))
  if (!fieldType) throw new Error(`No field type ${type}`)
  const parsed = fieldType.options.parse(options)
  fieldType.check?.(parsed, (path, message) => {
    throw new Error(`${path}: ${message}`)
  })
  return {
    name,
    type: fieldType,
    options: fieldType.compile?.(parsed, compilerFor(widgets)) ?? parsed,
    label: typeof label === 'string' ? label : name,
    help: typeof help === 'string' ? help : null,
    placeholder: null,
    required: required === true,
    def: def as Field['def'],
    if: (condition ?? null) as Field['if'],
    ifRole: null,
    readOnly: readOnly === true,
    unique: false,
    filterable: false,
    viewRole: isRole(viewPermission) ? viewPermission : null,
    editRole: isRole(editPermission) ? editPermission : null,
  }
}

function compilerFor(widgets: Widgets): FieldCompiler {
  return {
    imageHosts: [],
    fields: (declared) => fieldsOf((declared as { add: { [name: string]: object } }).add, widgets),
    widget: (name, options) => widgetUse(name, options, widgets),
    typeNames: (names) => names.map((name) => name.replace(/^@cms\//, '@own/')),
  }
}

function widgetUse(name: string, options: object, widgets: Widgets): WidgetUse | null {
  const declared = widgets[name]
  if (declared === undefined) return null
  const own = isObject(declared) ? declared : { content: { type: 'richText', ...options } }
  // Read late: a widget may hold areas that allow the widget itself.
  let fields: Fields | undefined
  return {
    name,
    label: name,
    options,
    get fields() {
      fields ??= fieldsOf(own as { [name: string]: object }, widgets)
      return fields
    },
  }
}

/** Reads values as a writer who may do everything; new ids are `new1`, `new2`… */
export function readAll(
  fields: Fields,
  input: { readonly [name: string]: unknown },
  options: Partial<ReadOptions> = {},
): ReadResult {
  let count = 0
  const newId = () => {
    count += 1
    return `new${count}`
  }
  return readFields(fields, input, { newId, mayEdit: () => true, maxDepth: 10, before: null, ...options })
}
