import { invalid } from '../../base/errors.ts'
import { isObject } from '../../base/json.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import { isNamed, isNamedIn } from '../../model/values/property-names.ts'

/** The names that every answer has, whatever the projection (§2.1). */
export const ALWAYS = new Set(['_id', 'aposDocId', 'aposLocale', 'aposMode', 'type', 'metaType'])

/** The names that an answer is narrowed to, or those that it leaves out. It never shows what is hidden. */
export interface Projection {
  readonly kind: 'only' | 'except'
  readonly names: ReadonlySet<string>
}

/**
 * The parameter `project`: `project[title]=1` shows only what is named, `project[body]=0` leaves it out; null for all.
 * A name with dots shows the whole of the field that it begins with. Throws `invalid`.
 */
export function readProjection(value: unknown): Projection | null {
  if (value === undefined) return null
  if (!isObject(value)) throw invalid('project names fields one by one: project[title]=1.')
  const flags = Object.entries(value).map(([name, flag]) => [name, readFlag(name, flag)] as const)
  const shown = flags.filter(([, isShown]) => isShown).map(([name]) => name.replace(/\..*$/s, ''))
  if (shown.length > 0) return onlyNames(shown)
  return flags.length === 0 ? null : { kind: 'except', names: new Set(flags.map(([name]) => name)) }
}

/** The projection that shows these names alone. */
export function onlyNames(names: Iterable<string>): Projection {
  return { kind: 'only', names: new Set(names) }
}

/** True when the projection leaves the field in the answer. */
export function projectsField(projection: Projection | null, field: Field): boolean {
  return projection === null || isNamedIn(field, projection.names) === (projection.kind === 'only')
}

/** True when the projection leaves this name in the answer, a field's or a computed one. */
export function projectsName(projection: Projection | null, name: string): boolean {
  return projection === null || isNamed(projection.names, name) === (projection.kind === 'only')
}

function readFlag(name: string, flag: unknown): boolean {
  if (flag === '1' || flag === 'true') return true
  if (flag === '0' || flag === 'false') return false
  throw invalid(`project[${name.slice(0, 60)}] is 1 to show the field, 0 to leave it out.`)
}
