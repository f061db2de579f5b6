import { isObject, type Json, type JsonObject } from '../base/json.ts'
import { type Aside, setAside } from './aside.ts'
import { type Declaration, declarationPath, widgetSet } from './declarations.ts'
import { fieldTypes } from './fields/index.ts'
import { propertyNames } from './property-names.ts'

/** How fields were declared when a holder was stored. */
export interface Then {
  /**
   * How the field was declared, or had been before it was given up; null: it was not known yet. Its audience is the one
   * that it was for both then and last.
   */
  declared(path: string): Declaration | null
  /** The fields of a set that were declared then, or before. */
  namesIn(set: string): readonly string[]
  /** False: it was stored under declarations that are unknown here. */
  readonly isKnown: boolean
}

/** A holder, and how the set of its fields was declared. */
export interface HolderThen {
  readonly set: string
  readonly holder: JsonObject
  readonly then: Then
}

/** Widgets are declared once for all areas; all else is declared where it lies. */
export function setOf(holder: JsonObject, path: string): string {
  return holder.metaType === 'widget' ? widgetSet(String(holder.type)) : path
}

/** The names under which values of a field type are stored, also of one that the site no longer has. */
export function namesUnder(type: string, field: string): readonly string[] {
  return propertyNames({ name: field, type: fieldTypes.get(type) ?? {} })
}

/** Sets aside what a holder stores of a field under these names. Changes the holder. */
export function moveAside(at: HolderThen, field: string, names: readonly string[], was: Declaration): void {
  const aside = takeOut(at, field, names, was)
  if (aside !== null) setAside(at.holder, field, aside)
}

/** Takes what a holder stores of a field under these names out of it; null when that is nothing. Changes the holder. */
export function takeOut(
  { set, holder, then }: HolderThen,
  field: string,
  names: readonly string[],
  was: Declaration,
): Aside | null {
  const stored = names.filter((name) => Object.hasOwn(holder, name))
  if (stored.length === 0) return null
  const values = Object.fromEntries(stored.map((name) => [name, holder[name] ?? null]))
  for (const name of stored) delete holder[name]
  if (isNothing(values)) return null
  const holdsHidden = Object.values(values).some((value) => isHiddenIn(declarationPath(set, field), value, then))
  return { ...was, ...(holdsHidden ? { holdsHidden } : {}), values }
}

/** Whether a value contains one of a field that was secret, or that needed a role to be seen. */
function isHiddenIn(path: string, value: Json, then: Then): boolean {
  if (Array.isArray(value)) return value.some((one) => isHiddenIn(path, one, then))
  if (!isObject(value)) return false
  const set = setOf(value, path)
  const inner = then.namesIn(set).map((name) => ({ name, was: then.declared(declarationPath(set, name)) }))
  const isHere = inner.some(({ name, was }) => {
    if (was === null || !(was.secret || (was.audience !== null && was.audience !== 'public'))) return false
    return namesUnder(was.type, name).some((property) => Object.hasOwn(value, property))
  })
  if (isHere) return true
  const declared = new Set(inner.map(({ name }) => name))
  return Object.entries(value).some(([name, one]) =>
    isHiddenIn(declared.has(name) ? declarationPath(set, name) : set, one, then),
  )
}

/** Empty values need not be set aside. */
export function isNothing(value: Json): boolean {
  if (value === null || value === '' || value === false) return true
  if (Array.isArray(value)) return value.every(isNothing)
  if (!isObject(value)) return false
  return Object.entries(value).every(([name, one]) => name === '_id' || name === 'metaType' || isNothing(one))
}
