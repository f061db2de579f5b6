import type { JsonObject } from '../base/json.ts'
import { asidesOf, setAside } from './aside.ts'
import { blankProperties } from './blank.ts'
import { type Declaration, declarationOf, declarationPath, storesAlike } from './declarations.ts'
import type { Field, Fields } from './fields/field-type.ts'
import { isNothing, moveAside, namesUnder, setOf, type Then } from './move-aside.ts'
import { propertyNames } from './property-names.ts'
import { takesUnchanged } from './schema.ts'
import { isStored, storedValue } from './walk.ts'

/**
 * Reads what is stored against the fields as they are declared now, at any depth (§2.14): values that
 * they do not accept unchanged are set aside and left blank; they return once their field accepts them again.
 * `set` names the set of fields (`article`, `widget:quote`). Changes the holder.
 */
export function settle(set: string, fields: Fields, holder: JsonObject, then: Then): void {
  setAsideGone(set, fields, holder, then)
  for (const field of fields.list) {
    if (field.type.computed) continue
    settleField(set, field, holder, then)
    if (field.type.children === undefined) continue
    const value = storedValue(field, holder)
    if (value === null) continue
    for (const { values, fields: inner } of field.type.children(value, field.options)) {
      settle(setOf(values, declarationPath(set, field.name)), inner, values, then)
    }
  }
}

function settleField(set: string, field: Field, holder: JsonObject, then: Then): void {
  const was = then.declared(declarationPath(set, field.name))
  const wasStored = isStored(field, holder)
  if (wasStored && !(was === null ? isHarmless(field, holder, then) : fits(field, holder, was))) {
    const declared = was ?? { ...declarationOf(field), audience: 'admin' as const }
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
function fits(field: Field, holder: JsonObject, was: Omit<Declaration, 'audience'>): boolean {
  const now = declarationOf(field)
  if (storesAlike(was, now)) return true
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
