import { computed, type ReadonlySignal } from '@preact/signals-core'
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

/** A holder of fields as its node begins. */
interface Begin {
  readonly path: Path
  readonly field: FieldInfo | null
  readonly fields: readonly FieldInfo[]
  readonly value: ReadonlySignal<JsonObject>
  readonly isShown: ReadonlySignal<boolean>
  readonly isLocked: boolean
  readonly id?: string
  readonly widgetType?: string | null
}

/** The nodes of a document, an object or an item: one for each field. */
export function groupOf(around: Surroundings, begin: Begin): Group {
  const { path, field, fields, value, isShown, id = null, widgetType = null } = begin
  const children = new Map(fields.map((one) => [one.name, nodeOf(around, begin, one)]))
  const checked = field !== null && kindOf(field) === 'object' ? field : null
  const problems = problemsAt(around, { path, field: checked, value, isShown, isLocked: begin.isLocked })
  return { kind: 'group', path, field, id, widgetType, children, value, isShown, isLocked: begin.isLocked, problems }
}

function nodeOf(around: Surroundings, holder: Begin, field: FieldInfo): FormNode {
  const path = [...holder.path, field.name]
  const condition = field.if
  const isShown = computed(
    () => holder.isShown.value && (condition === undefined || conditionHolds(condition, holder.value.value)),
  )
  const common = { path, field, isShown, isLocked: holder.isLocked || isLocked(field) }
  const value = steady(() => readField(field, holder.value.value))
  const kind = kindOf(field)
  if (kind === 'object') {
    const inner = computed(() => (isObject(value.value) ? value.value : NOTHING))
    return groupOf(around, { ...common, fields: field.fields ?? [], value: inner })
  }
  const problems = problemsAt(around, { ...common, value })
  return kind === 'items'
    ? itemsNode(around, { ...common, problems, value })
    : leafNode(around, { ...common, problems, value })
}

type FieldNode = Pick<Leaf, 'path' | 'field' | 'isShown' | 'isLocked' | 'problems' | 'value'>

function leafNode(around: Surroundings, node: FieldNode): Leaf {
  const { path, isLocked, value } = node
  return {
    kind: 'leaf',
    ...node,
    set(next) {
      const before = value.peek()
      if (!isLocked && !sameJson(before, next)) around.apply({ kind: 'set', path, value: next, before })
    },
  }
}

function itemsNode(around: Surroundings, { value, ...node }: FieldNode): Items {
  const { path, field, isLocked } = node
  const list = computed(() => itemsOf(value.value))
  const byId = computed(() => new Map(list.value.map((item) => [idOf(item), item])))
  const groups = new Map<string, Group>()
  const indexOf = (id: string) => list.peek().findIndex((item) => idOf(item) === id)
  const insert = (item: JsonObject, at: number) => {
    const isFree = typeof item._id === 'string' && around.isFree(item._id)
    const whole = isFree ? item : around.copies.duplicate(field, item)
    const id = idOf(whole)
    if (!isLocked) around.apply({ kind: 'insert', path, id, at, value: whole })
    return id
  }
  return {
    kind: 'items',
    ...node,
    ids: steady(() => list.value.map(idOf)),
    item(id) {
      const item = byId.peek().get(id)
      const known = groups.get(id)
      if (known && (item === undefined || typeOf(item) === typeOf(known.value.peek()))) return known
      const group = itemNode(around, { ...node, value }, { id, item: item ?? NOTHING, byId })
      groups.set(id, group)
      return group
    },
    insert,
    remove(id) {
      const item = byId.peek().get(id)
      if (item && !isLocked) around.apply({ kind: 'remove', path, id, at: indexOf(id), value: item })
    },
    move(id, to) {
      const from = indexOf(id)
      if (from >= 0 && from !== to && !isLocked) around.apply({ kind: 'move', path, id, from, to })
    },
    duplicate(id) {
      return insert(around.copies.duplicate(field, byId.peek().get(id) ?? NOTHING), indexOf(id) + 1)
    },
    blank: (widgetType) => around.copies.blank(field, widgetType),
  }
}

interface Item {
  readonly id: string
  readonly item: JsonObject
  readonly byId: ReadonlySignal<ReadonlyMap<string, JsonObject>>
}

function itemNode(around: Surroundings, list: FieldNode, { id, item, byId }: Item): Group {
  const fields = around.shapes.ofItem(list.field, item)
  return groupOf(around, {
    path: [...list.path, id],
    field: list.field,
    fields: fields ?? [],
    value: computed(() => byId.value.get(id) ?? NOTHING),
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

/** A computed value that stays the same object while it is equal: nothing is drawn again. */
function steady<Value extends Json>(compute: () => Value): ReadonlySignal<Value> {
  let last: Value | undefined
  return computed(() => {
    const next = compute()
    if (last === undefined || !sameJson(last, next)) last = next
    return last
  })
}
