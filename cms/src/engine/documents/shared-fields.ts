import type { JsonObject } from '../../base/json.ts'
import { declarationOf, storesAlike } from '../../model/declarations.ts'
import type { Field } from '../../model/fields/field-type.ts'
import { propertyNames } from '../../model/property-names.ts'
import type { Type } from '../../model/types.ts'

/** What two types both have: fields of one name that are declared alike, and that the same callers may see (§5). */
export function sharedFields(from: Type, to: Type, fields: JsonObject): JsonObject {
  const isShared = (field: Field) => {
    const other = to.fields.byName.get(field.name)
    if (other === undefined || other.viewRole !== field.viewRole) return false
    return storesAlike(declarationOf(other), declarationOf(field))
  }
  const names = from.fields.list.filter(isShared).flatMap((field) => [field.name, ...propertyNames(field)])
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))
}
