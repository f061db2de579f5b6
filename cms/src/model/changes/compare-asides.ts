import type { JsonObject } from '../../base/json.ts'
import { sameJson } from '../../base/same-json.ts'
import type { Field } from '../field-type/field-type.ts'
import { labelOf } from '../terms/property-labels.ts'
import { type Aside, asidesOf, textOfAside } from '../values/aside.ts'
import { isEmpty } from '../values/walk.ts'
import { answered, fieldStep, keyOf, type Path, typeOf, under } from './change-path.ts'
import type { Change } from './content-change.ts'

/**
 * A value that its field, as declared now, does not take, on one side or both (§2.14): told by its text; where the
 * caller may not know it, only as changed. A field of null is no longer declared.
 */
export function* compareAsides(
  path: Path,
  name: string,
  field: Field | null,
  { older, newer }: { readonly older: JsonObject; readonly newer: JsonObject },
): Generator<Change> {
  const was = asidesOf(older)[name]
  const is = asidesOf(newer)[name]
  const aside = is ?? was
  if (aside === undefined || (was && is && sameJson(was.values, is.values))) return
  const { steps } = under(path, fieldStep(field ?? { name, label: labelOf(name) }))
  const change = { key: keyOf(steps), segments: steps, kind: 'leaf', fieldType: aside.type, older, newer } as const
  if (isUntold(was) || isUntold(is)) {
    yield { ...change, type: 'modified', field: null }
    return
  }
  const isNothing = (one: Aside | undefined, holder: JsonObject) =>
    one === undefined && (field === null || isEmpty(field, holder))
  const type = typeOf(isNothing(was, older), isNothing(is, newer))
  if (type === null) return
  yield {
    ...change,
    type,
    field,
    ...(was ? { oldText: textOfAside(was) } : field && type !== 'added' && { old: answered(field, older) }),
    ...(is ? { newText: textOfAside(is) } : field && type !== 'deleted' && { new: answered(field, newer) }),
  }
}

/** Its text is shown to nobody, or not to this caller (`contentFor`). */
function isUntold(aside: Aside | undefined): boolean {
  return aside !== undefined && (aside.secret || aside.holdsHidden === true)
}
