import { invalid } from '../../base/errors.ts'
import { copyJson, isObject, type Json, type JsonObject } from '../../base/json.ts'
import type { Field, Fields } from '../../model/field-type/field-type.ts'
import { isNothing } from '../../model/history/fit-to-declarations.ts'
import type { OpenDocument } from '../../model/terms/document.ts'
import { asidesOf, setAside } from '../../model/values/aside.ts'
import { dropField, isNamedIn, propertyNames, storedValue, topOf, walk } from '../../model/values/walk.ts'
import type { Changes, ContentChanges, MigratedDocument } from './migration.ts'
import type { FieldSet, NewValues } from './steps.ts'

/** Makes the new values of a copy; null when it stays as it is. */
export type MapCopy = (fields: Fields, copy: OpenDocument) => Promise<NewValues | null>

/** Maps the values of one field, wherever holders of it lie in a document. */
export function fieldMapper(set: FieldSet, path: string, map: Parameters<ContentChanges['mapField']>[2]): MapCopy {
  return async (fields, copy) => {
    const values = copyJson(copy.fields)
    const touched = new Set<string>()
    const document = migratedDocument(copy)
    for (const located of [...walk(fields, values)]) {
      if (!isMapped(set, path, located)) continue
      const { field, values: holder } = located
      const mapped = await map(formerValue(field, holder), document)
      if (mapped === undefined) continue
      dropField(field, holder)
      holder[field.name] = mapped
      // Its new value takes the place of the one that was set aside.
      setAside(holder, field.name, null)
      touched.add(topOf(located).field.name)
    }
    return touched.size === 0 ? null : { values, touched }
  }
}

type Located = Parameters<typeof topOf>[0]

function isMapped({ family, name }: FieldSet, path: string, located: Located): boolean {
  const steps = path.split('.')
  let at: Located | null = located
  for (const step of steps.toReversed()) {
    if (at === null || at.field.name !== step) return false
    if (family === 'widget' && at.values.metaType === 'widget') return at.values.type === name && step === steps[0]
    at = at.parent
  }
  return family === 'document' && at === null
}

/** The stored value, or the one that was set aside where nothing has taken its place. */
function formerValue(field: Field, holder: JsonObject): Json {
  const value = storedValue(field, holder)
  const aside = asidesOf(holder)[field.name]
  return aside === undefined || aside.secret || !isNothing(value)
    ? inputForm(value)
    : asideValue(field.name, aside.values)
}

/** Returns a value that was set aside; for relationships, their ids and fields. */
function asideValue(name: string, values: JsonObject): Json {
  const names = Object.keys(values)
  return names.length === 1 ? (Object.values(values)[0] ?? null) : copyJson(values[name] ?? values)
}

/** A relationship as its ids; everything else as it is stored. */
function inputForm(value: Json): Json {
  return isObject(value) && Array.isArray(value.ids) ? value.ids : value
}

/** Changes what a function returns of each copy. */
export function documentMapper({ name }: FieldSet, map: Parameters<ContentChanges['mapDocuments']>[1]): MapCopy {
  return async (fields, copy) => {
    const changes = await map(migratedDocument(copy))
    if (changes === undefined) return null
    if (!isObject(changes)) throw invalid('mapDocuments takes an object of fields from its function, or undefined.')
    const touched = touchedBy(name, fields, changes)
    const values = copyJson(copy.fields)
    for (const field of fields.list) if (touched.has(field.name)) dropField(field, values)
    return touched.size === 0 ? null : { values: { ...values, ...copyJson(changes as JsonObject) }, touched }
  }
}

function touchedBy(type: string, fields: Fields, changes: Changes): ReadonlySet<string> {
  const given = new Set(Object.keys(changes))
  const touched = fields.list.filter((field) => isNamedIn(field, given))
  const known = new Set(touched.flatMap((field) => [field.name, ...propertyNames(field)]))
  const unknown = [...given].find((name) => !known.has(name))
  if (unknown !== undefined) throw invalid(`${type} has no field ${unknown}.`)
  return new Set(touched.map((field) => field.name))
}

function migratedDocument({ id, type, fields }: OpenDocument): MigratedDocument {
  const asides = Object.entries(asidesOf(fields)).filter(([, { secret }]) => !secret)
  const former = Object.fromEntries(asides.map(([name, { values }]) => [name, asideValue(name, values)]))
  const { _aside: _, ...values } = copyJson(fields)
  return { aposDocId: id.docId, locale: id.locale, mode: id.mode, type, values, former }
}
