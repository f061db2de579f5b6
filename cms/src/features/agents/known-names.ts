import { invalidFields, type Problem } from '../../base/errors.ts'
import { isObject } from '../../base/json.ts'
import { unknownProperties } from '../../engine/values/unknown-properties.ts'
import { viewsOf } from '../../engine/view.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Agent } from './agent.ts'

/** State of a document, which only people change. */
const STATE: ReadonlySet<string> = new Set(['archived', 'orphan'])
/** The most names that a message lists. */
const MOST_PROBLEMS = 20

type Body = { readonly [name: string]: unknown }

/**
 * Asserts that a body names only fields that there are, and none of the state of a document: nothing is published,
 * scheduled, archived, moved or copied by it. Throws `invalid` with the names that there are.
 */
export function assertKnownNames(
  agent: Agent,
  type: Type,
  given: Body,
  { isPatch }: { readonly isPatch: boolean },
): void {
  const fields = fieldsOf(agent, type)
  const wrong = topNames(given, isPatch).filter(
    (name) => !fields.includes(stepOf(name)) && !(isPatch && name.startsWith('@')),
  )
  const inside = unknownProperties(agent.ctx, { types: [type], body: given, isPatch })
  const problems = [
    ...wrong.map((path) => problem(path, fields)),
    ...inside.filter(({ path }) => !wrong.includes(path)).map(({ path, known }) => problem(path, [...known()])),
  ]
  if (problems.length > 0) throw invalidFields(problems.slice(0, MOST_PROBLEMS))
}

/** The fields that the caller may set. */
function fieldsOf({ actor, ctx: { site } }: Agent, type: Type): string[] {
  const views = viewsOf({ site, actor })
  const fields = views.of(type.name)?.fields ?? []
  return fields.filter((field) => !field.type.computed && !STATE.has(field.name)).map(({ name }) => name)
}

/** The names at the top of a body: of a patch, those in its operators, too. */
function topNames(given: Body, isPatch: boolean): string[] {
  return Object.entries(given).flatMap(([name, value]) => {
    if (!isPatch || !name.startsWith('$')) return [name]
    return isObject(value) ? Object.keys(value) : []
  })
}

function stepOf(path: string): string {
  return path.split('.', 1)[0] ?? ''
}

function problem(path: string, known: readonly string[]): Problem {
  return {
    path: path.slice(0, 200),
    name: 'unknown',
    message: `There is no field ${JSON.stringify(path.slice(0, 60))} that you can set. There are: ${known.slice(0, 60).join(', ')}.`,
  }
}
