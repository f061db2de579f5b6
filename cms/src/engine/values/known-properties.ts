import { own, type UnknownObject } from '../../base/json.ts'
import { oncePer } from '../../base/lazy.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Field, Fields } from '../../model/field-type/field-type.ts'
import { area, usesOf } from '../../model/fields/area.ts'
import {
  BODY_PROPERTIES,
  DOCUMENT_PROPERTIES,
  GLOBAL_PROPERTIES,
  ITEM_PROPERTIES,
  PAGE_PROPERTIES,
  SCHEDULE_PROPERTIES,
  WIDGET_PROPERTIES,
} from '../../model/terms/property-labels.ts'
import { propertyNames } from '../../model/values/walk.ts'
import type { Context } from '../context.ts'

// The names that documents and their parts may have in a body.

/** Properties of answers to writes that are about the write, and not about the document. */
const WRITE_ANSWERS = ['localized', 'notRestored']
/** Names of the values of an area, with those that answers annotate it with. */
export const AREA_PROPERTIES = new Set([
  ...ITEM_PROPERTIES,
  '_rendered',
  '_aposAnnotated',
  'items',
  'field',
  'options',
  'choices',
])
/** Names of the other parts; rich text is answered with what it links to. */
export const PART_PROPERTIES = new Set([...WIDGET_PROPERTIES, ...ITEM_PROPERTIES, 'permalinkIds', 'imageIds'])
/** Names at the top of a document in addition to its fields: those that bodies may have, and those that are answered. */
export function propertiesOf({ site }: Pick<Context, 'site'>, { name, family, scheduling }: Type): readonly string[] {
  return [
    ...BODY_PROPERTIES,
    ...DOCUMENT_PROPERTIES,
    ...WRITE_ANSWERS,
    ...(family === 'page' ? PAGE_PROPERTIES : []),
    ...(scheduling ? SCHEDULE_PROPERTIES : []),
    ...(name === `${site.namespace}/global` ? GLOBAL_PROPERTIES : []),
  ]
}

/** The fields by their names, and by those under which their values are stored. */
export const byAnyName = oncePer(({ list, byName }: Fields): ReadonlyMap<string, Field> => {
  const stored = list.flatMap((field) => propertyNames(field).map((name) => [name, field] as const))
  return new Map([...stored, ...byName])
})

/** The fields of a part of a value; undefined where it has none, or is nothing that is allowed there. */
export function insideOf(field: Field, part: UnknownObject): Fields | undefined {
  if (field.type === area) return usesOf(field).get(String(own(part, 'type')))?.fields
  return field.type.innerFields?.(field.options)
}

/** The fields of all parts that a value may have. */
export function insidesOf(field: Field): Fields[] {
  if (field.type === area) return Array.from(usesOf(field).values(), ({ fields }) => fields)
  const inner = field.type.innerFields?.(field.options)
  return inner === undefined ? [] : [inner]
}

/** The fields of all parts of a document, at any depth. */
export function partsOf(documents: readonly Fields[]): readonly Fields[] {
  const found = new Set<Fields>()
  const waiting = documents.flatMap(({ list }) => list.flatMap(insidesOf))
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (found.has(one)) continue
    found.add(one)
    waiting.push(...one.list.flatMap(insidesOf))
  }
  return [...found]
}
