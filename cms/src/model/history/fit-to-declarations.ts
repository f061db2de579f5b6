import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import type { Field, Fields } from '../field-type/field-type.ts'
import { fieldTypes } from '../fields/index.ts'
import { type Aside, asidesOf, keepUnknown, setAside } from '../values/aside.ts'
import { blankProperties } from '../values/blank.ts'
import { takesUnchanged } from '../values/schema.ts'
import { childrenOf, isStored, propertyNames, storedValue } from '../values/walk.ts'
import { type Declaration, declarationPath, type FieldKind, isSameKind, kindOf, widgetSet } from './declarations.ts'

/** How fields were declared when a holder was stored. */
export interface Then {
  /**
   * Returns the declaration of the field then, or the last one before it was removed; null: it was not known yet. Its
   * audience is the one that it had both then and last.
   */
  declared(path: string): Declaration | null
  /** The fields of a set that were declared then, or before. */
  namesIn(set: string): readonly string[]
  /** False: it was stored under declarations that are unknown here. */
  readonly isKnown: boolean
  /** False: all that was stored has its meaning, and only values that were set aside may return. */
  readonly isOther: boolean
  readonly epoch: number
}

/**
 * Reads what is stored against the fields as they are declared now, at any depth (§2.14): values that
 * they do not accept unchanged are set aside and left blank; they return once their field accepts them again.
 * `set` names the set of fields (`article`, `widget:quote`). Changes the holder.
 */
export function fitToDeclarations(set: string, fields: Fields, holder: JsonObject, then: Then): void {
  if (!then.isKnown) keepUnknown(fields, holder, then.epoch)
  setAsideGone(set, fields, holder, then)
  for (const field of fields.list) {
    if (field.type.computed) continue
    fitField(set, field, holder, then)
    for (const { values, fields: inner } of childrenOf(field, holder)) {
      fitToDeclarations(setOf(values, declarationPath(set, field.name)), inner, values, then)
    }
  }
}

function fitField(set: string, field: Field, holder: JsonObject, then: Then): void {
  const was = then.declared(declarationPath(set, field.name))
  const wasStored = isStored(field, holder)
  if (wasStored && !(was === null ? isHarmless(field, holder, then) : fits(field, holder, was))) {
    const declared = was ?? { ...kindOf(field), audience: 'admin' as const }
    moveAside({ set, holder, then }, field.name, propertyNames(field), declared)
  }
  bringBack(field, holder)
  if (wasStored && !isStored(field, holder))
    Object.assign(holder, blankProperties(field, String(holder._id ?? 'blank')))
}

/**
 * Fields that were not known yet have no values; those of an unknown declaration are looked at. Secrets never leave.
 */
function isHarmless(field: Field, holder: JsonObject, { isKnown }: Then): boolean {
  return isKnown || field.type.secret !== undefined || takesUnchanged(field, holder)
}

/** Whether a value that was stored under a declaration is one of the field as it is declared now. */
function fits(field: Field, holder: JsonObject, was: FieldKind): boolean {
  const now = kindOf(field)
  if (isSameKind(was, now) && field.type.choices === undefined) return true
  return !was.secret && !now.secret && takesUnchanged(field, holder)
}

/** Restores values set aside where nothing else was written meanwhile. */
function bringBack(field: Field, holder: JsonObject): void {
  const aside = asidesOf(holder)[field.name]
  const value = isStored(field, holder) ? storedValue(field, holder) : null
  if (aside === undefined || !isNothing(value) || !fits(field, aside.values, aside)) return
  setAside(holder, field.name, null)
  Object.assign(holder, aside.values)
}

/** Sets aside the values of fields that are no longer declared, in case they are declared again. */
function setAsideGone(set: string, fields: Fields, holder: JsonObject, then: Then): void {
  const claimed = new Set(fields.list.filter(({ type }) => !type.computed).flatMap(propertyNames))
  for (const name of then.namesIn(set)) {
    const now = fields.byName.get(name)
    const was = then.declared(declarationPath(set, name))
    if (was === null || (now !== undefined && !now.type.computed)) continue
    moveAside(
      { set, holder, then },
      name,
      namesUnder(was.type, name).filter((property) => !claimed.has(property)),
      was,
    )
  }
}

/** A holder, and how the set of its fields was declared. */
interface HolderThen {
  readonly set: string
  readonly holder: JsonObject
  readonly then: Then
}

/** Widgets are declared once for all areas; everything else is declared where it lies. */
function setOf(holder: JsonObject, path: string): string {
  return holder.metaType === 'widget' ? widgetSet(String(holder.type)) : path
}

/** The names under which values of a field type are stored, also of one that the site no longer has. */
export function namesUnder(type: string, field: string): readonly string[] {
  return propertyNames({ name: field, type: fieldTypes.get(type) ?? {} })
}

/** The record of a value that is set aside. */
type StoredAs = Omit<Declaration, 'choices'>

/** Sets aside what a holder stores of a field under these names. Changes the holder. */
function moveAside(at: HolderThen, field: string, names: readonly string[], was: StoredAs): void {
  const aside = takeOut(at, field, names, was)
  if (aside !== null) setAside(at.holder, field, aside)
}

/** Takes what a holder stores of a field under these names out of it; null when that is nothing. Changes the holder. */
export function takeOut(
  { set, holder, then }: HolderThen,
  field: string,
  names: readonly string[],
  { type, secret, audience }: StoredAs,
): Aside | null {
  const stored = names.filter((name) => Object.hasOwn(holder, name))
  if (stored.length === 0) return null
  const values = Object.fromEntries(stored.map((name) => [name, holder[name] ?? null]))
  for (const name of stored) delete holder[name]
  if (isNothing(values)) return null
  const holdsHidden = Object.values(values).some((value) => isHiddenIn(declarationPath(set, field), value, then))
  return { type, secret, audience, ...(holdsHidden ? { holdsHidden } : {}), values }
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
