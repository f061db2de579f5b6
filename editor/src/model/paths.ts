import type { Path } from './form.ts'

/** Whether two paths are the same. */
export function isSamePath(one: Path, other: Path): boolean {
  return one.length === other.length && isWithin(one, other)
}

/** Whether a path leads into what another one leads to, or to the same. */
export function isWithin(path: Path, outer: Path): boolean {
  return path.length >= outer.length && outer.every((step, index) => step === path[index])
}
