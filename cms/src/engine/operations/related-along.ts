import { CmsError, conflict, invalid } from '../../base/errors.ts'
import type { Type } from '../../model/declared/types.ts'
import type { OpenDocument } from '../../model/terms/document.ts'
import type { DocId } from '../../model/terms/document-id.ts'
import { referencesOf, walk } from '../../model/values/walk.ts'
import type { WriteContext } from '../context.ts'
import { may } from '../permissions.ts'
import { writableBy } from '../values/field-access.ts'
import { viewsOf } from '../view.ts'
import type { Localization } from './localization.ts'

/** Makes a conflict say that it is about a related document, and not about the one that was named. */
export function ofRelated(error: unknown): unknown {
  if (!(error instanceof CmsError) || error.name !== 'conflict') return error
  return conflict(`A related document cannot be copied along: ${error.message} Send related: false, or fewer types.`)
}

/** By the ids that a document names, the types of which a document of that id would be copied along. */
type Candidates = ReadonlyMap<DocId, readonly Type[]>

/** The documents that a copied one refers to in fields that the caller may write: those that could come along (§3.4). */
export function candidatesOf(
  ctx: WriteContext,
  { type, original: { id, fields } }: { readonly type: Type; readonly original: OpenDocument },
  { related, requested }: Localization,
): Candidates {
  const named = new Map<DocId, readonly Type[]>()
  // Fields that the caller may not write are not copied, and their references are not revealed.
  for (const { field, values } of walk(type.fields, writableBy(viewsOf(ctx), type.fields, fields))) {
    for (const reference of referencesOf(field, values)) {
      const types = reference.kind === 'document' ? reference.types : []
      const targets = types.flatMap((name) => ctx.site.types.get(name) ?? [])
      const wanted = targets.filter((target) => comesAlong(ctx, target, related))
      if (wanted.length === 0 || requested?.has(reference.id)) continue
      named.set(reference.id, [...(named.get(reference.id) ?? []), ...wanted])
    }
  }
  named.delete(id.docId)
  return named
}

/** The documents of a wanted type. */
export function relatedAmong(
  ctx: WriteContext,
  candidates: Candidates,
  known: ReadonlyMap<DocId, string>,
): Map<DocId, Type> {
  const found = [...candidates].flatMap(([docId, types]) =>
    types.filter(({ name }) => name === known.get(docId)).map((type) => [docId, type] as const),
  )
  const named = new Map(found)
  if (named.size <= ctx.site.limits.ids) return named
  throw invalid(
    `At most ${ctx.site.limits.ids} related documents can be copied along. Send related: false, or fewer types.`,
  )
}

function comesAlong(ctx: WriteContext, type: Type, related: Localization['related']): boolean {
  const isWanted = related === 'all' || related.has(type.name)
  return isWanted && type.localized && !type.singleton && type.family === 'piece' && may(ctx.actor, 'editDraft', type)
}
