import type { Steps } from 'quire-diff'
import { type Json, type JsonObject, sameJson } from '../../base/json.ts'
import type { Content, Site } from '../declared/types.ts'
import type {
  Difference,
  Field,
  Fields,
  OrderDifference,
  Part,
  PartDifference,
  ValueDifference,
} from '../field-type/field-type.ts'
import { isSameKind, kindOf } from '../history/declarations.ts'
import { labelOf } from '../terms/property-labels.ts'
import { type Aside, asidesOf, textOfAside } from '../values/aside.ts'
import { isEmpty, storedValue, textOf } from '../values/walk.ts'
import { answered, fieldStep, fieldsIn, keyOf, type Path, stepOf, typeOf, under } from './change-path.ts'
import type { Change } from './content-change.ts'

/** How many changes are found in one step. */
const CHANGES_AT_ONCE = 500

/** Lists the changes between two contents, in schema order, at any depth (§2.5), in steps. */
export function* compareContents(site: Pick<Site, 'widgets'>, older: Content, newer: Content): Steps<Change[]> {
  const found = compareHolders(
    { site, steps: [] },
    { fields: older.type.fields, holder: older.fields },
    { fields: newer.type.fields, holder: newer.fields },
  )
  const keys = new Set<string>()
  const changes: Change[] = []
  for (const change of found) {
    if (change !== null) changes.push(withUniqueKey(change, keys))
    if (change === null || changes.length % CHANGES_AT_ONCE === 0) yield
  }
  return changes
}

/** Changes, and null where others may run. */
type Changes = Generator<Change | null, void>

/** An object with fields, on one side. */
interface Side {
  readonly fields: Fields
  readonly holder: JsonObject
}

/** One object as it is on both sides. */
interface Holders {
  readonly older: JsonObject
  readonly newer: JsonObject
}

/** A widget that has become one of another type was deleted and added in one place. */
function withUniqueKey(change: Change, keys: Set<string>): Change {
  let { key } = change
  while (keys.has(key)) key += `#${change.type}`
  keys.add(key)
  return key === change.key ? change : { ...change, key }
}

function* compareHolders(path: Path, older: Side, newer: Side): Changes {
  const holders: Holders = { older: older.holder, newer: newer.holder }
  for (const field of newer.fields.list) {
    const former = older.fields === newer.fields ? field : older.fields.byName.get(field.name)
    yield* compareField(path, former ?? null, field, holders)
  }
  if (older.fields !== newer.fields) {
    const former = older.fields.list.filter(({ name }) => !newer.fields.byName.has(name))
    for (const field of former) yield* compareField(path, field, field, { ...holders, newer: {} })
  }
  const gone = Object.keys({ ...asidesOf(older.holder), ...asidesOf(newer.holder) })
  for (const name of gone) {
    if (!newer.fields.byName.has(name)) yield* compareAsides(path, name, null, holders)
  }
}

/** The values of a field, which the older side may have declared otherwise (`former`), or not at all. */
function* compareField(path: Path, former: Field | null, field: Field, holders: Holders): Changes {
  if (field.type.computed || field.type.secret) return
  const isAside = (holder: JsonObject) => Object.hasOwn(asidesOf(holder), field.name)
  if (isAside(holders.older) || isAside(holders.newer)) {
    yield* compareAsides(path, field.name, field, holders)
  } else if (former === null || former.type.secret) {
    yield* compareAlike(path, field, { ...holders, older: {} })
  } else if (isSameKind(kindOf(former), kindOf(field))) {
    yield* compareAlike(path, field, holders)
  } else {
    yield* compareUnlike(path, former, field, holders)
  }
}

function* compareAlike(path: Path, field: Field, holders: Holders): Changes {
  const { older, newer } = holders
  const old = storedValue(field, older)
  const now = storedValue(field, newer)
  if (sameJson(old, now) || (isEmpty(field, older) && isEmpty(field, newer))) return
  const at = under(path, fieldStep(field))
  for (const difference of differences(field, old, now)) {
    if (difference === null) yield null
    else if (difference.of === 'part') yield* comparePart(at, field, difference)
    else if (difference.of === 'value') yield* compareValue(at, field, difference, holders)
    else yield* compareOrder(at, field, difference, holders)
  }
}

function differences(field: Field, old: Json, now: Json): Iterable<Difference | null> {
  return field.type.diff?.(old, now, field.options) ?? [{ of: 'value', old, new: now }]
}

/** Values of two field types: each is shown as what it is. */
function* compareUnlike(path: Path, former: Field, field: Field, { older, newer }: Holders): Changes {
  const type = typeOf(isEmpty(former, older), isEmpty(field, newer))
  if (type === null) return
  const at = under(path, fieldStep(field))
  yield {
    ...valueChange(at, field, { older, newer }),
    type,
    ...(type !== 'added' && { old: answered(former, older) }),
    ...(type !== 'deleted' && { new: answered(field, newer) }),
    oldText: textOf(former, older),
  }
}

function* compareValue(path: Path, field: Field, difference: ValueDifference, holders: Holders): Changes {
  const { kind = 'leaf', below = [], old, new: now } = difference
  if (sameJson(old, now)) return
  const isGone = (value: Json, holder: JsonObject) => (below.length > 0 ? isBlankPart(value) : isEmpty(field, holder))
  const type = typeOf(isGone(old, holders.older), isGone(now, holders.newer))
  if (type === null) return
  yield {
    ...valueChange(under(path, ...below), field, holders),
    type,
    kind,
    ...(type !== 'added' && { old }),
    ...(type !== 'deleted' && { new: now }),
    ...textsOf(difference),
  }
}

/** True for empty parts of a value: their field type cannot decide it. */
function isBlankPart(value: Json): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** The texts that a field type gives; those of a part of a value do not come from the field. */
function textsOf({ below = [], old, new: now, oldText, newText }: ValueDifference) {
  const ownText = (value: Json) => (below.length === 0 ? undefined : typeof value === 'object' ? '' : String(value))
  const texts = { oldText: oldText ?? ownText(old), newText: newText ?? ownText(now) }
  return {
    ...(texts.oldText !== undefined && { oldText: texts.oldText }),
    ...(texts.newText !== undefined && { newText: texts.newText }),
  }
}

function valueChange({ steps }: Path, field: Field, { older, newer }: Holders) {
  const place = { key: keyOf(steps), segments: steps }
  return { ...place, kind: 'leaf' as const, fieldType: field.type.name, field, older, newer }
}

function* compareOrder(path: Path, field: Field, { kind, old, new: now }: OrderDifference, holders: Holders) {
  const ids = { old: old.flatMap(idOf), new: now.flatMap(idOf) }
  if (sameJson(ids.old, ids.new)) return
  const order = { old: old.map((part) => stepOf(path.site, part)), new: now.map((part) => stepOf(path.site, part)) }
  const change = { ...valueChange(path, field, holders), type: 'modified' as const, kind, ...ids, order }
  yield { ...change, key: `${change.key}#order` }
}

function idOf({ segment }: Part): string[] {
  return segment === null ? [] : [segment.name]
}

function* comparePart(path: Path, field: Field, { kind, older, newer }: PartDifference): Changes {
  const part = newer ?? older
  if (part === null || sameJson(older?.holder, newer?.holder)) return
  const at = part.segment === null ? path : under(path, stepOf(path.site, part))
  const fields = [older, newer].some((one) => one && fieldsIn(path.site, one) === null)
    ? null
    : fieldsIn(path.site, part)
  const inside = (known: Fields) =>
    compareHolders(at, { fields: known, holder: older?.holder ?? {} }, { fields: known, holder: newer?.holder ?? {} })
  if (fields !== null && (kind === 'related' || (older !== null && newer !== null))) return yield* inside(fields)
  if (kind === 'related' || (kind === 'object' && fields !== null && !(yield* hasChange(inside(fields))))) return
  yield {
    key: keyOf(at.steps),
    segments: at.steps,
    type: typeOf(older === null, newer === null) ?? 'modified',
    kind,
    fieldType: kind === 'object' ? field.type.name : kind,
    field: kind === 'object' ? field : null,
    ...(older !== null && fields !== null && { old: older.holder }),
    ...(newer !== null && fields !== null && { new: newer.holder }),
    older: older?.holder ?? null,
    newer: newer?.holder ?? null,
  }
}

function* hasChange(changes: Changes): Generator<null, boolean> {
  for (const change of changes) {
    if (change !== null) return true
    yield null
  }
  return false
}

/**
 * Compares values that their field no longer takes (§2.14): by their texts, or where the caller may not see the value,
 * only whether they are equal. A field of null is no longer declared.
 */
function* compareAsides(path: Path, name: string, field: Field | null, { older, newer }: Holders): Changes {
  const was = asidesOf(older)[name]
  const is = asidesOf(newer)[name]
  const aside = is ?? was
  if (aside === undefined || (was && is && sameJson(was.values, is.values))) return
  const { steps } = under(path, fieldStep(field ?? { name, label: labelOf(name) }))
  const change = { key: keyOf(steps), segments: steps, kind: 'leaf', fieldType: aside.type, older, newer } as const
  if (isHidden(was) || isHidden(is)) {
    yield { ...change, type: 'modified', field: null }
    return
  }
  const isNothing = (one: Aside | undefined, holder: JsonObject) =>
    one === undefined && (field === null || isEmpty(field, holder))
  const type = typeOf(isNothing(was, older), isNothing(is, newer))
  if (type === null) return
  yield {
    ...change,
    type,
    field,
    ...(was ? { oldText: textOfAside(was) } : field && type !== 'added' && { old: answered(field, older) }),
    ...(is ? { newText: textOfAside(is) } : field && type !== 'deleted' && { new: answered(field, newer) }),
  }
}

/** True when the text is shown to nobody, or not to this caller (`contentFor`). */
function isHidden(aside: Aside | undefined): boolean {
  return aside !== undefined && (aside.secret || aside.holdsHidden === true)
}
