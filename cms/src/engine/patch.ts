import { CmsError, invalid } from '../base/errors.ts'
import { isObject, type Json, type JsonObject, own } from '../base/json.ts'
import { addToSet, move, pullAll, pullAllById, push } from './patch-operators.ts'
import { assign, topLevelName } from './patch-path.ts'

const OPERATORS: { readonly [name: string]: (target: JsonObject, path: string, operand: unknown) => void } = {
  $push: push,
  $pullAll: pullAll,
  $pullAllById: pullAllById,
  $addToSet: addToSet,
  $move: move,
}

/** Whether a change that names something that is not there refuses the patch, or is left out. */
export type Missing = 'refuse' | 'skip'

/**
 * Applies a partial body (§4.1 PATCH) to fields in their outside form, in place, and answers the names of the top-level
 * fields it touches. Keys are fields, dot paths, `@id` paths and operators; `_patches` holds several bodies in order.
 * Throws `invalid` for unknown operators, ids and places.
 */
export function patch(target: JsonObject, body: { readonly [name: string]: unknown }, missing: Missing): Set<string> {
  const touched = new Set<string>()
  for (const one of bodiesOf(body)) applyBody(target, one, missing, touched)
  return touched
}

/** The bodies to apply, each an object: the one given, then those of `_patches`. */
function bodiesOf(body: { readonly [name: string]: unknown }): { readonly [name: string]: unknown }[] {
  const patches = own(body, '_patches')
  if (patches === undefined) return [body]
  if (!Array.isArray(patches) || !patches.every(isObject)) {
    throw invalid('_patches must be a list of objects, each a PATCH body.')
  }
  return [body, ...patches]
}

function applyBody(
  target: JsonObject,
  body: { readonly [name: string]: unknown },
  missing: Missing,
  touched: Set<string>,
): void {
  for (const [key, value] of Object.entries(body)) {
    if (key === '_patches') continue
    if (key.startsWith('$')) applyOperator(target, key, value, missing, touched)
    else change(target, key, missing, touched, () => assign(target, key, value as Json))
  }
}

function applyOperator(
  target: JsonObject,
  name: string,
  operands: unknown,
  missing: Missing,
  touched: Set<string>,
): void {
  const operator = own(OPERATORS, name)
  if (!operator) throw invalid(`${name} is no operator. Use one of ${Object.keys(OPERATORS).join(', ')}.`)
  if (!isObject(operands)) throw invalid(`${name} takes an object whose keys are paths.`)
  for (const [path, operand] of Object.entries(operands)) {
    change(target, path, missing, touched, () => operator(target, path, operand))
  }
}

function change(target: JsonObject, path: string, missing: Missing, touched: Set<string>, work: () => void): void {
  try {
    const name = topLevelName(target, path)
    work()
    touched.add(name)
  } catch (error) {
    if (missing === 'refuse' || !(error instanceof CmsError)) throw error
  }
}
