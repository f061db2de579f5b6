import type { Problem } from '../../base/errors.ts'
import type { Reference } from '../../model/field-type/reference.ts'
import type { NamedReference } from '../../model/values/read-result.ts'
import type { Context } from '../context.ts'
import { mayPointTo, type Viewer } from '../permissions.ts'
import { relatedAccess, seesAllRelated } from '../related.ts'

/**
 * Looks up the documents that values name, for values that are not saved: reports those that do not exist, are of
 * another type, or are not for the caller to see in this locale and mode (§2.15). One statement for each type.
 */
export async function missingDocuments(ctx: Context, mustExist: readonly NamedReference[]): Promise<Problem[]> {
  const named = mustExist.flatMap(({ reference }) => (reference.kind === 'document' ? [reference] : []))
  const there = new Set<string>()
  for (const type of new Set(named.map((reference) => reference.type))) {
    const ids = new Set(named.filter((reference) => reference.type === type).map(({ id }) => id))
    for (const id of await visibleIds(ctx, type, [...ids])) there.add(`${type} ${id}`)
  }
  return missingReferences(ctx, mustExist, (one) => one.kind === 'document' && there.has(`${one.type} ${one.id}`))
}

/** Those of the ids that are documents of a type which the caller may know of. */
async function visibleIds(ctx: Context, typeName: string, ids: readonly string[]): Promise<readonly string[]> {
  const access = relatedAccess(ctx, typeName, ctx)
  if (access === null) return []
  if (!seesAllRelated(ctx, access)) return (await ctx.store.documents.many(access.view, ids)).map(({ id }) => id.docId)
  const types = await ctx.store.documents.types(ids)
  return ids.filter((id) => types.get(id) === typeName)
}

/** Reports those that do not exist, or that the caller may not point to. */
export function missingReferences(
  ctx: Viewer,
  mustExist: readonly NamedReference[],
  exists: (reference: Reference) => boolean,
): Problem[] {
  return mustExist
    .filter(({ reference }) => !(exists(reference) && mayPointTo(ctx, reference)))
    .map(({ path, reference }) => ({ path, name: 'invalid', message: missingMessage(reference) }))
}

function missingMessage(reference: Reference): string {
  return reference.kind === 'attachment'
    ? `There is no attachment ${reference.id}. Upload the file first.`
    : `There is no ${reference.type} with the id ${reference.id}.`
}
