import { invalid, invalidField, invalidFields } from '../../base/errors.ts'
import type { Json, JsonObject, UnknownObject } from '../../base/json.ts'
import { isObject, own } from '../../base/json.ts'
import { isBlank } from '../../model/field-type/outside.ts'

type Container = JsonObject | Json[]

/** The location of a value: its object or list, and its name or index there. */
interface PathNode {
  readonly holder: Container
  readonly key: string
}

/** How far paths and ids lead: each change may nest further what the one before it has nested. */
const MAX_DEPTH = 200

/** An index as a path writes it. */
const INDEX = /^(?:0|[1-9]\d{0,8})$/

const FORBIDDEN = new Set(['__proto__', 'prototype', 'constructor'])
/** Properties that make a widget one of its type. */
const SHELL = new Set(['metaType', 'type'])

/**
 * Sets the value at a path: `title`, `body.items.0.content`, `@itemId.content`. Throws `invalid` when it is not there.
 * Fields of a relationship never replace its documents.
 */
export function assign(target: JsonObject, path: string, value: Json, keepsDocuments = false): void {
  const { holder, key } = find(target, path)
  if (Array.isArray(holder)) holder[index(holder, key, path)] = asItem(value, holder, Number(key))
  else if (keepsDocuments) holder[key] = value
  // The document's own is no item's, and changes nothing.
  else if (key === '_id' && holder !== target && isIdOfAnother(target, holder, value)) throw otherId(path)
  else setProperty(holder, key, value, path)
}

/** Throws `invalid` for a path that leads deeper than any value of a document. */
export function assertShort(path: string): void {
  if (path.split('.', MAX_DEPTH + 1).length > MAX_DEPTH) {
    throw unknownPath(`${path.slice(0, 60)}…`, `A path has at most ${MAX_DEPTH} steps.`)
  }
}

/** True for a path that ends in what makes a widget one of its type. */
export function namesShell(path: string): boolean {
  return SHELL.has(path.slice(path.lastIndexOf('.') + 1))
}

/** The list that a path names. Throws `invalid` when there is none. */
export function listAt(target: JsonObject, path: string): Json[] {
  const { holder, key } = find(target, path)
  const list = Array.isArray(holder) ? holder[index(holder, key, path)] : property(holder, key)
  if (!Array.isArray(list)) throw unknownPath(path, `${path} is not a list.`)
  return list
}

/** The top-level field that a path leads into. */
export function topLevelName(target: JsonObject, path: string): string {
  const [first = '', ...rest] = path.split('.')
  const holds = (name: string, id: string) => findById({ value: property(target, name) ?? null }, id) !== null
  let name = first
  for (const step of [first, ...rest].filter((step) => step.startsWith('@'))) {
    const id = step.slice(1)
    const found = holds(name, id) ? name : Object.keys(target).find((name) => holds(name, id))
    if (found === undefined) throw unknownItem(path, step)
    name = found
  }
  return name
}

/**
 * Returns the path with items named by `@id` where they have one, so that it leads to the same place in another copy.
 * Related documents are named below their relationship: others may relate to the same ones.
 */
export function stablePath(target: JsonObject, path: string): string {
  const stable: string[] = []
  let at: Json | undefined = target
  for (const step of path.split('.')) {
    const isPlace: boolean = Array.isArray(at)
    at = step.startsWith('@')
      ? valueAt(nodeById(at, step, target, path))
      : isObject(at)
        ? property(at, step)
        : valueIn(at, step)
    const id = isPlace || step.startsWith('@') ? idOf(at) : null
    if (id === null) stable.push(step)
    else if (isObject(at) && Object.hasOwn(at, '_fields')) stable.push(`@${id}`)
    else stable.splice(0, stable.length, `@${id}`)
  }
  return stable.join('.')
}

/** The index in a list of the item with this `_id`. Throws `invalid` when there is none. */
export function indexOf(list: readonly Json[], id: unknown, path: string): number {
  const index = list.findIndex((item) => idOf(item) !== null && idOf(item) === id)
  if (index < 0) throw unknownPath(path, `No item with the id ${String(id).slice(0, 60)} is in ${path}.`)
  return index
}

/** The `_id` of an item, null for values that have none. */
export function idOf(item: Json | undefined): string | null {
  const isHolder = typeof item === 'object' && item !== null && !Array.isArray(item)
  return isHolder && typeof item._id === 'string' ? item._id : null
}

/** The items of an array, the widgets of an area, or the documents of a relationship; null for other values. */
export function listOf(value: Json | undefined): Json[] | null {
  if (Array.isArray(value)) return value
  const items = isObject(value) ? own(value, 'items') : undefined
  return Array.isArray(items) ? items : null
}

/** `invalid` for a path that leads to nothing in the document. */
export function unknownPath(path: string, message: string): Error {
  return invalidFields([{ path, name: 'unknown', message }])
}

function unknownItem(path: string, step: string): Error {
  return unknownPath(path, `No item with the id ${step.slice(1, 61)} is in this document.`)
}

function find(target: JsonObject, path: string): PathNode {
  const steps = path.split('.')
  const key = steps.pop() ?? ''
  let holder: Container = target
  for (const step of steps) holder = stepInto(holder, step, target, path)
  return key.startsWith('@') ? nodeById(holder, key, target, path) : { holder, key }
}

function stepInto(holder: Container, step: string, target: JsonObject, path: string): Container {
  const next = step.startsWith('@')
    ? valueAt(nodeById(holder, step, target, path))
    : Array.isArray(holder)
      ? holder[index(holder, step, path)]
      : property(holder, step)
  if (typeof next !== 'object' || next === null) throw unknownPath(path, `There is nothing at ${step} to go into.`)
  return next
}

function index(list: readonly Json[], step: string, path: string): number {
  const index = INDEX.test(step) ? Number(step) : -1
  if (index < 0 || index >= list.length)
    throw unknownPath(path, `${step} is not an index of this list of ${list.length}.`)
  return index
}

/** An own property; `topicsIds` leads to the list that lies under `_topics`, where there is one. */
function property(holder: UnknownObject, key: string): Json | undefined {
  const documents = key.endsWith('Ids') ? own(holder, `_${relationshipStem(key)}`) : undefined
  // `as`: holders are JSON.
  return (documents ?? own(holder, key)) as Json | undefined
}

function valueIn(list: Json | undefined, step: string): Json | undefined {
  return Array.isArray(list) && INDEX.test(step) ? list[Number(step)] : undefined
}

function valueAt({ holder, key }: PathNode): Json | undefined {
  return Array.isArray(holder) ? holder[Number(key)] : own(holder, key)
}

/**
 * Sets an own property and nothing else. Of a relationship given as documents, its ids, or what is said of them,
 * replace these alone.
 */
function setProperty(holder: JsonObject, key: string, value: Json, path: string): void {
  if (FORBIDDEN.has(key)) throw unknownPath(path, `${key} is not a field.`)
  if (holder.metaType === 'widget' && SHELL.has(key) && value !== holder[key]) throw otherType(path)
  const stem = relationshipStem(key)
  if (stem !== null) nameById(holder, stem)
  holder[key] = value
}

/** Puts `topicsIds` and `topicsFields` in place of the documents of `_topics`. */
function nameById(holder: JsonObject, stem: string): void {
  const given = own(holder, `_${stem}`)
  if (given === undefined) return
  const documents = Array.isArray(given) ? given : isBlank(given) ? [] : [given as Json]
  delete holder[`_${stem}`]
  holder[`${stem}Ids`] = documents.map((one: Json) => (isObject(one) ? (own(one, '_id') ?? null) : one))
  const fields = documents.flatMap((one: Json) => (isObject(one) ? [[String(one._id), own(one, '_fields') ?? {}]] : []))
  // `as`: of JSON.
  holder[`${stem}Fields`] = Object.fromEntries(fields) as JsonObject
}

/** The path of the same relationship as documents (`home.topicsIds` → `home._topics`), null for other paths. */
export function documentsPath(path: string): string | null {
  const begin = path.lastIndexOf('.') + 1
  const stem = relationshipStem(path.slice(begin))
  return stem === null ? null : `${path.slice(0, begin)}_${stem}`
}

/** `topics` of `topicsIds` and `topicsFields`, as which relationships are stored; null for other names. */
function relationshipStem(name: string): string | null {
  return /^(.+)(?:Ids|Fields)$/.exec(name)?.[1] ?? null
}

/** The fields of a widget belong to its type: to change it, the whole widget must be sent. */
function otherType(path: string): Error {
  return invalidField(
    path,
    'A widget keeps its type. Replace the widget: name it without a field, and send all of the new one.',
  )
}

/**
 * An item that replaces another one takes over its id, unless it has its own. The id of a further item of the list is
 * not its own: it would take over what the caller may not see of that (§5.7).
 */
function asItem(value: Json, list: readonly Json[], at: number): Json {
  const replaced = list[at]
  if (!isObject(value)) return value
  const isOthers = list.some((item) => idOf(item) !== null && idOf(item) === value._id)
  if (value._id !== undefined && (!isOthers || isRelated(replaced) || isRelated(value))) return value
  const { _id, ...rest } = value
  const id = idOf(replaced)
  return id === null ? rest : { ...rest, _id: id }
}

/** True for a related document, which is named by its id. */
function isRelated(value: Json | undefined): boolean {
  return isObject(value) && Object.hasOwn(value, '_fields')
}

function isIdOfAnother(target: JsonObject, holder: JsonObject, id: Json): boolean {
  return typeof id === 'string' && id !== idOf(holder) && !isRelated(holder) && findById(target, id) !== null
}

function otherId(path: string): Error {
  return invalidFields([{ path, name: 'unique', message: 'Another item of this document has this _id.' }])
}

/** An id leads to its item wherever that is, but first to one below what the path has led to. */
function nodeById(at: Json | undefined, step: string, target: JsonObject, path: string): PathNode {
  const id = step.slice(1)
  const found = findById(at, id) ?? findById(target, id)
  if (found === null) throw unknownItem(path, step)
  return found
}

/** Finds the object with this `_id`, at any depth below a value. */
function findById(value: Json | undefined, id: string, depth = 0): PathNode | null {
  if (typeof value !== 'object' || value === null) return null
  if (depth > MAX_DEPTH) throw invalid(`The changes nest values more than ${MAX_DEPTH} levels deep.`)
  for (const [key, child] of Object.entries(value)) {
    const found = idOf(child) === id ? { holder: value, key } : findById(child, id, depth + 1)
    if (found) return found
  }
  return null
}
