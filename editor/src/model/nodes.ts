import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core'
import type { FieldInfo, Json, JsonObject } from 'quire-client'
import { checkValue } from './checking/checks.ts'
import { conditionHolds } from './checking/conditions.ts'
import type { Copies } from './copies.ts'
import { idOf, isLocked, itemsOf, kindOf, readField, type Shapes } from './fields.ts'
import type { FormNode, Group, Items, Leaf, Operation, Path, Problem } from './form.ts'
import { isObject, own, sameJson } from './json.ts'
import { isSamePath } from './paths.ts'

/** The document around nodes, as far as they need it. */
export interface Surroundings {
  readonly shapes: Shapes
  readonly copies: Copies
  readonly serviceProblems: ReadonlySignal<readonly Problem[]>
  apply(operation: Operation): boolean
  /** Whether nothing in the document has this id. */
  isFree(id: string): boolean
}

/** A node, and how it learns of another value: what did not change in it tells nobody anything. */
export interface Live<Node extends FormNode, Value extends Json = Json> {
  readonly node: Node
  take(value: Value): void
}

/** A holder of fields as its node begins. */
interface Begin {
  readonly path: Path
  readonly field: FieldInfo | null
  readonly fields: readonly FieldInfo[]
  readonly values: JsonObject
  readonly isShown: ReadonlySignal<boolean>
  readonly isLocked: boolean
  readonly id?: string
  readonly widgetType?: string | null
}

/** The nodes of a document, an object or an item: one for each field. */
export function groupOf(around: Surroundings, begin: Begin): Live<Group, JsonObject> {
  const { path, field, fields, values, isShown, isLocked, id = null, widgetType = null } = begin
  const value = signal(values)
  const parts = fields.map((one) => ({ field: one, ...nodeOf(around, { ...begin, value }, one) }))
  const children = new Map(parts.map(({ field: { name }, node }) => [name, node]))
  const checked = field !== null && kindOf(field) === 'object' ? field : null
  const problems = problemsAt(around, { path, field: checked, value, isShown, isLocked })
  return {
    node: { kind: 'group', path, field, id, widgetType, children, value, isShown, isLocked, problems },
    take(next) {
      if (sameJson(value.peek(), next)) return
      value.value = next
      for (const part of parts) part.take(readField(part.field, next))
    },
  }
}

type Holder = Pick<Begin, 'path' | 'isShown' | 'isLocked'> & { readonly value: ReadonlySignal<JsonObject> }

function nodeOf(around: Surroundings, holder: Holder, field: FieldInfo): Live<FormNode> {
  const path = [...holder.path, field.name]
  const condition = field.if
  const isShown = computed(
    () => holder.isShown.value && (condition === undefined || conditionHolds(condition, holder.value.value)),
  )
  const common = { path, field, isShown, isLocked: holder.isLocked || isLocked(field) }
  const value = readField(field, holder.value.peek())
  const kind = kindOf(field)
  if (kind === 'leaf') return leafNode(around, common, value)
  if (kind === 'items') return itemsNode(around, common, value)
  const group = groupOf(around, { ...common, fields: field.fields ?? [], values: objectOf(value) })
  return { node: group.node, take: (next) => group.take(objectOf(next)) }
}

type FieldNode = Pick<Leaf, 'path' | 'field' | 'isShown' | 'isLocked'>

function leafNode(around: Surroundings, node: FieldNode, first: Json): Live<Leaf> {
  const { path, isLocked } = node
  const value = signal(first)
  const set = (next: Json) => {
    const before = value.peek()
    if (!isLocked && !sameJson(before, next)) around.apply({ kind: 'set', path, value: next, before })
  }
  return {
    node: { kind: 'leaf', ...node, value, problems: problemsAt(around, { ...node, value }), set },
    take: (next) => change(value, next),
  }
}

function itemsNode(around: Surroundings, node: FieldNode, first: Json): Live<Items> {
  const { path, field, isLocked } = node
  const value = signal(first)
  const ids = signal(itemsOf(first).map(idOf))
  let items = byId(first)
  const groups = new Map<string, Live<Group, JsonObject> & { readonly type: string }>()
  const indexOf = (id: string) => ids.peek().indexOf(id)
  const insert = (item: JsonObject, at: number) => {
    const isFree = typeof item._id === 'string' && around.isFree(item._id)
    const whole = isFree ? item : around.copies.duplicate(field, item)
    const id = idOf(whole)
    if (!isLocked) around.apply({ kind: 'insert', path, id, at, value: whole })
    return id
  }
  return {
    node: {
      kind: 'items',
      ...node,
      ids,
      problems: problemsAt(around, { ...node, value }),
      item(id) {
        const item = items.get(id)
        const known = groups.get(id)
        if (known && (item === undefined || typeOf(item) === known.type)) return known.node
        const group = itemNode(around, node, { id, item: item ?? NOTHING })
        groups.set(id, { ...group, type: typeOf(item ?? NOTHING) })
        return group.node
      },
      insert,
      remove(id) {
        const item = items.get(id)
        if (item && !isLocked) around.apply({ kind: 'remove', path, id, at: indexOf(id), value: item })
      },
      move(id, to) {
        const from = indexOf(id)
        if (from >= 0 && from !== to && !isLocked) around.apply({ kind: 'move', path, id, from, to })
      },
      duplicate(id) {
        return insert(around.copies.duplicate(field, items.get(id) ?? NOTHING), indexOf(id) + 1)
      },
      blank: (widgetType) => around.copies.blank(field, widgetType),
    },
    take(next) {
      if (!change(value, next)) return
      items = byId(next)
      change(ids, itemsOf(next).map(idOf))
      for (const [id, group] of groups) group.take(items.get(id) ?? NOTHING)
    },
  }
}

interface Item {
  readonly id: string
  readonly item: JsonObject
}

function itemNode(around: Surroundings, list: FieldNode, { id, item }: Item): Live<Group, JsonObject> {
  const fields = around.shapes.ofItem(list.field, item)
  return groupOf(around, {
    path: [...list.path, id],
    field: list.field,
    fields: fields ?? [],
    values: item,
    isShown: list.isShown,
    isLocked: list.isLocked,
    id,
    widgetType: list.field.type === 'area' && fields !== null ? typeOf(item) : null,
  })
}

const NOTHING: JsonObject = {}
/** One list for all fields in which nothing is wrong: a change elsewhere draws none of them again. */
const NO_PROBLEMS: readonly Problem[] = []

function typeOf(item: JsonObject): string {
  return String(own(item, 'type') ?? '')
}

/** Of what is shown and can be changed: what the editor finds, else what the service says. */
function problemsAt({ serviceProblems }: Surroundings, node: Checked): ReadonlySignal<readonly Problem[]> {
  const { path, field, value, isShown, isLocked } = node
  return computed(() => {
    if (!isShown.value) return NO_PROBLEMS
    const found = field === null || isLocked ? NO_PROBLEMS : checkValue(field, value.value, path)
    const said = found.length > 0 ? found : serviceProblems.value.filter((one) => isSamePath(one.path, path))
    return said.length > 0 ? said : NO_PROBLEMS
  })
}

interface Checked extends Pick<Leaf, 'path' | 'isShown' | 'isLocked' | 'value'> {
  /** Null where there is nothing to check. */
  readonly field: FieldInfo | null
}

/** Gives a signal another value; false where the value is equal, and stays the same object: nothing is drawn again. */
function change<Value extends Json>(at: Signal<Value>, next: Value): boolean {
  const isOther = !sameJson(at.peek(), next)
  if (isOther) at.value = next
  return isOther
}

function byId(list: Json): ReadonlyMap<string, JsonObject> {
  return new Map(itemsOf(list).map((item) => [idOf(item), item]))
}

function objectOf(value: Json): JsonObject {
  return isObject(value) ? value : NOTHING
}
