import type { Problem } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import { requiredProblems, shortListProblems } from '../../model/values/required.ts'
import type { Viewer } from '../permissions.ts'
import { viewsOf } from '../view.ts'
import type { UnseenDocuments } from './unseen-documents.ts'

/**
 * Values of a type that are to be published, and those that are published now, or were before; null for none, or for those
 * of another type.
 */
export interface Publishing {
  readonly type: Type
  readonly values: JsonObject
  readonly published: JsonObject | null
}

/**
 * What keeps values from being published (§3.3): required fields that are empty, and lists that are too short, of the
 * fields that the caller sees. What was published with the same lack may stay as it is.
 */
export function publishingProblems(
  viewer: Viewer,
  unseen: UnseenDocuments,
  { type: { fields }, values, published }: Publishing,
): Problem[] {
  const views = viewsOf(viewer)
  const asks = (field: Field) => views.asksFor(field, true)
  const stored = published && { fields, values: published }
  const lacked = new Set(published ? requiredProblems(fields, published, { asks }).map(({ path }) => path) : [])
  const empty = requiredProblems(fields, values, { asks, before: stored ? [stored] : [] })
  // A list whose only items are hidden from the caller looks empty to them.
  const shown = unseen.without(fields, values)
  const shownShort = new Set(shortListProblems(fields, shown, { asks, before: stored }).map(({ path }) => path))
  const short = shortListProblems(fields, values, { asks, before: stored }).filter(({ path }) => shownShort.has(path))
  return [...empty.filter(({ path }) => !lacked.has(path)), ...short]
}
