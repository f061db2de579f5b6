import { z } from 'zod'
import { didYouMean } from '../../base/did-you-mean.ts'
import { isObject, type Json, joinPath } from '../../base/json.ts'
import { BREAKPOINTS, gapOptions, LAYOUT_OPTIONS } from '../declared/layout-options.ts'
import type { Field, FieldCompiler, Fields, FieldType, WidgetUse } from '../field-type/field-type.ts'
import { fieldsOf, NO_FIELDS } from '../field-type/options.ts'
import type { Report } from '../terms/configuration-error.ts'
import { fieldNameMistake, ITEM_PROPERTIES, labelOf } from '../terms/property-labels.ts'
import { highestRole, ROLES, type Role } from '../terms/roles.ts'
import { namesIn, targetsOf } from '../values/walk.ts'
import {
  checkCondition,
  checkDef,
  checkFilterable,
  checkPlaceholder,
  checkProperties,
  checkUnique,
  compileGroups,
} from './check-fields.ts'
import type { FieldScope, FieldSetContext } from './field-scope.ts'
import { below, only, optionNames, orNull, readOptions } from './read-options.ts'

type Values = { readonly [name: string]: unknown }

const JSON_VALUE: z.ZodType<Json> = z.json()

const COMMON_OPTIONS = z.strictObject({
  label: z.string().min(1).optional(),
  help: orNull(z.string()),
  placeholder: orNull(z.string().min(1)),
  required: z.boolean().default(false),
  def: JSON_VALUE.optional(),
  if: orNull(z.record(z.string(), JSON_VALUE)),
  readOnly: z.boolean().default(false),
  unique: z.boolean().default(false),
  filterable: z.boolean().default(false),
  viewPermission: orNull(z.enum(ROLES)),
  editPermission: orNull(z.enum(ROLES)),
})
const COMMON_NAMES = optionNames(COMMON_OPTIONS)

const FIELD_SET = z.strictObject({
  add: z.custom<Values>(isObject, 'must be an object: fields by name'),
  group: z
    .record(z.string(), z.strictObject({ label: z.string().optional(), fields: z.array(z.string()) }))
    .default({}),
})

/** Compiles a declared set `{ add, group? }`; undefined stands for none. What is wrong is reported and left out. */
export function compileFields(declared: unknown, context: FieldSetContext, scope: FieldScope): Fields {
  const report = below(scope.report, context.path)
  const set = readOptions(FIELD_SET, declared ?? { add: {} }, report)
  const common = Object.entries(context.common ?? {})
  const list = common.map(([name, field]) => compileField(name, field, `${context.path}.add.${name}`, scope))
  for (const [name, field] of Object.entries(set?.add ?? {})) {
    const path = `${context.path}.add.${name}`
    if (context.common !== undefined && Object.hasOwn(context.common, name)) {
      if (!context.adjustable?.includes(name)) scope.report(path, 'every type has this field already')
      continue
    }
    if (context.reserved.includes(name)) scope.report(path, 'this name is reserved; choose another one')
    const compiled = compileField(name, field, path, scope)
    if (context.common === undefined && compiled.type.relation === 'reverse') {
      scope.report(path, 'only types have it; widgets, objects and arrays do not')
    }
    list.push(compiled)
  }
  const nameable = new Map([...(context.otherFields?.list ?? []), ...list].map((field) => [field.name, field]))
  const whole = list.map((field) => ({ ...field, ifRole: roleOfCondition(field, nameable) }))
  const fields = fieldsOf(whole)
  for (const field of list) {
    checkCondition(field.if, nameable, `add.${field.name}.if`, report)
    checkUnique(field, context.common !== undefined, `add.${field.name}.unique`, report)
    checkFilterable(field, context.common !== undefined, `add.${field.name}.filterable`, report)
    checkPlaceholder(field, `add.${field.name}.placeholder`, report)
  }
  checkProperties(fields, report)
  return { ...fields, groups: compileGroups(set?.group ?? {}, fields, 'a field here', report) }
}

/** The fields of a set, then those of its styles. A name that both have is reported. */
export function joinFields(own: Fields, styles: Fields, report: Report): Fields {
  if (styles.list.length === 0) return own
  for (const { name } of styles.list) {
    if (own.byName.has(name)) report(`add.${name}`, 'there is another field of this name; choose another one')
  }
  const list = [...own.list, ...styles.list.filter(({ name }) => !own.byName.has(name))]
  const groups = [...(own.groups ?? []), ...(styles.groups ?? [])]
  const fields = fieldsOf(list, groups)
  checkProperties(fields, report)
  return fields
}

/** The role needed to see all fields that the condition of a field names; null for none. */
function roleOfCondition({ if: condition }: Field, nameable: Fields['byName']): Role | null {
  const names = condition === null ? [] : namesIn(condition)
  return highestRole(names.map((name) => nameable.get(name)?.viewRole ?? null))
}

/** Compiles one field. An invalid one becomes a field without a type, so that its name is still known. */
function compileField(name: string, declared: unknown, path: string, scope: FieldScope): Field {
  const report = below(scope.report, path)
  const given = isObject(declared) ? declared : {}
  const type = fieldTypeOf(declared, report, scope)
  const mistake = fieldNameMistake(name, type === null ? name.startsWith('_') : type.relation !== undefined)
  if (mistake !== null) report('', mistake)
  const common = readOptions(COMMON_OPTIONS, only(given, COMMON_NAMES), report) ?? COMMON_OPTIONS.parse({})
  const { label = labelOf(name), def, viewPermission: viewRole, editPermission: editRole, ...others } = common
  const options = type === null ? null : compileOptions(type, given, path, scope)
  const field: Field = {
    name,
    type: type === null || options === null ? NO_TYPE : type,
    options: options ?? {},
    label,
    def,
    ...others,
    ifRole: null,
    viewRole,
    editRole,
  }
  if (field.type !== NO_TYPE) scope.check(() => checkDef(field, path, scope.report))
  return field
}

/** Stands in for a type that is unknown or has wrong options, until all mistakes are found. */
const NO_TYPE: FieldType = {
  name: '',
  options: z.object({}),
  blank: () => null,
  read: () => null,
  toText: () => '',
  jsonSchema: () => ({}),
  index: () => [],
}

function fieldTypeOf(declared: unknown, report: Report, { fieldTypes }: FieldScope): FieldType | null {
  if (!isObject(declared) || typeof declared.type !== 'string') {
    report('', 'a field is an object with a type: { type: "string" }')
    return null
  }
  const type = fieldTypes.get(declared.type)
  if (type !== undefined) return type
  const names = [...fieldTypes.keys()]
  const hint = didYouMean(declared.type, names) || `; there are ${names.sort().join(', ')}`
  report('type', `"${declared.type}" is not a field type${hint}`)
  return null
}

function compileOptions(type: FieldType, given: Values, path: string, scope: FieldScope): object | null {
  const report = below(scope.report, path)
  const known = [...optionNames(type.options), ...COMMON_NAMES, 'type']
  const rest = Object.entries(given).filter(([name]) => name !== 'type' && !COMMON_NAMES.includes(name))
  const unknown = optionNames(type.options).length === 0 ? [] : rest.filter(([name]) => !known.includes(name))
  for (const [name] of unknown) {
    report(name, `unknown option of the field type "${type.name}"${didYouMean(name, known)}`)
  }
  const names = rest.filter((entry) => !unknown.includes(entry))
  const options = readOptions(type.options, withFocus(type, Object.fromEntries(names), scope), report)
  if (options === null) return null
  checkTypeNames(type, options, report, scope)
  checkFileGroup(type, options, report, scope)
  type.check?.(options, report)
  return type.compile?.(options, fieldCompiler(path, scope)) ?? options
}

const PERCENT = { type: 'float', min: 0, max: 100 }
const PIXELS = { type: 'float' }
/** Where an image's subject is, and what of it is shown: values of every relationship to images (§4.3). */
const FOCUS = { x: PERCENT, y: PERCENT, left: PIXELS, top: PIXELS, width: PIXELS, height: PIXELS }

function withFocus(type: FieldType, given: Values, scope: FieldScope): Values {
  const { withType, fields } = given
  const names = [withType].flat().filter((name) => typeof name === 'string')
  const isToImages = names.some((name) => scope.fullName(name) === scope.fullName('@cms/image'))
  if (type.relation !== 'forward' || !isToImages) return given
  if (fields === undefined) return { ...given, fields: { add: FOCUS } }
  return isObject(fields) && isObject(fields.add)
    ? { ...given, fields: { ...fields, add: { ...FOCUS, ...fields.add } } }
    : given
}

/** The names for all types of pages: the first one, and those that sites for other front ends have. */
const ANY_PAGE = ['@cms/any-page', '@cms/any-page-type', '@cms/page']

function isAnyPage(name: string, { fullName }: FieldScope): boolean {
  return ANY_PAGE.some((one) => fullName(one) === fullName(name))
}

function checkTypeNames(type: FieldType, options: object, report: Report, scope: FieldScope): void {
  const names = type.relation === undefined ? [] : targetsOf({ type, options })
  const takesAnyPage = type.relation === 'forward'
  const known = [...scope.typeNames, ...(takesAnyPage ? [scope.fullName('@cms/any-page')] : [])]
  for (const name of names) {
    if (scope.typeNames.has(scope.fullName(name)) || (takesAnyPage && isAnyPage(name, scope))) continue
    report('withType', `"${name}" is not a type of this site${didYouMean(scope.fullName(name), known)}`)
  }
}

function fullNames(names: readonly string[], scope: FieldScope): string[] {
  return [...new Set(names.flatMap((name) => (isAnyPage(name, scope) ? scope.pageTypes : [scope.fullName(name)])))]
}

function checkFileGroup(type: FieldType, options: object, report: Report, { fileGroups }: FieldScope): void {
  const given = type.file && 'fileGroup' in options ? options.fileGroup : undefined
  if (typeof given !== 'string' || fileGroups.includes(given)) return
  const hint = didYouMean(given, fileGroups) || `; there are ${fileGroups.join(', ')}`
  report('fileGroup', `"${given}" is not a group of files${hint}`)
}

function fieldCompiler(path: string, scope: FieldScope): FieldCompiler {
  return {
    imageHosts: scope.imageHosts,
    fields: (declared, step) =>
      compileFields(declared, { path: joinPath(path, step), reserved: ITEM_PROPERTIES }, scope),
    widget: (name, options, step) => compileWidgetUse(name, options, joinPath(path, step), scope),
    typeNames: (names) => fullNames(names, scope),
  }
}

/** A widget type in one area. Its fields are filled in later: widgets may contain areas that allow the same widgets. */
function compileWidgetUse(given: string, options: object, path: string, scope: FieldScope): WidgetUse | null {
  const name = scope.fullName(given)
  if (!scope.widgets.has(name)) {
    scope.report(path, `"${given}" is not a widget type of this site${didYouMean(given, scope.widgets.keys())}`)
    return null
  }
  const use = { name, label: '', fields: NO_FIELDS, options }
  if (name === scope.fullName('@cms/layout')) use.options = layoutOptions(options, path, scope)
  scope.link(() => {
    const widget = scope.widget(name)
    use.label = widget?.label ?? ''
    use.fields = widget?.fields ?? NO_FIELDS
  })
  const richText = richTextField(scope.widgets.get(name), scope)
  if (richText === null) {
    if (use.options !== options) return use
    for (const option of Object.keys(options))
      scope.report(joinPath(path, option), `"${given}" has no options in areas`)
  } else if (Object.keys(options).length > 0) {
    const content = compileField(richText.name, { ...richText.declared, ...options }, path, scope)
    scope.link(() => {
      use.fields = withField(use.fields, content)
    })
  }
  return use
}

function layoutOptions(options: object, path: string, scope: FieldScope): object {
  const read = { ...readOptions(LAYOUT_OPTIONS, options, below(scope.report, path)), ...BREAKPOINTS }
  scope.link(() => Object.assign(read, gapOptions(read.gap, scope.hasLayoutGap())))
  return read
}

/** The field of a widget type whose options an area may set: its rich text. */
function richTextField(
  set: unknown,
  { fieldTypes }: FieldScope,
): { readonly name: string; readonly declared: Values } | null {
  const add = isObject(set) && isObject(set.add) ? set.add : {}
  for (const [name, declared] of Object.entries(add)) {
    if (!isObject(declared) || typeof declared.type !== 'string') continue
    if (fieldTypes.get(declared.type)?.setByAreas) return { name, declared }
  }
  return null
}

function withField(fields: Fields, changed: Field): Fields {
  const list = fields.list.map((field) => (field.name === changed.name ? changed : field))
  return fieldsOf(list, fields.groups)
}
