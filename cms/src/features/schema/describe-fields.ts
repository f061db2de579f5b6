import type { FieldInfo, GroupInfo } from 'quire-client'
import { innerFilterKind } from '../../engine/lists/filter-kind.ts'
import type { Viewer } from '../../engine/permissions.ts'
import { type Views, viewsOf } from '../../engine/view.ts'
import type { Field, FieldGroup, Fields, SchemaUse } from '../../model/field-type/field-type.ts'
import { area, usesOf } from '../../model/fields/area.ts'
import { fieldTypes } from '../../model/fields/index.ts'
import { targetsOf } from '../../model/values/walk.ts'
import { asJson, optionsOf } from './field-options.ts'
import { reasonFor } from './reasons.ts'

/** How lists can be filtered and sorted by a field. */
type Listing = Pick<FieldInfo, 'filter' | 'isSortable'>
type ListingOf = (field: Field) => Listing

/** Describes fields as far as the caller may know of them, and remembers the widget types that their areas allow. */
export class FieldDescriber {
  /** The names of widget types, in the order in which they were met. */
  readonly widgets = new Set<string>()
  readonly #viewer: Viewer
  readonly #views: Views

  constructor(viewer: Viewer) {
    this.#viewer = viewer
    this.#views = viewsOf(viewer)
  }

  /** The fields that are not hidden from the caller. */
  describe(fields: readonly Field[], listing: ListingOf = innerListing): FieldInfo[] {
    const seen = fields.filter((field) => this.#sees(field))
    const names = new Set(seen.map(({ name }) => name))
    return seen.map((field) => ({ ...this.#describeOne(field, names), ...listing(field) }))
  }

  #sees(field: Field): boolean {
    if (this.#views.hides(field)) return false
    const targets = targetsOf(field)
    return targets.length === 0 || targets.some((name) => this.#views.related(name) !== null)
  }

  #describeOne(field: Field, neighbours: ReadonlySet<string>): FieldInfo {
    const { name, type, label, help, placeholder, required, def, readOnly, unique, options } = field
    if (type === area) for (const use of usesOf(field).keys()) this.widgets.add(use)
    const inner = type.innerFields?.(options)
    const locked = this.#lockOf(field)
    return {
      name,
      type: type.name,
      label,
      ...(help !== null && { help }),
      ...(placeholder !== null && { placeholder }),
      ...(required && { required }),
      ...(def !== undefined && { def }),
      ...(field.if !== null && this.#views.isFor(field.ifRole) && { if: field.if }),
      ...(readOnly && { readOnly }),
      ...(unique && { unique }),
      options: optionsOf(field, this.#views, neighbours),
      ...(inner && inner.list.length > 0 && this.#inside(field, inner)),
      ...(locked && { locked }),
      ...(!fieldTypes.has(type.name) && { schema: this.#schemaOf(field) }),
    }
  }

  /** The fields inside of a field; those of a relationship cannot be filtered by. */
  #inside({ type }: Field, { list, groups }: Fields): Pick<FieldInfo, 'fields' | 'groups'> {
    const fields = this.describe(list, type.relation === undefined ? innerListing : unlisted)
    const shown = groupsOf(groups, fields)
    return { fields, ...(shown.length > 0 && { groups: shown }) }
  }

  #lockOf(field: Field): FieldInfo['locked'] | null {
    if (field.type.computed) return { reason: 'system' }
    const { site, actor } = this.#viewer
    return reasonFor(actor, (one) => viewsOf({ site, actor: one }).mayWrite(field))
  }

  /** The values of a field type of the site, as bodies have them. */
  #schemaOf({ type, options }: Field): NonNullable<FieldInfo['schema']> {
    const use: SchemaUse = {
      side: 'body',
      isFilled: true,
      shows: (field) => this.#views.mayWrite(field) && !field.readOnly,
      widget: (name) => name,
      related: () => ({ type: 'object' }),
    }
    return asJson(type.jsonSchema(options, use))
  }
}

function innerListing(field: Field): Listing {
  const filter = innerFilterKind(field)
  return filter === null ? {} : { filter }
}

const unlisted: ListingOf = () => ({})

/** The declared groups with the fields that are seen; a group without any is left out. */
export function groupsOf(groups: Fields['groups'], fields: readonly FieldInfo[]): GroupInfo[] {
  const names = new Set(fields.map(({ name }) => name))
  return (groups ?? []).flatMap((group) => groupOf(group, names) ?? [])
}

function groupOf({ name, label, fields, groups }: FieldGroup, names: ReadonlySet<string>): GroupInfo | null {
  const shown = fields.filter((field) => names.has(field))
  const sections = groups.flatMap((section) => groupOf(section, names) ?? [])
  if (shown.length === 0 && sections.length === 0) return null
  return { name, label, fields: shown, ...(sections.length > 0 && { groups: sections }) }
}
