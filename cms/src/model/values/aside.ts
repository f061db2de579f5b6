import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import type { Fields } from '../field-type/field-type.ts'
import { DOCUMENT_PROPERTIES } from '../terms/property-labels.ts'
import type { Audience } from '../terms/roles.ts'
import { withoutTags } from './html-text.ts'
import { propertyNames } from './walk.ts'

/**
 * Where a holder keeps values that its fields, as they are declared now, do not take (§2.14): by the
 * name of the field, what was stored, and how the field was declared. Never sent, and never part of a version.
 */
export const ASIDE = '_aside'

/** A value that is set aside. */
export interface Aside {
  /** The field type it was stored under. */
  readonly type: string
  readonly secret: boolean
  readonly audience: Audience
  /** It holds a secret, or a value of a field that had a role of its own: its text is shown to nobody. */
  readonly holdsHidden?: boolean
  /** The epoch in which it was stored, where that is unknown. */
  readonly epoch?: number
  /** By the names of the properties that stored it. */
  readonly values: JsonObject
}

/** The values that a holder has set aside, by field name. */
export function asidesOf(holder: JsonObject): { readonly [field: string]: Aside } {
  // `as`: only `setAside` and `stillAside` write it.
  return (holder[ASIDE] ?? {}) as unknown as { readonly [field: string]: Aside }
}

/** Sets aside the stored value of a field; null drops it. Changes the holder. */
export function setAside(holder: JsonObject, field: string, aside: Aside | null): void {
  // `as`, here and below: an `Aside` is JSON.
  const asides = asidesOf(holder) as { [field: string]: Aside }
  if (aside === null) delete asides[field]
  else asides[field] = aside
  if (Object.keys(asides).length === 0) delete holder[ASIDE]
  else holder[ASIDE] = asides as unknown as JsonObject
}

/** The values that stay aside when a holder is written: those whose field has no new value. */
export function stillAside(before: JsonObject, isFilled: (field: string) => boolean): Json | undefined {
  const kept = Object.entries(asidesOf(before)).filter(([field]) => !isFilled(field))
  // `as`: an `Aside` is JSON.
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as unknown as JsonObject)
}

/** True when anything is set aside, at any depth. */
export function holdsAsides(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, ASIDE) || Object.values(value).some(holdsAsides)
}

/** Removes what is set aside from a value, at any depth. */
export function dropAsides(value: Json): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) delete value[ASIDE]
  for (const inner of Object.values(value)) dropAsides(inner)
}

/**
 * Stands for all values of a widget that the caller may not see, when contents are compared: it differs when they do.
 * Never sent.
 */
export const DIGEST = '_digest'

/** A value without what is never sent of it, at any depth. */
export function sendable(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sendable)
  const entries = Object.entries(value).filter(([name]) => name !== ASIDE && name !== DIGEST)
  return Object.fromEntries(entries.map(([name, one]) => [name, sendable(one)]))
}

/** The ids of uploaded files in the values that a holder has set aside: they are in use. */
export function filesAside(holder: JsonObject): readonly string[] {
  const aside = holder[ASIDE]
  return aside === undefined ? [] : filesIn(aside)
}

function filesIn(value: Json): string[] {
  if (typeof value !== 'object' || value === null) return []
  if (!Array.isArray(value) && value.type === 'attachment' && typeof value._id === 'string') return [value._id]
  return Object.values(value).flatMap(filesIn)
}

/** The text of a value set aside, read without its declaration, which is gone. */
export function textOfAside({ values }: Aside): string {
  return textsIn(values).join(', ')
}

const NO_TEXT = new Set(['_id', 'metaType', 'type'])

/** Returns the texts of a value set aside, without parsing it: it need not have been rich text. */
function textsIn(value: Json): string[] {
  if (value === null || value === '') return []
  if (typeof value === 'string') return [value.startsWith('<') ? withoutTags(value) : value]
  if (typeof value !== 'object') return [String(value)]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return Object.entries(value).flatMap(([name, one]) => (NO_TEXT.has(name) ? [] : textsIn(one)))
}

/**
 * Begins the names under which a process of an older site keeps values that it does not know: they survive its saves,
 * and nobody sees them. Alone it says, in a document, that there are some.
 */
const UNKNOWN = '*'

const INTERNAL = new Set([
  ASIDE,
  '_id',
  'metaType',
  'type',
  'copyOfId',
  'scopedObjectName',
  'scopedArrayName',
  ...DOCUMENT_PROPERTIES,
])

/** Keeps what a holder stores that no field claims, as stored in an epoch which is unknown here. Changes the holder. */
export function keepUnknown(fields: Fields, holder: JsonObject, epoch: number): void {
  const claimed = new Set(fields.list.filter(({ type }) => !type.computed).flatMap(propertyNames))
  for (const [name, value] of Object.entries(holder)) {
    if (claimed.has(name) || INTERNAL.has(name)) continue
    delete holder[name]
    setAside(holder, UNKNOWN + name, { ...HIDDEN, epoch, values: { [name]: value } })
  }
}

const HIDDEN = { type: 'unknown', secret: true, audience: 'admin' } as const

/** Says that a content of an unknown epoch was read: parts of it may have been kept. */
export function markUnknown(content: JsonObject, epoch: number): void {
  setAside(content, UNKNOWN, { ...HIDDEN, epoch, values: {} })
}

/** The epoch of what is kept in a content; null when there is nothing. */
export function unknownEpoch(content: JsonObject): number | null {
  return asidesOf(content)[UNKNOWN]?.epoch ?? null
}

/** Puts back what is kept in a content, at any depth, unless something else was written in its place. Changes it. */
export function restoreUnknown(content: Json): void {
  if (typeof content !== 'object' || content === null) return
  if (isObject(content)) restoreIn(content as JsonObject)
  for (const inner of Object.values(content)) restoreUnknown(inner)
}

function restoreIn(holder: JsonObject): void {
  for (const [name, { values }] of Object.entries(asidesOf(holder))) {
    if (!name.startsWith(UNKNOWN)) continue
    setAside(holder, name, null)
    for (const [property, value] of Object.entries(values))
      if (!Object.hasOwn(holder, property)) holder[property] = value
  }
}
