import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import type { Site } from '../declared/types.ts'
import type { Field, Fields, Part } from '../field-type/field-type.ts'
import type { Segment } from '../field-type/value-terms.ts'
import { labelOf } from '../terms/property-labels.ts'
import { DIGEST } from '../values/aside.ts'
import { storedValue } from '../values/walk.ts'
import type { ChangeType, Step } from './content-change.ts'

/** Where a comparison is. */
export interface Path {
  readonly site: Pick<Site, 'widgets'>
  readonly steps: readonly Step[]
}

/** The path with further steps. */
export function under(path: Path, ...steps: readonly (Step | Segment)[]): Path {
  return { ...path, steps: [...path.steps, ...steps] }
}

/** Returns the key of a place, made of names and ids: it is alike in every version. */
export function keyOf(steps: readonly Step[]): string {
  return steps.map(({ name }) => name).join('.')
}

/** The step to a field. */
export function fieldStep({ name, label }: Pick<Field, 'name' | 'label'>): Step {
  return { name, label }
}

/** The step to an item, a widget or a related document. */
export function stepOf(site: Pick<Site, 'widgets'>, part: Part): Step {
  const { segment, holder } = part
  if (segment === null) throw new Error('An object is reached by its field.')
  const { name } = segment
  if (segment.of === 'document') return { name, label: null, isDocument: true }
  const { ordinal } = segment
  const named = (...names: readonly (string | null | undefined)[]) => {
    const fields = fieldsIn(site, part)
    return names.flatMap((one) => (one ? (fields?.byName.get(one) ?? []) : []))
  }
  if (segment.of === 'item') {
    return { name, label: null, item: { ordinal, holder, titleFields: named(segment.titleField, 'title') } }
  }
  const { widgetType } = segment
  const widget = site.widgets.get(widgetType)
  const label = widget?.label ?? labelOf(widgetType)
  return { name, label, item: { ordinal, holder, titleFields: named(widget?.titleField), widgetType } }
}

/**
 * The fields of a part; of a widget that is not allowed where it lies, those of its type; null when they are unknown.
 */
export function fieldsIn({ widgets }: Pick<Site, 'widgets'>, { fields, segment, holder }: Part): Fields | null {
  if (fields !== null || segment?.of !== 'widget') return fields
  if (Object.hasOwn(holder, DIGEST)) return null
  return widgets.get(segment.widgetType)?.fields ?? null
}

/** Returns the kind of change of a value that is empty on one side or both; null when both are. */
export function typeOf(isOldEmpty: boolean, isNewEmpty: boolean): ChangeType | null {
  if (isOldEmpty) return isNewEmpty ? null : 'added'
  return isNewEmpty ? 'deleted' : 'modified'
}

/** A value as §2.5 answers it: of a relationship its list of ids. */
export function answered(field: Field, holder: JsonObject): Json {
  const value = storedValue(field, holder)
  const isRelationship = field.type.relation !== undefined && isObject(value)
  // `as`: the value of a relationship has a list of ids.
  return isRelationship ? ((value as { ids: string[] }).ids ?? []) : value
}
