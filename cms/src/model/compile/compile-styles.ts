import { isObject, joinPath } from '../../base/json.ts'
import { messageOf } from '../../base/thrown.ts'
import type { DefaultStyles } from '../declared/preset.ts'
import type { StyleFields, StyleRule } from '../declared/types.ts'
import type { Field, Fields, FieldType } from '../field-type/field-type.ts'
import { fieldsOf, NO_FIELDS } from '../field-type/options.ts'
import { fieldTypes } from '../fields/index.ts'
import { checkRule } from '../styles/check-rule.ts'
import { cssColor, cssString, isCssColor } from '../styles/css-fields.ts'
import { LAYOUT_GAP } from '../styles/css-names.ts'
import { PresetRegistry } from '../styles/presets.ts'
import { compileSelectors } from '../styles/sheet.ts'
import { type CheckedSiteStyles, SITE_STYLES, WIDGET_STYLES } from '../styles/style-options.ts'
import type { Report } from '../terms/configuration-error.ts'
import { COMMON_FIELDS, DOCUMENT_PROPERTIES, WIDGET_PROPERTIES } from '../terms/property-labels.ts'
import { blankFields } from '../values/schema.ts'
import { compileGroups } from './check-fields.ts'
import { compileFields } from './compile-fields.ts'
import { type ExpandedStyle, expandStyle } from './expand-style.ts'
import type { FieldScope } from './field-scope.ts'
import { below, readOptions } from './read-options.ts'

/** The scope of fields, and the presets. */
export interface StyleScope extends FieldScope {
  readonly presets: PresetRegistry
}

/** The built-in presets and the site's own. */
export function compilePresets(declared: CheckedSiteStyles | undefined, report: Report): PresetRegistry {
  const { defaultStyles, registerPresets } = declared ?? SITE_STYLES.parse({})
  const presets = new PresetRegistry(readDefaults(defaultStyles, report))
  try {
    const made: unknown = registerPresets?.(presets)
    if (made instanceof Promise) {
      // No other code handles a later rejection.
      made.catch(() => {})
      report('styles.registerPresets', 'must not be asynchronous: presets are registered before the site is compiled')
    }
  } catch (error) {
    report('styles.registerPresets', messageOf(error))
  }
  presets.seal()
  return presets
}

function readDefaults(declared: DefaultStyles, report: Report): DefaultStyles {
  const read = (name: keyof DefaultStyles): string => {
    const color = declared[name]
    if (isCssColor(color)) return color
    report(`styles.defaultStyles.${name}`, `"${color}" is not a colour${COLOR_FORMS}`)
    return 'transparent'
  }
  return { borderColor: read('borderColor'), shadowColor: read('shadowColor') }
}

const COLOR_FORMS = ': write #rrggbb, rgb(…), hsl(…), or the name of a colour'

/** Reports what is wrong with presets of the site's own that no style field uses; call it after all are compiled. */
export function checkUnusedPresets(scope: StyleScope): void {
  for (const preset of scope.presets.unused()) {
    const name = scope.presets.getPreset(preset)?.type === 'relationship' ? '_preset' : 'preset'
    const report: Report = (path, message) => {
      // A field that uses it can say what it is for.
      if (message.startsWith(MISSING)) return
      const step = path.slice(`styles.add.${name}.`.length)
      scope.report('styles.registerPresets', `the preset "${preset}": ${step === '' ? '' : `${step}: `}${message}`)
    }
    const context = { path: 'styles', reserved: [], isOfSite: false, otherFields: NO_FIELDS }
    compileAdded({ [name]: { preset } }, context, { ...scope, report })
  }
}

/** Compiles the styles of a site; what is wrong is reported. */
export function compileSiteStyles(declared: CheckedSiteStyles | undefined, scope: StyleScope): StyleFields {
  const { add, group, fields } = declared ?? SITE_STYLES.parse({})
  const isOlder = fields !== undefined && add === undefined
  if (fields && (add || Object.keys(group).length > 0)) {
    scope.report('styles.fields', '"fields" is the older form of "add" and "group"; use one of both forms')
  }
  const path = isOlder ? 'styles.fields' : 'styles'
  const reserved = [...COMMON_FIELDS, ...DOCUMENT_PROPERTIES]
  const context = { path, reserved, isOfSite: true, otherFields: NO_FIELDS }
  const styles = compileAdded(add ?? fields?.add ?? {}, context, scope)
  const declaredGroups = isOlder ? fields.group : group
  const groups = compileGroups(declaredGroups, styles.fields, 'a style field', below(scope.report, path))
  return { ...styles, fields: { ...styles.fields, groups } }
}

/** Where the styles of a widget type are declared, and the fields of the type, which their conditions may name. */
interface WidgetStylesContext {
  /** `widgets.promo.styles` */
  readonly path: string
  readonly otherFields: Fields
}

/** Compiles the `styles` of a widget type. */
export function compileWidgetStyles(
  declared: unknown,
  { path, otherFields }: WidgetStylesContext,
  scope: StyleScope,
): StyleFields {
  if (declared === undefined) return { fields: NO_FIELDS, rules: [] }
  const report = below(scope.report, path)
  const { group, ...rest } = isObject(declared) ? declared : {}
  if (group !== undefined) report('group', 'only styles of the site have groups; those of a widget are in one tab')
  const set = readOptions(WIDGET_STYLES, isObject(declared) ? rest : declared, report)
  return compileAdded(set?.add ?? {}, { path, reserved: WIDGET_PROPERTIES, isOfSite: false, otherFields }, scope)
}

interface SetContext {
  readonly path: string
  readonly reserved: readonly string[]
  readonly isOfSite: boolean
  /** Other fields of the same holder. */
  readonly otherFields: Fields
}

/** True when these styles set the gap of all layout widgets (§2.9). */
export function setsLayoutGap({ rules }: StyleFields): boolean {
  return rules.some(({ layoutGapDefault, properties }) => layoutGapDefault && properties.includes(LAYOUT_GAP))
}

const STYLE_TYPES = new Map(fieldTypes).set('string', cssString).set('color', cssColor)

function compileAdded(add: { readonly [name: string]: unknown }, context: SetContext, scope: StyleScope): StyleFields {
  const { path, reserved, otherFields } = context
  const { presets } = scope
  const reported: string[] = []
  const reportAt =
    (name: string): Report =>
    (step, message) => {
      const at = joinPath(`${path}.add.${name}`, step)
      // An option with a mistake is left out, but it was not missing.
      if (message.startsWith(MISSING) && reported.some((one) => one === at || one.startsWith(`${at}.`))) return
      reported.push(at)
      scope.report(at, message)
    }
  const expanded = new Map<string, ExpandedStyle>()
  for (const [name, declared] of Object.entries(add)) {
    const one = expandStyle(declared, { presets, report: reportAt(name), inside: null })
    if (one) expanded.set(name, one)
  }
  const declared = { add: Object.fromEntries([...expanded].map(([name, { field }]) => [name, field])) }
  const compiled = compileFields(declared, { path, reserved, otherFields }, { ...scope, fieldTypes: STYLE_TYPES })
  const fields = fieldsOf(compiled.list.map(withDefault))
  const rules = fields.list.flatMap((field) => {
    const one = expanded.get(field.name)
    return one ? [compileRule(one, field, { parent: null, isOfSite: context.isOfSite }, reportAt(field.name))] : []
  })
  return { fields, rules }
}

const MISSING = 'is missing'

/** A style field that was never saved has its default, in answers as in the stylesheet (§4.7). */
function withDefault(field: Field): Field {
  if (field.def === undefined) return field
  const blank: FieldType['blank'] = (_options, newId) => blankFields(fieldsOf([field]), newId)[field.name] ?? null
  return { ...field, type: { ...field.type, blank } }
}

interface RuleContext {
  /** The rule of the object that the field lies in. */
  readonly parent: StyleRule | null
  readonly isOfSite: boolean
}

function compileRule(
  { css, hasPreset, inner }: ExpandedStyle,
  field: Field,
  context: RuleContext,
  report: Report,
): StyleRule {
  const { parent, isOfSite } = context
  const own: StyleRule = {
    field,
    selectors: compileSelectors(css, { parent: parent?.selectors ?? null, isOfSite }, report),
    properties: css.property === undefined ? [] : [css.property].flat(),
    unit: css.unit,
    valueTemplate: css.valueTemplate ?? null,
    mediaQuery: css.mediaQuery ?? parent?.mediaQuery ?? null,
    class: css.class === false ? null : css.class,
    customType: css.customType ?? null,
    layoutGapDefault: css.layoutGapDefault ?? false,
    inner: [],
  }
  const children: Fields | undefined = field.type.innerFields?.(field.options)
  const rules = [...inner].flatMap(([name, one]) => {
    const child = children?.byName.get(name)
    return child ? [compileRule(one, child, { parent: own, isOfSite }, below(report, `fields.add.${name}`))] : []
  })
  const rule = { ...own, inner: rules }
  if (css.mediaQuery !== undefined && parent?.mediaQuery) report('mediaQuery', 'the object has a media query already')
  checkRule(rule, parent !== null && (parent.valueTemplate !== null || parent.customType !== null), report)
  if (isOfSite && parent === null && !hasPreset) checkTargets(rule, report)
  return rule
}

/** Global styles say what they are for, unless they are classes of the body. */
function checkTargets(rule: StyleRule, report: Report): void {
  const all = [rule, ...rule.inner]
  if (all.every(({ properties, selectors }) => properties.length === 0 || selectors.length > 0)) return
  report('selector', 'is missing: name the elements that the style is for')
}
