import type { Site, Type } from '../declared/types.ts'
import type { Field, Fields } from '../field-type/field-type.ts'
import type { Choice } from '../field-type/value-terms.ts'
import type { Audience } from '../terms/roles.ts'
import { isNamedIn } from '../values/walk.ts'

/** How a field is declared, as far as what is stored of it depends on that (§2.14). */
export interface Declaration {
  /** The field type's name. */
  readonly type: string
  readonly secret: boolean
  readonly audience: Audience
  /** The values to choose from; null where any may be stored, or where that is unknown. */
  readonly choices: Choices | null
}

/** Values of choices. */
export type Choices = readonly Choice['value'][]

/** The name of the set of fields that widgets of a type hold, wherever they lie. */
export function widgetSet(widgetType: string): string {
  return `widget:${widgetType}`
}

/** The path of a field of a set: `article/links`, `article/links/to`, `widget:quote/words`. */
export function declarationPath(set: string, field: string): string {
  return `${set}/${field}`
}

/** Returns the declarations of all fields of a site, by path. */
export function declarationsOf(site: Pick<Site, 'types' | 'widgets'>): ReadonlyMap<string, Declaration> {
  const found = new Map<string, Declaration>()
  for (const type of site.types.values()) {
    for (const [path, field] of fieldsIn(type.name, type.fields)) {
      const isOfType = type.fields.byName.get(field.name) === field
      found.set(path, { ...declarationOf(field), audience: isOfType ? audienceIn(type, field) : audienceOf(field) })
    }
  }
  for (const widget of site.widgets.values()) {
    for (const [path, field] of fieldsIn(widgetSet(widget.name), widget.fields)) {
      found.set(path, { ...declarationOf(field), audience: audienceOf(field) })
    }
  }
  return found
}

/** The paths of fields that the index holds in addition to those of every type: unique ones a second time, and inner ones. */
export function indexedPaths({ types, widgets }: Pick<Site, 'types' | 'widgets'>): readonly string[] {
  const ofTypes = [...types.values()].flatMap(({ name, fields }) => [...fieldsIn(name, fields)])
  const ofWidgets = [...widgets.values()].flatMap(({ name, fields }) => [...fieldsIn(widgetSet(name), fields)])
  return [...ofTypes, ...ofWidgets].flatMap(([path, { unique, filterable }]) => [
    ...(unique ? [path] : []),
    ...(filterable ? [`filterable ${path}`] : []),
  ])
}

function* fieldsIn(set: string, fields: Fields): Generator<readonly [path: string, field: Field]> {
  for (const field of fields.list) {
    const path = declarationPath(set, field.name)
    yield [path, field]
    const inner = field.type.innerFields?.(field.options)
    if (inner) yield* fieldsIn(path, inner)
  }
}

/** Returns the declaration of a field, without its audience. */
export function declarationOf(field: Field): Omit<Declaration, 'audience'> {
  const { type, options } = field
  return { ...kindOf(field), choices: type.choices?.(options).map(({ value }) => value) ?? null }
}

/** The part of a declaration that says how a value is stored. */
export type FieldKind = Pick<Declaration, 'type' | 'secret'>

/** Returns what the values of a field are: which type of field they are of, and whether they are secrets. */
export function kindOf({ type }: Field): FieldKind {
  return { type: type.name, secret: type.secret !== undefined }
}

/** True when values of one kind mean the same as values of the other. */
export function isSameKind(one: FieldKind, other: FieldKind): boolean {
  return one.type === other.type && one.secret === other.secret
}

/** True when every value that was stored under one declaration is a value of the other, too. */
export function takesAllOf(was: Omit<Declaration, 'audience'>, is: Omit<Declaration, 'audience'>): boolean {
  if (!isSameKind(was, is) || is.choices === null) return isSameKind(was, is)
  const choices = new Set(is.choices)
  return was.choices?.every((value) => choices.has(value)) ?? false
}

function audienceOf({ viewRole }: Field): Audience {
  return viewRole
}

/** Returns the audience of a top-level field of a type. */
export function audienceIn({ publicProjection }: Type, field: Field): Audience {
  if (field.viewRole !== null) return field.viewRole
  return publicProjection !== null && isNamedIn(field, publicProjection) ? 'public' : null
}
