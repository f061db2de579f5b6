import type { FieldInfo, Json, JsonObject, Schema } from 'quire-client'
import type { Site } from '../../cms/src/model/declared/types.ts'
import type { Field, Fields } from '../../cms/src/model/field-type/field-type.ts'
import { usesOf } from '../../cms/src/model/fields/area.ts'
import { targetsOf } from '../../cms/src/model/values/walk.ts'

/** What the editor's model takes of a schema. */
export type TestSchema = Pick<Schema, 'types' | 'widgets'>

/** The schema of a compiled site, as an admin would be answered it. */
export function schemaOf(site: Site): TestSchema {
  const types = [...site.types.values()].map((type) => [type.name, madeUpType(describe(type.fields))] as const)
  const widgets = [...site.widgets.values()].map(({ name, label, fields }) => {
    return [name, { label, groups: [], fields: describe(fields) }] as const
  })
  return { types: Object.fromEntries(types), widgets: Object.fromEntries(widgets) }
}

/** A type with these fields. */
export function madeUpType(fields: readonly FieldInfo[]): Schema['types'][string] {
  const labels = { label: 'Note', pluralLabel: 'Notes' }
  return { family: 'piece', ...labels, fields, groups: [], localized: true, versions: true, sort: '', denied: {} }
}

/** A field as the schema describes it. */
export function field(name: string, type: string, more: Partial<FieldInfo> = {}): FieldInfo {
  return { name, type, label: name, options: {}, ...more }
}

/** Fields as the schema describes them. */
export function describe(fields: Fields): FieldInfo[] {
  return fields.list.map((one) => {
    const { name, label, type, required, def, readOnly } = one
    const inner = type.innerFields?.(one.options)
    return {
      name,
      type: type.name,
      label,
      options: optionsOf(one),
      ...(required && { required }),
      ...(readOnly && { readOnly }),
      ...(def !== undefined && { def }),
      // `as`: a condition is JSON.
      ...(one.if !== null && { if: one.if as JsonObject }),
      ...(inner && inner.list.length > 0 && { fields: describe(inner) }),
    }
  })
}

function optionsOf(one: Field): JsonObject {
  const entries = Object.entries(one.options).flatMap(([name, value]): [string, Json][] => {
    if (value instanceof RegExp) return [[name, value.source]]
    const isPlain = ['min', 'max', 'choices', 'toolbar', 'styles', 'page'].includes(name)
    // `as`: these options are JSON.
    return isPlain && value !== undefined ? [[name, value as Json]] : []
  })
  return {
    ...Object.fromEntries(entries),
    ...(one.type.name === 'area' && { widgets: Object.fromEntries([...usesOf(one).keys()].map((name) => [name, {}])) }),
    ...(one.type.relation !== undefined && { withType: targetsOf(one) }),
  }
}
