import type { FormNode, Group, Path, Problem } from './form.ts'

/** The node at a path; null where there is none. */
export function nodeAt(root: Group, path: Path): FormNode | null {
  let node: FormNode | null = root
  for (const step of path) node = node === null ? null : childOf(node, step)
  return node
}

/** The path of the deepest node that a path of the service leads to. */
export function pathIn(root: Group, path: string): Path {
  let node: FormNode = root
  for (const step of path.split('.')) {
    const next: FormNode | null = childOf(node, step) ?? itemAt(node, step)
    if (next === null) break
    node = next
  }
  return node.path
}

/** The problems of a document, in the order of its fields. */
export function* problemsOf(node: FormNode): Generator<Problem, void, undefined> {
  if (!node.isShown.value) return
  yield* node.problems.value
  if (node.kind === 'group') for (const child of node.children.values()) yield* problemsOf(child)
  if (node.kind === 'items') for (const id of node.ids.value) yield* problemsOf(node.item(id))
}

function childOf(node: FormNode, step: string): FormNode | null {
  if (node.kind === 'group') return node.children.get(step) ?? null
  return node.kind === 'items' && node.ids.peek().includes(step) ? node.item(step) : null
}

/** The service names new items that have no id by their index. */
function itemAt(node: FormNode, step: string): FormNode | null {
  const id = node.kind === 'items' && /^\d+$/.test(step) ? node.ids.peek()[Number(step)] : undefined
  return node.kind === 'items' && id !== undefined ? node.item(id) : null
}
