import { copyJson, isObject, type Json, type JsonObject } from '../../base/json.ts'
import type { StyleFields, StyleRule } from '../declared/types.ts'
import type { Fields } from '../field-type/field-type.ts'
import { readFields, UNBOUND } from '../values/schema.ts'
import { storedValue } from '../values/walk.ts'
import { backgroundDeclarations } from './background.ts'
import { isClassName } from './css-safety.ts'
import { boxDeclarations, declarationText, isRelevant, type ValueScope } from './rule-text.ts'
import { Sheet, type Stylesheet } from './sheet.ts'

/** The options that CSS is made with. */
interface StylesheetOptions {
  /** Of a widget: what selects its wrapper, `#id`. Without it the values are those of the site. */
  readonly rootSelector?: string
  /** See `ValueScope`. */
  readonly imageUrl?: ValueScope['imageUrl']
}

/** Values of style fields → CSS (§4.7), as they are declared now. The same values give the same texts. */
export function toCss(styles: StyleFields, values: JsonObject, options: StylesheetOptions = {}): Stylesheet {
  const sheet = new Sheet(options.rootSelector ?? null)
  // Conditions may name other fields of a widget.
  const holder = { ...values, ...declaredValues(styles.fields, values) }
  addRules(styles.rules, { holder, imageUrl: options.imageUrl }, sheet)
  return sheet.finish()
}

function addRules(rules: readonly StyleRule[], scope: ValueScope, sheet: Sheet): void {
  for (const rule of rules) {
    if (!isRelevant(rule, scope)) continue
    for (const name of classesOf(rule, scope.holder)) sheet.addClass(name)
    if (rule.inner.length === 0) addDeclarations(rule, scope, sheet)
    else addObject(rule, scope, sheet)
  }
}

function addObject(rule: StyleRule, scope: ValueScope, sheet: Sheet): void {
  const holder = storedValue(rule.field, scope.holder)
  if (!isObject(holder)) return
  const inside = { ...scope, holder }
  addDeclarations(rule, inside, sheet)
  if (rule.customType === null) addRules(rule.inner, inside, sheet)
}

function addDeclarations(rule: StyleRule, scope: ValueScope, sheet: Sheet): void {
  for (const property of rule.properties) {
    for (const [name, text] of declarationsOf(rule, property, scope)) sheet.add(rule, name, text)
  }
}

function declarationsOf(rule: StyleRule, property: string, scope: ValueScope): [string, string][] {
  if (rule.customType === 'background') return backgroundDeclarations(rule, property, scope)
  if (rule.field.type.style === 'sides') return boxDeclarations(rule, property, scope)
  const text = declarationText(rule, scope)
  return text === null ? [] : [[property, text]]
}

/** The classes that the value of a rule gives. */
function classesOf({ class: name, field }: StyleRule, holder: JsonObject): string[] {
  if (name === null) return []
  const value = storedValue(field, holder)
  const given = name === true ? (Array.isArray(value) ? value : [value]) : value === true ? [name] : []
  return given
    .flatMap((one) => (typeof one === 'string' ? one.split(/\s+/) : typeof one === 'number' ? [String(one)] : []))
    .filter(isClassName)
}

/**
 * Style values as their fields are declared now (§4.7): what a field does not take, and what was never saved, has its
 * default, inside objects too. Both stored and shown values can be given.
 */
export function declaredValues(fields: Fields, values: JsonObject): JsonObject {
  const first = readFields(fields, values, UNBOUND)
  if (first.problems.length === 0) return first.values
  const taken = copyJson(values)
  for (const { path } of first.problems) removeAt(taken, path.split('.'))
  return readFields(fields, taken, UNBOUND).values
}

function removeAt(values: JsonObject, [step = '', ...steps]: readonly string[]): void {
  const value: Json | undefined = values[step]
  if (steps.length > 0 && isObject(value)) removeAt(value, steps)
  else delete values[step]
}
