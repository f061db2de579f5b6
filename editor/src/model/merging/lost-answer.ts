import type { FieldInfo, Json, JsonObject } from 'quire-client'
import { copyField, idOf, isLocked, itemsOf, kindOf, readField, type Shapes, withItems, writeField } from '../fields.ts'
import type { Operation } from '../form.ts'
import { isObject, sameJson } from '../json.ts'
import { sentValue } from '../patching/sent-form.ts'
import type { Holder, Places } from '../places.ts'
import { isLeftOut, type Sent } from './withheld.ts'

/** The document before saves whose answers were lost, what they sent, and the document as it is stored now. */
interface Saves extends Omit<Save<JsonObject>, 'sent'> {
  /** Of each save, in their order; the service took one of them at most. */
  readonly sent: readonly JsonObject[]
}

/**
 * The base for a merge after saves whose answers were lost: a sent value where it is what is stored; else the one
 * stored before. So what a save itself changed is nobody else's change.
 */
export function baseAfterLostAnswers(shapes: Shapes, fields: readonly FieldInfo[], saves: Saves): JsonObject {
  const { before, stored } = saves
  return saves.sent.reduce((base, sent) => baseOfHolder(shapes, fields, { before: base, sent, stored }), before)
}

interface Save<Value> {
  readonly before: Value
  readonly sent: Value
  readonly stored: Value
}

function baseOfHolder(shapes: Shapes, fields: readonly FieldInfo[], save: Save<JsonObject>): JsonObject {
  let base = save.before
  for (const field of fields) {
    const before = readField(field, save.before)
    const values = { before, sent: readField(field, save.sent), stored: readField(field, save.stored) }
    const value = isLocked(field) ? before : baseOf(shapes, field, values)
    if (value !== before) base = writeField(field, base, value)
  }
  return base
}

function baseOf(shapes: Shapes, field: FieldInfo, { before, sent, stored }: Save<Json>): Json {
  const kind = kindOf(field)
  if (kind === 'items') return baseOfItems(shapes, field, { before, sent, stored })
  if (kind === 'object' && isObject(before) && isObject(sent) && isObject(stored)) {
    return baseOfHolder(shapes, field.fields ?? [], { before, sent, stored })
  }
  return isStoredForm(shapes, field, stored, sent) ? stored : before
}

function baseOfItems(shapes: Shapes, field: FieldInfo, values: Save<Json>): Json {
  const [before, sent, stored] = [values.before, values.sent, values.stored].map(byId)
  if (before === undefined || sent === undefined || stored === undefined) return values.before
  const isArrived = (id: string) => sent.has(id) === stored.has(id)
  const ofSent = [...sent.keys()].filter((id) => isArrived(id))
  const isOrdered = sameJson(ofSent, [...stored.keys()].filter(isArrived))
  const ids = isOrdered ? [...ofSent, ...before.keys()] : [...before.keys(), ...ofSent]
  const items = [...new Set(ids)].flatMap((id): readonly JsonObject[] => {
    const [old, here, there] = [before.get(id), sent.get(id), stored.get(id)]
    if (here && there) return [baseOfItem(shapes, field, { before: old, sent: here, stored: there })]
    return old && !(here === undefined && there === undefined) ? [old] : []
  })
  return withItems(field, values.before, items)
}

function baseOfItem(shapes: Shapes, list: FieldInfo, { before: old, sent, stored }: ItemSave): JsonObject {
  const fields = shapes.ofItem(list, stored) ?? []
  // Of an item that is new, what the service has added is no change of it.
  const before = old ?? fields.reduce((item, field) => copyField(field, item, sent), stored)
  const isOneType = before.type === sent.type && sent.type === stored.type
  return isOneType || list.type === 'array' ? baseOfHolder(shapes, fields, { before, sent, stored }) : before
}

/** An item that the save may have made. */
interface ItemSave extends Omit<Save<JsonObject>, 'before'> {
  readonly before: JsonObject | undefined
}

function byId(list: Json): ReadonlyMap<string, JsonObject> {
  return new Map(itemsOf(list).map((item) => [idOf(item), item]))
}

/** Decides for operations that a save covered whether this base has what they did. */
export function isStoredIn(places: Places, base: Holder): (operation: Operation, sent: Sent) => boolean {
  return (operation, sent) => {
    const { path } = operation
    if (isLeftOut(sent, path)) return false
    const [here, there] = [places.field(base, path), places.field({ ...base, values: sent.values }, path)]
    if (here === null || there === null) return here === there
    if (operation.kind === 'set') return isStoredForm(places.shapes, here.field, here.value, there.value)
    const [stored, wanted] = [byId(here.value), byId(there.value)]
    if (operation.kind !== 'move') return stored.has(operation.id) === wanted.has(operation.id)
    const isInBoth = (id: string) => stored.has(id) && wanted.has(id)
    return sameJson([...stored.keys()].filter(isInBoth), [...wanted.keys()].filter(isInBoth))
  }
}

/** Whether a value is what the service makes of another one: it stores texts without surrounding space, none as ''. */
function isStoredForm(shapes: Shapes, field: FieldInfo, one: Json, other: Json): boolean {
  return sameJson(trimmed(sentValue(shapes, field, one)), trimmed(sentValue(shapes, field, other)))
}

function trimmed(value: Json): Json {
  if (value === null) return ''
  if (typeof value === 'string') return value.trim()
  if (Array.isArray(value)) return value.map(trimmed)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, trimmed(one ?? null)]))
}
