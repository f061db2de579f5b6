import type { Json, JsonObject } from 'quire-client'
import { own } from '../json.ts'

/** One change of a PATCH; without an operator the value at the path is set. */
export interface PatchStep {
  readonly operator?: '$push' | '$pullAllById' | '$move'
  readonly path: string
  readonly operand: Json
}

/**
 * One body of PATCH that does these steps in their order, which only matters within a list: `_patches` where one object
 * cannot hold them. Null for no steps.
 */
export function bodyOf(steps: readonly PatchStep[]): JsonObject | null {
  const bodies: JsonObject[] = []
  for (const step of steps) {
    const last = bodies.at(-1)
    const joined = last && joinedBody(last, step)
    if (joined) bodies[bodies.length - 1] = joined
    else bodies.push(joinedBody({}, step) ?? {})
  }
  const [first = null] = bodies
  return bodies.length > 1 ? { _patches: bodies } : first
}

/** The body with a further step at its end; null where it would not come last. */
function joinedBody(body: JsonObject, { operator, path, operand }: PatchStep): JsonObject | null {
  if (operator === undefined) return Object.keys(body).some(isOperator) ? null : { ...body, [path]: operand }
  const isLast = !Object.hasOwn(body, operator) || Object.keys(body).at(-1) === operator
  const paths = own(body, operator) ?? {}
  // `as`: what stands under an operator was put there below.
  const operands = paths as JsonObject
  return isLast && !Object.hasOwn(operands, path) ? { ...body, [operator]: { ...operands, [path]: operand } } : null
}

function isOperator(name: string): boolean {
  return name.startsWith('$')
}
