import { CmsError, invalidFields, problemsIn } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Fields } from '../../model/field-type/field-type.ts'
import { walk } from '../../model/values/walk.ts'
import type { Views } from '../view.ts'

/** The values that a refusal is about, and their fields. */
interface Refused {
  readonly fields: Fields
  readonly values: JsonObject
}

const UNSEEN = 'Fields that you do not see need attention. Ask somebody who sees all fields of the document.'

/**
 * A refusal as a caller may read it (§5.8): it names none of the fields that are hidden from them. Other failures, and
 * refusals without such fields, stay as they are.
 */
export function seenRefusal(views: Views, refused: readonly Refused[], failure: unknown): unknown {
  if (!(failure instanceof CmsError)) return failure
  const problems = problemsIn(failure)
  const hidden = hiddenPaths(views, refused)
  const seen = problems.filter(({ path }) => !pathsTo(path).some((one) => hidden.has(one)))
  if (seen.length === problems.length) return failure
  const message = seen.length === 0 ? UNSEEN : invalidFields(seen).message
  return new CmsError(failure.name, message, { ...failure.data, errors: seen })
}

function hiddenPaths(views: Views, refused: readonly Refused[]): ReadonlySet<string> {
  const located = refused.flatMap(({ fields, values }) => [...walk(fields, values)])
  return new Set(located.filter(({ field }) => views.hides(field)).map(({ path }) => path))
}

/** `a`, `a.b` and `a.b.c` for `a.b.c`. */
function pathsTo(path: string): string[] {
  const steps = path.split('.')
  return steps.map((_, index) => steps.slice(0, index + 1).join('.'))
}
