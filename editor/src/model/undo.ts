import type { Operation } from './form.ts'
import { inverse } from './operations.ts'
import { isSamePath } from './paths.ts'

/** How long apart two changes of one field may be to be undone together, in milliseconds. */
const TOGETHER = 500

/** Operations that are undone together, in the order in which they were applied. */
export interface Step {
  readonly operations: readonly Operation[]
  /** When the last one was applied, in milliseconds. */
  readonly at: number
}

/** The steps that can be undone and redone; the last step of each list comes first. */
export interface History {
  readonly past: readonly Step[]
  readonly future: readonly Step[]
}

/** A history after operations that are undone together; what was undone before can no longer be redone. */
export function remembered({ past }: History, operations: readonly Operation[], now: number): History {
  const last = past.at(-1)
  const [operation] = operations
  const joined = last && operation && operations.length === 1 ? joinedStep(last, operation, now) : null
  if (joined !== null) return { past: [...past.slice(0, -1), joined], future: [] }
  return { past: [...past, { operations, at: now }], future: [] }
}

/** The operations that take a step back. */
export function inverseOf(step: Step): readonly Operation[] {
  return step.operations.map(inverse).reverse()
}

/** One step for two changes of one field; null where they are far apart. */
function joinedStep({ operations, at }: Step, operation: Operation, now: number): Step | null {
  const [last] = operations
  if (last?.kind !== 'set' || operation.kind !== 'set' || operations.length > 1) return null
  const isTogether = isSamePath(last.path, operation.path) && now - at <= TOGETHER
  return isTogether ? { operations: [{ ...operation, before: last.before }], at: now } : null
}
