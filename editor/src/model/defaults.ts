import type { FieldInfo, Json } from 'quire-client'
import { isEmpty } from './checking/emptiness.ts'
import { sameJson } from './json.ts'

/** The value of a field before anybody sets it. */
export function defaultOf({ type, def }: FieldInfo): Json {
  if (def !== undefined) return def
  if (type === 'relationship') return []
  return type === 'boolean' ? false : null
}

/** Whether a value is what the field has anyway. */
export function isDefault(field: FieldInfo, value: Json): boolean {
  const wanted = defaultOf(field)
  return sameJson(value, wanted) || (isEmpty(field, value) && isEmpty(field, wanted))
}
