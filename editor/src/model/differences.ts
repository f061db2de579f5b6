import type { FormNode, Group, Leaf } from './form.ts'
import { sameJson } from './json.ts'

/** A field whose value differs between two documents; null on the side where it is not. */
export interface Difference {
  readonly one: Leaf | null
  readonly other: Leaf | null
}

/** The fields with one value that differ between two documents of a type, in the order of the first. */
export function differencesOf(one: Group, other: Group): readonly Difference[] {
  const [before, after] = [leavesOf(one), leavesOf(other)]
  const changed = [...before].flatMap(([path, leaf]): Difference[] => {
    const there = after.get(path) ?? null
    return there !== null && sameJson(leaf.value.peek(), there.value.peek()) ? [] : [{ one: leaf, other: there }]
  })
  const added = [...after].flatMap(([path, leaf]) => (before.has(path) ? [] : [{ one: null, other: leaf }]))
  return [...changed, ...added]
}

function leavesOf(group: Group): ReadonlyMap<string, Leaf> {
  return new Map([...leavesIn(group)].map((leaf) => [leaf.path.join('.'), leaf]))
}

function* leavesIn(node: FormNode): Generator<Leaf, void, undefined> {
  if (node.kind === 'leaf') yield node
  else if (node.kind === 'group') for (const child of node.children.values()) yield* leavesIn(child)
  else for (const id of node.ids.peek()) yield* leavesIn(node.item(id))
}
