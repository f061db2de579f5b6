import type { JsonObject, Schema } from 'quire-client'
import { type Mark, markKey } from '../inside/protocol.ts'
import { shapesOf } from './fields.ts'
import type { FormNode, Group, Items, Path } from './form.ts'
import { isObject } from './json.ts'
import { sentItem } from './patching/sent-form.ts'
import { nodeAt } from './tree-walk.ts'

// The parts that a page marks (§11.4), and the places of the form that they come from.

/** A block. */
interface Block extends Group {
  readonly id: string
}

/** The place that a part comes from; null where the document does not have it any more. */
export function nodeOfMark(root: Group, mark: Mark): FormNode | null {
  if (mark.kind === 'field') return nodeAtWritten(root, mark.path)
  for (const node of nodesIn(root)) {
    if (mark.kind === 'widget' && isBlock(node) && node.id === mark.widgetId) return node
    if (mark.kind === 'area' && isArea(node) && areaId(root, node) === mark.areaId) return node
  }
  return null
}

/** The part that shows a place of the form: the block that it lies in, else its area or its field. */
export function markAt(root: Group, docId: string, path: Path): Mark | null {
  const block = blockAt(root, path)
  if (block) return { kind: 'widget', docId, widgetId: block.id }
  const node = nodeAt(root, path)
  return node && markOf(root, docId, node)
}

/** The innermost block that holds a place, or is it. */
export function blockAt(root: Group, path: Path): Block | null {
  return nodesAlong(root, path).findLast(isBlock) ?? null
}

/** The names of the parts of a document, by `markKey`. */
export function labelsOf(root: Group, docId: string, { widgets }: Pick<Schema, 'widgets'>): Record<string, string> {
  const labels: Record<string, string> = {}
  for (const node of nodesIn(root)) {
    const mark = markOf(root, docId, node)
    const label = isBlock(node) ? widgets[node.widgetType ?? '']?.label : node.field?.label
    if (mark && label) labels[markKey(mark)] = label
  }
  return labels
}

/** The body of `area/render-widget` for a block, without the document. */
export function drawnFrom(
  schema: Pick<Schema, 'types' | 'widgets'>,
  typeName: string,
  root: Group,
  { path, field, value }: Block,
): JsonObject {
  let [kind, steps] = [`doc.${typeName}`, [] as string[]]
  for (const node of nodesAlong(root, path.slice(0, -1))) {
    if (isBlock(node)) [kind, steps] = [`widget.${node.widgetType}`, []]
    else if (node.field && !(node.kind === 'group' && node.id !== null)) steps = [...steps, node.field.name]
  }
  const widget = field === null ? value.peek() : sentItem(shapesOf(schema), field, value.peek())
  return { areaFieldId: [kind, ...steps].join('.'), widget }
}

function markOf(root: Group, docId: string, node: FormNode): Mark | null {
  if (isBlock(node)) return { kind: 'widget', docId, widgetId: node.id }
  if (isArea(node)) {
    const id = areaId(root, node)
    return id === '' ? null : { kind: 'area', docId, areaId: id, fieldId: node.field.name }
  }
  return { kind: 'field', docId, path: writtenPath(root, node.path) }
}

/** As PATCH names it: from the innermost item on. */
function writtenPath(root: Group, path: Path): string {
  const item = nodesAlong(root, path).findLast((node) => node.kind === 'group' && node.id !== null)
  if (item === undefined) return path.join('.')
  return [`@${item.path.at(-1)}`, ...path.slice(item.path.length)].join('.')
}

function nodeAtWritten(root: Group, written: string): FormNode | null {
  const [first = '', ...rest] = written.split('.')
  if (!first.startsWith('@')) return nodeAt(root, [first, ...rest])
  for (const node of nodesIn(root))
    if (node.kind === 'group' && node.id === first.slice(1)) return nodeAt(root, [...node.path, ...rest])
  return null
}

function* nodesIn(node: FormNode): Generator<FormNode, void, undefined> {
  yield node
  if (node.kind === 'group') for (const child of node.children.values()) yield* nodesIn(child)
  if (node.kind === 'items') for (const id of node.ids.value) yield* nodesIn(node.item(id))
}

function nodesAlong(root: Group, path: Path): readonly FormNode[] {
  return path.flatMap((_, index) => nodeAt(root, path.slice(0, index + 1)) ?? [])
}

function isBlock(node: FormNode): node is Block {
  return node.kind === 'group' && node.id !== null && node.widgetType !== null
}

function isArea(node: FormNode): node is Items {
  return node.kind === 'items' && node.field.type === 'area'
}

function areaId(root: Group, { path, field }: Items): string {
  const holder = nodeAt(root, path.slice(0, -1))
  const area = holder?.kind === 'group' ? holder.value.peek()[field.name] : null
  return isObject(area) ? String(area._id ?? '') : ''
}
