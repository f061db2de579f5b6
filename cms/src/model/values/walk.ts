import { isObject, type Json, type JsonObject, joinPath, own } from '../../base/json.ts'
import type { Field, FieldCondition, Fields, Holder } from '../field-type/field-type.ts'
import type { Reference, TextNames } from '../field-type/value-terms.ts'

/** True when a holder has a value for the field, even an empty one. */
export function isStored(field: Field, values: JsonObject): boolean {
  return propertyNames(field).some((name) => Object.hasOwn(values, name))
}

/** The stored value of a field in its holder; null when there is none. */
export function storedValue(field: Pick<Field, 'name' | 'type'>, values: JsonObject): Json {
  if (field.type.property) return field.type.property.stored(values, field.name)
  return own(values, field.name) ?? null
}

/** One field where it lies in a document. */
export class LocatedField {
  readonly field: Field
  /** The object that holds the field's value. */
  readonly values: JsonObject
  /** The container the field lies in; null for the document's own fields. */
  readonly parent: LocatedField | null
  /** From the container to the holder; empty where it has only one. */
  readonly #step: string

  constructor(field: Field, { values, parent, step }: OpenHolder) {
    this.field = field
    this.values = values
    this.parent = parent
    this.#step = step
  }

  get path(): string {
    return joinPath(this.parent === null ? '' : joinPath(this.parent.path, this.#step), this.field.name)
  }
}

/** A holder of fields on the way through a document. */
interface OpenHolder {
  readonly fields: readonly Field[]
  readonly values: JsonObject
  readonly parent: LocatedField | null
  readonly step: string
  /** The index of the field that comes next. */
  next: number
}

/** Yields every field at any depth, lazily and in schema order, containers before their contents. */
export function* walk(fields: Pick<Fields, 'list'>, values: JsonObject): Generator<LocatedField, void, undefined> {
  const open: OpenHolder[] = [{ fields: fields.list, values, parent: null, step: '', next: 0 }]
  for (let holder = open.at(-1); holder !== undefined; holder = open.at(-1)) {
    const field = holder.fields[holder.next]
    holder.next += 1
    if (field === undefined) {
      open.pop()
      continue
    }
    const located = new LocatedField(field, holder)
    yield located
    for (const { fields, values, step } of childrenOf(field, holder.values).toReversed()) {
      open.push({ fields: fields.list, values, parent: located, step, next: 0 })
    }
  }
}

const NONE: readonly Holder[] = []

/** The holders of fields inside a field's value; none where it has no value, or is no container. */
export function childrenOf({ type, name, options }: Field, values: JsonObject): readonly Holder[] {
  if (type.children === undefined) return NONE
  const value = storedValue({ type, name }, values)
  return value === null ? NONE : type.children(value, options)
}

/** The widgets in a field's value that its area no longer allows. */
export function straysOf({ type, name, options }: Field, values: JsonObject): readonly JsonObject[] {
  const value = type.strays ? storedValue({ type, name }, values) : null
  return value === null ? [] : [...(type.strays?.(value, options) ?? [])]
}

/** The documents and attachments that a field's value points to. */
export function referencesOf({ type, name, options }: Field, values: JsonObject): readonly Reference[] {
  const value = type.references ? storedValue({ type, name }, values) : null
  return value === null ? [] : [...(type.references?.(value, options) ?? [])]
}

/** Removes a field's value from its holder. */
export function dropField(field: Field, values: JsonObject): void {
  for (const name of propertyNames(field)) delete values[name]
}

/** The top-level field in which a field lies; itself when it is one. */
export function topOf(located: LocatedField): LocatedField {
  let top = located
  while (top.parent !== null) top = top.parent
  return top
}

interface Stored {
  readonly before: JsonObject | null
  mayEdit(field: Field): boolean
}

/**
 * The stored items and widgets of a document that a writer may move, found by their ids wherever they lie. Where the
 * writer may not write they stay, and what is given elsewhere with their ids is something else; so is what several items share an
 * id with. Looked up when one is first needed.
 */
export class StoredItems {
  readonly #fields: Fields
  readonly #stored: Stored
  readonly #moved = new Set<string>()
  #repeated: ReadonlySet<string> = new Set()
  #known: ReadonlyMap<string, readonly Holder[]> | null = null

  constructor(fields: Fields, stored: Stored) {
    this.#fields = fields
    this.#stored = stored
  }

  /**
   * Finds the stored values of the item (or widget of a type) with this id, wherever it was; null for none. Contains
   * only the fields that both places declare.
   */
  elsewhere(id: string, fields: Fields, type: string | undefined): JsonObject | null {
    if (this.#repeated.has(id)) return null
    const isAlike = (holder: Holder) => (type === undefined ? holder.fields === fields : holder.values.type === type)
    const found = this.#all().get(id)?.find(isAlike)
    if (found === undefined) return null
    this.#moved.add(id)
    const same = found.fields.list.filter((field) => fields.byName.get(field.name) === field)
    if (same.length === found.fields.list.length) return found.values
    const names = new Set(same.flatMap(propertyNames))
    return Object.fromEntries(Object.entries(found.values).filter(([name]) => names.has(name)))
  }

  /**
   * Whether values that were read with what moved items are stored with have such an item more than once: then none of
   * these has been moved, and the values must be read again.
   */
  areRepeatedIn(values: JsonObject): boolean {
    if (this.#moved.size === 0) return false
    const ids = [...walk(this.#fields, values)].flatMap((located) => itemsOf(located).map(({ step }) => step))
    const seen = new Set<string>()
    this.#repeated = new Set(ids.filter((id) => this.#moved.has(id) && (seen.has(id) || !seen.add(id))))
    return this.#repeated.size > 0
  }

  #all(): ReadonlyMap<string, readonly Holder[]> {
    if (this.#known !== null) return this.#known
    const { before, mayEdit } = this.#stored
    const isOpen = (located: LocatedField | null): boolean =>
      located === null || (mayEdit(located.field) && isOpen(located.parent))
    const known = new Map<string, Holder[]>()
    for (const located of before === null ? [] : walk(this.#fields, before)) {
      for (const holder of isOpen(located) ? itemsOf(located) : []) {
        known.set(holder.step, [...(known.get(holder.step) ?? []), holder])
      }
    }
    this.#known = known
    return known
  }
}

/** The items of a list; neither the one holder of an object, nor the documents of a relationship. */
function itemsOf({ field, values }: LocatedField): readonly Holder[] {
  return field.type.property ? NONE : childrenOf(field, values).filter(({ step }) => step !== '')
}

/** True when the value is empty. */
export function isEmpty(field: Field, values: JsonObject): boolean {
  const value = storedValue(field, values)
  if (value === null) return true
  if (field.type.isEmpty) return field.type.isEmpty(value)
  return value === '' || (Array.isArray(value) && value.length === 0)
}

/** True when the value is the blank one, ignoring ids. */
export function isUnfilled(field: Field, values: JsonObject): boolean {
  if (isEmpty(field, values)) return true
  const blank = field.type.blank(field.options, () => '')
  return JSON.stringify(storedValue(field, values), withoutIds) === JSON.stringify(blank, withoutIds)
}

function withoutIds(name: string, value: unknown): unknown {
  return name === '_id' ? undefined : value
}

/**
 * True when every named neighbour (dotted names lead into nested values) has the value given, or one of a list of
 * them; `$or` holds when one of its conditions does. Of several checked boxes one must match.
 */
export function conditionHolds(condition: FieldCondition, values: JsonObject): boolean {
  return Object.entries(condition).every(([name, expected]) => {
    // `as`: under `$or`, and only there, a condition contains conditions (FieldCondition).
    if (name === '$or') return (expected as readonly FieldCondition[]).some((part) => conditionHolds(part, values))
    const actual = valueAt(values, name)
    const candidates = Array.isArray(actual) ? actual : [actual]
    const accepted: readonly unknown[] = Array.isArray(expected) ? expected : [expected]
    return candidates.some((candidate) => accepted.includes(candidate))
  })
}

/** The properties that a condition looks at, as far as it is one. */
export function namesIn(condition: unknown): string[] {
  if (!isObject(condition)) return []
  return Object.entries(condition).flatMap(([name, expected]) => {
    if (name === '$or') return Array.isArray(expected) ? expected.flatMap(namesIn) : []
    return name.split('.').slice(0, 1)
  })
}

function valueAt(values: JsonObject, name: string): Json {
  let value: Json = values
  for (const step of name.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    value = own(value, step) ?? null
  }
  return value
}

/** The value of a field as a person would read it; empty when there is none. */
export function textOf(field: Field, values: JsonObject, names?: TextNames): string {
  const value = storedValue(field, values)
  return value === null ? '' : field.type.toText(value, field.options, names)
}

/** The texts of all fields of a holder, one after the other. */
export function textOfAll(fields: Fields, values: JsonObject, names?: TextNames): string {
  const texts = fields.list.map((field) => textOf(field, values, names))
  return texts.filter((text) => text !== '').join(', ')
}

/** Takes ids out of the relationships of values, in place: those that `isDropped` names, by their field's path. */
export function dropReferences(
  fields: Fields,
  values: JsonObject,
  isDropped: (reference: Reference, path: string) => boolean,
): void {
  for (const { field, values: holder, path } of walk(fields, values)) {
    const { property, references, computed } = field.type
    if (!property || !references || computed) continue
    const value = property.stored(holder, field.name)
    if (value === null) continue
    const dropped = [...references(value, field.options)].filter((reference) => isDropped(reference, path))
    if (dropped.length > 0)
      Object.assign(holder, property.store(without(value, new Set(dropped.map(({ id }) => id))), field.name))
  }
}

/** A relationship's stored value without some of its ids. */
function without(value: Json, ids: ReadonlySet<string>): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Array.isArray(value.ids)) return value
  // `as`: what has ids is a relationship's value, which has fields too.
  const fields = Object.entries(value.fields as JsonObject).filter(([id]) => !ids.has(id))
  return { ids: value.ids.filter((id) => !ids.has(String(id))), fields: Object.fromEntries(fields) }
}

/** The types that a relationship leads to, in either direction; none for other fields. */
export function targetsOf(field: Pick<Field, 'type' | 'options'>): readonly string[] {
  if (field.type.relation === undefined) return []
  // `as`: both relationship types declare `withType`; the compiler has made a list of full names of it.
  return (field.options as { readonly withType: readonly string[] }).withType
}

/** The name of a field, and how its type stores values: every `Field` is one. */
interface Named {
  readonly name: string
  readonly type: { readonly property?: { names(name: string): readonly string[] } }
}

/** The names under which a field's value is stored in its holder: `_topics` lies in `topicsIds` and `topicsFields`. */
export function propertyNames({ name, type }: Named): readonly string[] {
  return type.property?.names(name) ?? [name]
}

/** True when one of the names is the field's own, or one under which its value is stored. */
export function isNamedIn(field: Named, names: { has(name: string): boolean }): boolean {
  return names.has(field.name) || propertyNames(field).some((name) => names.has(name))
}

/** `topics`, `topicsIds`, `topicsFields` and `_topics` belong together: naming one names them. */
export function isNamed(names: { has(name: string): boolean }, name: string): boolean {
  if (names.has(name)) return true
  const stem = name.startsWith('_') ? name.slice(1) : name.replace(/(?:Ids|Fields)$/, '')
  return stem !== name && (names.has(`_${stem}`) || names.has(`${stem}Ids`))
}
