import type { Site, Type } from '../declared/types.ts'
import type { Field, Fields } from '../field-type/field-type.ts'
import type { Audience } from '../values/aside.ts'
import { isNamedIn } from '../values/property-names.ts'

/** How a field is declared, as far as what is stored of it depends on that (§2.14). */
export interface Declaration {
  /** The field type's name. */
  readonly type: string
  readonly secret: boolean
  readonly audience: Audience
}

/** The name of the set of fields that widgets of a type hold, wherever they lie. */
export function widgetSet(widgetType: string): string {
  return `widget:${widgetType}`
}

/** The path of a field of a set: `article/links`, `article/links/to`, `widget:quote/words`. */
export function declarationPath(set: string, field: string): string {
  return `${set}/${field}`
}

/** How all fields of a site are declared, by path. */
export function declarationsOf(site: Pick<Site, 'types' | 'widgets'>): ReadonlyMap<string, Declaration> {
  const found = new Map<string, Declaration>()
  for (const type of site.types.values()) addFields(found, type.name, type.fields, (field) => audienceIn(type, field))
  for (const widget of site.widgets.values()) addFields(found, widgetSet(widget.name), widget.fields, audienceOf)
  return found
}

function addFields(
  found: Map<string, Declaration>,
  set: string,
  fields: Fields,
  audience: (field: Field) => Audience,
): void {
  for (const field of fields.list) {
    const { name, type, options } = field
    const path = declarationPath(set, name)
    found.set(path, { ...declarationOf(field), audience: audience(field) })
    const inner = type.innerFields?.(options)
    if (inner) addFields(found, path, inner, audienceOf)
  }
}

/** How a field is declared, except who may see it. */
export function declarationOf({ type }: Field): Omit<Declaration, 'audience'> {
  return { type: type.name, secret: type.secret !== undefined }
}

/** True when a value stored under one declaration means the same under the other. */
export function storesAlike(one: Omit<Declaration, 'audience'>, other: Omit<Declaration, 'audience'>): boolean {
  return one.type === other.type && one.secret === other.secret
}

function audienceOf({ viewRole }: Field): Audience {
  return viewRole
}

function audienceIn({ publicProjection }: Type, field: Field): Audience {
  if (field.viewRole !== null) return field.viewRole
  return publicProjection !== null && isNamedIn(field, publicProjection) ? 'public' : null
}
