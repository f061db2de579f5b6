import type { Group } from '../model/form.ts'

/** How many problems lie in some fields of a group, as text; null for none. */
export function problemCount({ children }: Group, names: readonly string[]): string | null {
  const count = names.reduce((sum, name) => sum + (children.get(name)?.problems.value.length ?? 0), 0)
  return count === 0 ? null : String(count)
}
