import type { Json, JsonObject } from '../../base/json.ts'
import { sameJson } from '../../base/same-json.ts'
import type { Difference, Field, Fields, PartDifference, ValueDifference } from '../fields/field-type.ts'
import type { PartSegment, Segment } from '../fields/segment.ts'
import type { Site } from '../types.ts'
import { isEmpty, storedValue, textOf } from '../walk.ts'
import type { Change, ChangeType, Content } from './change.ts'

/** What has changed between two contents, in schema order, at any depth (§2.5). */
export function compareContents(site: Pick<Site, 'widgets'>, older: Content, newer: Content): Change[] {
  return [
    ...compareHolders(
      { site, steps: [] },
      sides(older.type.fields, older.fields),
      sides(newer.type.fields, newer.fields),
    ),
  ]
}

/** Where a comparison is. */
interface At {
  readonly site: Pick<Site, 'widgets'>
  readonly steps: readonly Segment[]
}

/** An object with fields, on one side. */
interface Side {
  readonly fields: Fields
  readonly holder: JsonObject
}

function sides(fields: Fields, holder: JsonObject): Side {
  return { fields, holder }
}

function* compareHolders(at: At, older: Side, newer: Side): Generator<Change> {
  for (const field of newer.fields.list) {
    if (field.type.computed || field.type.secret) continue
    yield* compareField(below(at, { name: field.name, label: field.label }), field, older.holder, newer.holder)
  }
}

function* compareField(at: At, field: Field, older: JsonObject, newer: JsonObject): Generator<Change> {
  const [old, present] = [storedValue(field, older), storedValue(field, newer)]
  if (sameJson(old, present) || (isEmpty(field, older) && isEmpty(field, newer))) return
  for (const difference of differences(field, old, present)) {
    if (difference.of === 'part') yield* comparePart(at, field, difference)
    else if (difference.of === 'value') yield* compareValue(at, field, difference, { older, newer })
    else yield* compareOrder(at, field, difference, { older, newer })
  }
}

function differences(field: Field, old: Json, present: Json): Iterable<Difference> {
  return field.type.diff?.(old, present, field.options) ?? [{ of: 'value', old, new: present }]
}

interface Holders {
  readonly older: JsonObject
  readonly newer: JsonObject
}

function* compareValue(at: At, field: Field, difference: ValueDifference, holders: Holders): Generator<Change> {
  const { kind = 'leaf', below: steps = [], old, new: present, oldText, newText } = difference
  const isGone = (value: Json, holder: JsonObject) => (steps.length > 0 ? value === null : isEmpty(field, holder))
  const type = typeOf(isGone(old, holders.older), isGone(present, holders.newer))
  if (type === null || sameJson(old, present)) return
  const segments = [...at.steps, ...steps]
  yield {
    key: keyOf(segments),
    segments,
    type,
    kind,
    fieldType: field.type.name,
    field,
    ...(type !== 'added' && { old }),
    ...(type !== 'deleted' && { new: present }),
    ...holders,
    ...(oldText !== undefined && { oldText }),
    ...(newText !== undefined && { newText }),
  }
}

/** Null when neither side has anything. */
function typeOf(isOldEmpty: boolean, isNewEmpty: boolean): ChangeType | null {
  if (isOldEmpty) return isNewEmpty ? null : 'added'
  return isNewEmpty ? 'deleted' : 'modified'
}

function* compareOrder(
  at: At,
  field: Field,
  { old, new: present }: { readonly old: readonly string[]; readonly new: readonly string[] },
  holders: Holders,
): Generator<Change> {
  if (sameJson([...old], [...present])) return
  yield {
    key: `${keyOf(at.steps)}#order`,
    segments: at.steps,
    type: 'modified',
    // `as`: only arrays and areas have an order, and the kinds of their changes are their names (§2.5).
    kind: field.type.name as 'area' | 'array',
    fieldType: field.type.name,
    field,
    old: [...old],
    new: [...present],
    ...holders,
  }
}

function* comparePart(at: At, field: Field, part: PartDifference): Generator<Change> {
  const { kind, segment, older, newer, fields } = part
  const shown = newer ?? older
  if (shown === null || fields === null) return
  const inside = segment === null ? at : below(at, segmentOf(segment, fields, shown))
  const rows = () => compareHolders(inside, { fields, holder: older ?? {} }, { fields, holder: newer ?? {} })
  if (kind === 'related' || (older !== null && newer !== null)) return yield* rows()
  if (kind === 'object' && rows().next().done) return
  yield {
    key: keyOf(inside.steps),
    segments: inside.steps,
    type: older === null ? 'added' : 'deleted',
    kind,
    fieldType: kind === 'object' ? field.type.name : kind,
    field: kind === 'object' ? field : null,
    ...(older !== null && { old: older }),
    ...(newer !== null && { new: newer }),
    older,
    newer,
  }
}

function segmentOf(segment: PartSegment, fields: Fields, holder: JsonObject): Segment {
  const { name, label, ordinal, titleField, widgetType } = segment
  const title = titleIn(fields, holder, widgetType === undefined ? [titleField, 'title'] : [titleField])
  if (widgetType === undefined) return { name, label: title || (label ?? `#${ordinal}`), ordinal }
  return { name, label: label ?? '', ...(title !== '' && { title }), ordinal, widgetType }
}

/** The text of the first of these fields that has any. */
function titleIn(fields: Fields, holder: JsonObject, names: readonly (string | undefined)[]): string {
  for (const name of names) {
    const field = name === undefined ? undefined : fields.byName.get(name)
    const text = field ? textOf(field, holder) : ''
    if (text !== '') return text
  }
  return ''
}

function below(at: At, segment: Segment): At {
  return { ...at, steps: [...at.steps, segment] }
}

function keyOf(segments: readonly Segment[]): string {
  return segments.map(({ name }) => name).join('.')
}
