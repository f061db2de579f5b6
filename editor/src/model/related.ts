import { signal } from '@preact/signals-core'
import type { FieldInfo, Json, JsonObject, Schema } from 'quire-client'
import { Copies } from './copies.ts'
import { docIdOf, shapesOf } from './fields.ts'
import type { Group, Leaf, Operation } from './form.ts'
import { isObject, own } from './json.ts'
import { groupOf, type Live } from './nodes.ts'
import { applied, settled } from './operations.ts'
import { Places } from './places.ts'

/** The documents that a relationship has chosen. */
export function chosenIn(value: Json): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/**
 * The form of what a relationship says of one of its documents (`_fields`); a change there is one of the relationship.
 * It takes what `saidOf` returns when the relationship changes.
 */
export function relatedGroup(
  schema: Pick<Schema, 'types' | 'widgets'>,
  leaf: Leaf,
  docId: string,
  { fields, newId }: { readonly fields: readonly FieldInfo[]; newId(): string },
): Live<Group, JsonObject> {
  const shapes = shapesOf(schema)
  const places = new Places(shapes)
  const path = [...leaf.path, docId]
  const saidNow = () => saidOf(leaf.value.peek(), docId)
  const apply = (operation: Operation): boolean => {
    const at = { fields, values: saidNow() }
    const inside = { ...operation, path: operation.path.slice(path.length) }
    const done = settled(places, at, inside)
    const said = done === null ? null : applied(places, at, done)
    if (said === null) return false
    say(leaf, docId, said)
    return true
  }
  return groupOf(
    { shapes, copies: new Copies(shapes, newId), serviceProblems: signal([]), apply, isFree: () => false },
    { path, field: null, fields, values: saidNow(), isShown: leaf.isShown, isLocked: leaf.isLocked },
  )
}

/** Changes what a relationship says of one of its documents. */
export function say(leaf: Leaf, docId: string, said: JsonObject): void {
  leaf.set(chosenIn(leaf.value.peek()).map((one) => (docIdOf(one) === docId ? { ...one, _fields: said } : one)))
}

/** The fields of a relationship for one of its documents. */
export function saidOf(value: Json, docId: string): JsonObject {
  const document = chosenIn(value).find((one) => docIdOf(one) === docId)
  const said = document === undefined ? undefined : own(document, '_fields')
  return isObject(said) ? said : {}
}
