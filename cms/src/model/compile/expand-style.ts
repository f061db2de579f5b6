import { didYouMean } from '../../base/did-you-mean.ts'
import { isObject } from '../../base/json.ts'
import type { Preset } from '../declared/preset.ts'
import type { PresetRegistry } from '../styles/presets.ts'
import { CSS_OPTIONS, type CssOptions } from '../styles/style-options.ts'
import type { Report } from '../terms/configuration-error.ts'
import { below, only, optionNames, readOptions } from './read-options.ts'

type Values = { readonly [name: string]: unknown }

/** A declared style field, its preset put in place, split into its CSS options and its field options. */
export interface ExpandedStyle {
  readonly css: CssOptions
  /** As fields are declared elsewhere. */
  readonly field: Values
  readonly hasPreset: boolean
  /** The fields of an object, by name. */
  readonly inner: ReadonlyMap<string, ExpandedStyle>
}

/** Where style fields are declared. */
interface ExpandScope {
  readonly presets: PresetRegistry
  /** With paths relative to the field. */
  readonly report: Report
  /** Inside of an object, or of a preset that is one. */
  readonly inside: 'object' | 'preset' | null
}

const TYPES = ['box', 'color', 'range', 'string', 'select', 'object', 'boolean', 'checkboxes']
const CSS_NAMES = optionNames(CSS_OPTIONS)
/** Field types that have a unit of their own, for people to see. */
const WITH_UNIT = ['box', 'range']

/** Expands a declared style field; null when it is unusable, which is reported. */
export function expandStyle(declared: unknown, scope: ExpandScope): ExpandedStyle | null {
  const { report, inside } = scope
  const given = typeof declared === 'string' ? { preset: declared } : declared
  if (!isObject(given)) {
    report('', 'a style field is an object with a type, or the name of a preset')
    return null
  }
  const preset = presetOf(given, scope)
  if (preset === null) return null
  const { preset: _name, ...ownOptions } = given
  const whole: Values = { ...preset, ...ownOptions, ...(preset && fixedIn(preset)) }
  const hasPreset = preset !== undefined
  checkOwnOptions(given, preset, scope)
  if (!isStyleType(whole.type, hasPreset, scope)) return null
  const css = readOptions(CSS_OPTIONS, only(whole, CSS_NAMES), report) ?? CSS_OPTIONS.parse({})
  const inner = whole.type === 'object' ? expandInner(whole.fields, hasPreset || inside === 'preset', scope) : new Map()
  return { css, field: fieldOf(whole, inner), hasPreset, inner }
}

/** The preset that a field names; undefined for none, null for one that cannot be used. */
function presetOf(given: Values, { presets, report, inside }: ExpandScope): Preset | undefined | null {
  if (given.preset === undefined) return undefined
  if (inside !== null) {
    report('', 'presets cannot be used inside objects; declare the preset outside the object')
    return null
  }
  const preset = typeof given.preset === 'string' ? presets.use(given.preset) : undefined
  if (preset !== undefined) return preset
  const name = String(given.preset)
  report('preset', `"${name}" is not a preset${didYouMean(name, presets.names())}`)
  return null
}

/** Reports options that only presets have, and those that a use of a preset cannot override. */
function checkOwnOptions(given: Values, preset: Preset | undefined, { report, inside }: ExpandScope): void {
  if (preset && given.type !== undefined && given.type !== preset.type) {
    report('type', `the preset is of the type "${preset.type}"; leave this out`)
  }
  if (preset && given.fields !== undefined) {
    report('fields', 'the fields of a preset cannot be replaced here; change the preset itself by registerPresets')
  }
  if ((given.viewPermission ?? preset?.viewPermission) !== undefined) {
    report('viewPermission', 'everybody sees what a style makes; editPermission says who may change it')
  }
  for (const name of ['customType', 'layoutGapDefault']) {
    if (given[name] !== undefined && inside !== 'preset') report(name, 'only presets have this option')
  }
}

/** Options of a preset that its uses cannot override. */
function fixedIn({ type, fields }: Preset): Values {
  return fields === undefined ? { type } : { type, fields }
}

function isStyleType(type: unknown, hasPreset: boolean, { report, inside }: ExpandScope): boolean {
  if (type === 'object' && inside !== null) {
    report('type', 'objects cannot be nested; declare this one outside the other')
    return false
  }
  if (type === 'relationship' && (hasPreset || inside === 'preset')) return true
  if (typeof type === 'string' && TYPES.includes(type)) return true
  if (type === undefined) report('type', 'is missing: give a type, or a preset')
  else if (type === 'relationship') report('type', 'only presets can have a relationship')
  else report('type', `"${type}" is not a type of style fields, which are ${TYPES.join(', ')}`)
  return false
}

function expandInner(fields: unknown, isPreset: boolean, scope: ExpandScope): Map<string, ExpandedStyle> {
  const inner = new Map<string, ExpandedStyle>()
  const add = isObject(fields) && isObject(fields.add) ? fields.add : null
  if (add === null || Object.keys(add).length === 0) scope.report('fields', 'an object needs fields: { add: { … } }')
  if (isObject(fields) && fields.group !== undefined)
    scope.report('fields.group', 'the fields of an object have no groups')
  for (const [name, declared] of Object.entries(add ?? {})) {
    const report = below(scope.report, `fields.add.${name}`)
    const one = expandStyle(declared, { ...scope, report, inside: isPreset ? 'preset' : 'object' })
    if (one) inner.set(name, one)
  }
  return inner
}

/** Removes the CSS options of a style field, for the compiler of fields. */
function fieldOf(whole: Values, inner: ReadonlyMap<string, ExpandedStyle>): Values {
  const isCss = (name: string) =>
    CSS_NAMES.includes(name) && !(name === 'unit' && WITH_UNIT.includes(String(whole.type)))
  const plain = Object.fromEntries(Object.entries(whole).filter(([name]) => !isCss(name)))
  if (whole.type !== 'object') return plain
  return { ...plain, fields: { add: Object.fromEntries([...inner].map(([name, { field }]) => [name, field])) } }
}
