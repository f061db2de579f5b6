import { CmsError, invalid } from '../../base/errors.ts'
import { isObject, type Json, type JsonObject, own, type UnknownObject } from '../../base/json.ts'
import type { Field, Fields } from '../../model/field-type/field-type.ts'
import { usesOf } from '../../model/fields/area.ts'
import {
  addToSet,
  type Missing,
  move,
  type Operator,
  pullAll,
  pullAllById,
  push,
  withFreeIds,
} from './patch-operators.ts'
import { assertShort, assign, documentsPath, namesShell, stablePath, topLevelName } from './patch-path.ts'

const OPERATORS: { readonly [name: string]: Operator } = {
  $push: push,
  $pullAll: pullAll,
  $pullAllById: pullAllById,
  $addToSet: addToSet,
  $move: move,
}

/** One step of a patch, with a path that means the same in another copy of the document. */
interface Operation {
  readonly operator: Operator
  readonly path: string
  readonly operand: unknown
}

/** The effects of a patch. */
interface Patched {
  /** The top-level properties it touched. */
  readonly touched: ReadonlySet<string>
  readonly operations: readonly Operation[]
}

/**
 * Applies a partial body (§4.1 PATCH) to fields in their outside form, in place. Keys are fields, dot paths, `@id`
 * paths and operators; `_patches` holds several bodies in order. Throws `invalid` for unknown operators, ids and paths,
 * and for paths that would give a widget another type: only a whole widget replaces one; and for more than 500 changes.
 * A step of the work is one change, which may look through all of a long document.
 */
export function* patch(fields: Fields, target: JsonObject, body: UnknownObject): Generator<void, Patched> {
  const touched = new Set<string>()
  const operations: Operation[] = []
  const requested = readOperations(body)
  assertAffordable(target, requested)
  for (const { operator, path, operand } of requested) {
    const name = topLevelName(target, path)
    const stable = stablePath(target, path)
    if (namesShell(path)) markWidgets(fields, target)
    const applied = apply(target, { operator, path, operand }, 'refuse')
    touched.add(name)
    operations.push({ operator, path: stable, operand: applied })
    yield
  }
  return { touched, operations }
}

/** Repeats on another copy what a patch did to the first one, in as many steps; paths that this copy lacks are skipped. */
export function* repeat(fields: Fields, target: JsonObject, operations: readonly Operation[]): Generator<void, void> {
  for (const { operator, path, operand } of operations) {
    if (namesShell(path)) markWidgets(fields, target)
    try {
      apply(target, { operator, path, operand }, 'skip')
    } catch (error) {
      if (!(error instanceof CmsError)) throw error
    }
    yield
  }
}

/** Applies one step, and returns its operand as it was applied. */
function apply(target: JsonObject, { operator, path, operand }: Operation, missing: Missing): unknown {
  const applied = operator === push ? withFreeIds(target, path, operand) : operand
  operator(target, path, structuredClone(applied), missing)
  return applied
}

/** How many changes one PATCH may contain: each may search the whole document. */
const MOST_OPERATIONS = 500

function readOperations(body: UnknownObject): Operation[] {
  const operations = bodiesOf(body).flatMap(operationsOf)
  if (operations.length > MOST_OPERATIONS) {
    throw invalid(`A PATCH may contain at most ${MOST_OPERATIONS} changes. Send several, or a PUT.`)
  }
  for (const { path } of operations) assertShort(path)
  return operations
}

/** How many values all changes of one PATCH together may look through. */
const MAX_STEPS = 20_000_000

/** Refuses many changes of a very long document: each that leads into it may look through all of it. */
function assertAffordable(target: JsonObject, operations: readonly Operation[]): void {
  const searching = operations.filter(({ operator, path }) => operator !== set || /[.@]/.test(path))
  if (searching.length < 2 || searching.length * countValues(target) <= MAX_STEPS) return
  throw invalid('The document is too long for so many changes at once. Send fewer in one PATCH, or a PUT.')
}

function countValues(value: Json): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  for (const child of Object.values(value)) count += countValues(child)
  return count
}

/** The bodies to apply, each an object: the one given, then those of `_patches`. Throws `invalid` for others. */
export function bodiesOf(body: UnknownObject): UnknownObject[] {
  const patches = own(body, '_patches')
  if (patches === undefined) return [body]
  if (!Array.isArray(patches) || !patches.every(isObject)) {
    throw invalid('_patches must be a list of objects, each a PATCH body.')
  }
  if (patches.some((patch) => Object.hasOwn(patch, '_patches'))) throw invalid('_patches cannot contain _patches.')
  return [body, ...patches]
}

/** All properties of a body and of its `_patches`; of each name the last one. */
export function wholeBody(body: UnknownObject): UnknownObject {
  return Object.fromEntries(bodiesOf(body).flatMap((one) => Object.entries(one)))
}

/** Lists the operations of a body. Documents of a relationship win over its ids, in whatever order (§2.15). */
function operationsOf(body: UnknownObject): Operation[] {
  return Object.entries(body).flatMap(([key, value]) => {
    if (key === '_patches') return []
    if (key.startsWith('$')) return operatorOperations(key, value)
    const documents = documentsPath(key)
    const operator = documents !== null && Object.hasOwn(body, documents) ? setRelatedIds : set
    return [{ operator, path: key, operand: value }]
  })
}

function operatorOperations(name: string, operands: unknown): Operation[] {
  const operator = own(OPERATORS, name)
  if (!operator) throw invalid(`${name} is not an operator. Use one of ${Object.keys(OPERATORS).join(', ')}.`)
  if (!isObject(operands)) throw invalid(`${name} takes an object whose keys are paths.`)
  return Object.entries(operands).map(([path, operand]) => ({ operator, path, operand }))
}

/** Sets the ids of a relationship whose documents are given as well. */
function setRelatedIds(target: JsonObject, path: string, operand: unknown): void {
  // `as`: bodies are JSON.
  assign(target, path, operand as Json, true)
}

function set(target: JsonObject, path: string, operand: unknown): void {
  // `as`: bodies are JSON.
  assign(target, path, operand as Json)
}

type Values = { [name: string]: unknown }

/**
 * Sets `metaType` of all widgets in fields in their outside form, in place: a body may leave it out, and it tells a
 * widget from an array item with a field named `type`.
 */
function markWidgets(fields: Fields, values: Values): void {
  for (const field of fields.list) {
    const value = own(values, field.name)
    if (field.type.strays) markItems(field, value)
    const inner = field.type.innerFields?.(field.options)
    if (inner === undefined) continue
    for (const holder of Array.isArray(value) ? value : [value]) markInner(field, inner, holder)
  }
}

function markItems(field: Field, area: unknown): void {
  const items = isObject(area) ? own(area, 'items') : undefined
  if (!Array.isArray(items)) return
  for (const widget of items.filter(isObject)) {
    widget.metaType = 'widget'
    const use = usesOf(field).get(String(own(widget, 'type')))
    if (use) markWidgets(use.fields, widget)
  }
}

function markInner(field: Field, inner: Fields, holder: unknown): void {
  const values = field.type.relation && isObject(holder) ? own(holder, '_fields') : holder
  if (isObject(values)) markWidgets(inner, values)
}
