import type { FieldInfo, TypeInfo, WidgetInfo } from 'quire-client'
import { filterKind } from '../../engine/lists/filter-kind.ts'
import { defaultSort, sortNames } from '../../engine/lists/sorting.ts'
import type { Viewer } from '../../engine/permissions.ts'
import { hasUrls } from '../../engine/presentation/piece-urls.ts'
import { type TypeView, viewsOf } from '../../engine/view.ts'
import type { Type, WidgetType } from '../../model/declared/types.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import { type FieldDescriber, groupsOf } from './describe-fields.ts'
import { asJson } from './field-options.ts'
import { deniedOf } from './reasons.ts'

/** Describes a type as far as the caller sees it. */
export function describeType(viewer: Viewer, view: TypeView, describer: FieldDescriber): TypeInfo {
  const { type } = view
  const fields = describer.describe(view.fields.map(askedFor(type)), listingOf(viewer, view))
  const queries = queriesOf(type)
  return {
    family: type.family,
    label: type.label,
    pluralLabel: type.pluralLabel,
    ...pictureOf(type),
    fields,
    groups: groupsOf(type.fields.groups, fields),
    localized: type.localized,
    ...(type.autopublish && { autopublish: true }),
    ...(type.scheduling && { scheduling: true }),
    ...(type.singleton && { singleton: true }),
    versions: type.versions,
    ...((type.family === 'page' || hasUrls(viewer.site, type)) && { hasUrl: true }),
    ...piecesTypeOf(viewer, type),
    ...(type.slugPrefix !== '' && { slugPrefix: type.slugPrefix }),
    sort: sortOf(view),
    ...(queries.length > 0 && { queries }),
    denied: deniedOf(viewer, type),
  }
}

/** A type may make the titles of its documents itself. */
function askedFor({ hooks }: Type) {
  return (field: Field): Field => (field.name === 'title' && hooks.title ? { ...field, required: false } : field)
}

/** Describes a type of widgets as far as the caller sees its fields. */
export function describeWidget(widget: WidgetType, describer: FieldDescriber): WidgetInfo {
  const ofStyles = widget.styles.fields
  const fields = describer.describe(widget.fields.list.filter(({ name }) => !ofStyles.byName.has(name)))
  const styles = describer.describe(ofStyles.list)
  const { titleField } = widget
  return {
    label: widget.label,
    ...pictureOf(widget),
    fields,
    groups: groupsOf(widget.fields.groups, fields),
    ...(styles.length > 0 && { styles }),
    ...(titleField !== null && fields.some(({ name }) => name === titleField) && { titleField }),
  }
}

function pictureOf({ icon, description }: Pick<Type, 'icon' | 'description'>) {
  return { ...(icon !== null && { icon }), ...(description !== null && { description }) }
}

/** Lists of pieces are filtered and sorted by fields; the tree of pages has its own order. */
function listingOf({ site, actor }: Viewer, view: TypeView) {
  const sortable = new Set(sortNames(view))
  const ctx = { site, actor, locale: site.defaultLocale, mode: 'published' } as const
  return (field: Field): Pick<FieldInfo, 'filter' | 'isSortable'> => {
    if (view.type.family === 'page') return {}
    const filter = filterKind(ctx, view, field)
    return { ...(filter !== null && { filter }), ...(sortable.has(field.name) && { isSortable: true }) }
  }
}

function piecesTypeOf(viewer: Viewer, { index }: Type): Pick<TypeInfo, 'piecesType'> {
  if (index === null || viewsOf(viewer).hidesType(index.piecesType)) return {}
  return { piecesType: index.piecesType }
}

function sortOf(view: TypeView): string {
  const [first] = defaultSort(view)
  if (first === undefined) return '-updatedAt'
  const name = first.by === 'column' ? first.column : first.by === 'schedule' ? first.time : first.name
  return first.direction === 1 ? name : `-${name}`
}

function queriesOf({ queries }: Type): NonNullable<TypeInfo['queries']> {
  return Array.from(queries.values(), ({ name, description, jsonSchema }) => ({
    name,
    ...(description !== '' && { description }),
    schema: asJson(jsonSchema),
  }))
}
