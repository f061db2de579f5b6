import type { FieldOptions, Json, JsonObject } from 'quire-client'
import { isObject } from '../../base/json.ts'
import type { Views } from '../../engine/view.ts'
import { optionNames } from '../../model/compile/read-options.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import { area, usesOf } from '../../model/fields/area.ts'
import { targetsOf } from '../../model/values/walk.ts'

/**
 * Options that the schema leaves out: it has them elsewhere, or readers do not need them, such as how much of related
 * documents is answered.
 */
const LEFT_OUT: ReadonlySet<string> = new Set(['fields', 'widgets', 'builders', 'withRelationships'])

/**
 * The options of a field type as declared, as JSON; of types and of other fields those that the caller may know of.
 * `neighbours` are the names of the other fields at its level that he sees.
 */
export function optionsOf(field: Field, views: Views, neighbours: ReadonlySet<string>): FieldOptions {
  const { type, options } = field
  const declared = optionNames(type.options)
  const isDeclared = (name: string) => (declared.length === 0 || declared.includes(name)) && !LEFT_OUT.has(name)
  const shown = Object.fromEntries(Object.entries(options).filter(([name]) => isDeclared(name)))
  const { following, titleField, ...plain } = asJson(shown)
  const followed = [following]
    .flat()
    .map(String)
    .filter((name) => neighbours.has(name))
  const title = type.innerFields?.(options).byName.get(String(titleField))
  const choices = type.choices?.(options)
  return {
    ...plain,
    ...(followed.length > 0 && { following: followed }),
    ...(title && !views.hides(title) && { titleField: title.name }),
    ...(choices && { choices: choices.map(({ value, label }) => ({ value, label })) }),
    ...(type.relation && { withType: targetsOf(field).filter((name) => views.related(name) !== null) }),
    ...(type === area && { widgets: widgetsOf(field) }),
  }
}

function widgetsOf(field: Field): NonNullable<FieldOptions['widgets']> {
  const uses = [...usesOf(field).values()]
  return Object.fromEntries(uses.map(({ name, options }) => [name, asJson(options)]))
}

/** A declaration as JSON: a regular expression is its source; functions and the like are left out. */
export function asJson(declared: object): JsonObject {
  const entries = Object.entries(declared).flatMap(([name, value]) => {
    const json = jsonOf(value)
    return json === undefined ? [] : [[name, json] as const]
  })
  return Object.fromEntries(entries)
}

function jsonOf(value: unknown): Json | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (value instanceof RegExp) return value.source
  if (Array.isArray(value)) return value.map((one) => jsonOf(one) ?? null)
  return isPlain(value) ? asJson(value) : undefined
}

function isPlain(value: unknown): value is object {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
