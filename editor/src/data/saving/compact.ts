import type { Operation, Path } from '../../model/form.ts'

/** Fewer operations that do the same: of values that were set directly after each other at one place, the last. */
export function compact(operations: readonly Operation[]): readonly Operation[] {
  const kept: Operation[] = []
  for (const operation of operations) {
    const last = kept.at(-1)
    if (last?.kind === 'set' && operation.kind === 'set' && isSame(last.path, operation.path)) {
      kept[kept.length - 1] = { ...operation, before: last.before }
    } else {
      kept.push(operation)
    }
  }
  return kept
}

function isSame(one: Path, other: Path): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index])
}

/** One of the places is the other, or inside of it. */
export function touches(one: Path, other: Path): boolean {
  const length = Math.min(one.length, other.length)
  return isSame(one.slice(0, length), other.slice(0, length))
}
