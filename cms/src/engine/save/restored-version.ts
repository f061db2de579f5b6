import { invalid, invalidField } from '../../base/errors.ts'
import { type JsonObject, own, type UnknownObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import { openValues } from '../../model/terms/document.ts'
import type { StoredVersion } from '../../store/contract/store.ts'
import type { WriteContext } from '../context.ts'
import type { Viewer } from '../permissions.ts'
import { takenOver, writableBy } from '../values/field-access.ts'
import { viewsOf } from '../view.ts'
import type { Target } from './copies.ts'

/** A version, and its content as far as it is restored. */
export interface RestoredVersion {
  readonly id: string
  readonly content: JsonObject
}

/**
 * The version that a PUT restores (§4.4), as far as the caller may write it; `invalid` unless it is one of this
 * document, in this locale, as a draft.
 */
export async function restoredVersion(
  ctx: WriteContext,
  { id, document, becomes }: Target & { readonly becomes: Type },
  versionId: unknown,
): Promise<RestoredVersion | null> {
  if (versionId === undefined) return null
  const found = typeof versionId === 'string' ? await ctx.tx.read.versions.get(versionId) : null
  // A page may have been of a type then that the caller may not see: its content is hidden, whatever it is of now (§5.8).
  const isOfDocument = found?.version.docId === document.id.docId && found.version.locale === id.locale
  if (!found || !isOfDocument || viewsOf(ctx).hidesType(found.version.type)) {
    throw invalid('_restoreVersion names no version of this document in this locale.')
  }
  if (becomes.localized && id.mode !== 'draft')
    throw invalid('A version is restored to the draft: send aposMode=draft.')
  const { type } = found.version
  if (![type, document.type].includes(becomes.name) && ctx.site.types.has(type)) {
    throw invalid(`The version is of a page of the type ${type}: send that type.`)
  }
  return { id: found.version.id, content: restorableContent(ctx, becomes, found) }
}

/** Refuses bodies that name a version where none is restored: only PUT does (§4.4). Throws `invalid`. */
export function assertNotRestoring(bodies: readonly UnknownObject[]): void {
  if (bodies.every((body) => own(body, '_restoreVersion') === undefined)) return
  throw invalidField('_restoreVersion', 'A version is restored by PUT to the draft; here this means nothing.')
}

/** Returns the values that a document of a type takes over from a version, as far as the caller may write them. */
export function restorableContent(
  viewer: Viewer,
  becomes: Type,
  { version, content: fields }: StoredVersion,
): JsonObject {
  const content = openValues({ fields })
  const { title = '' } = content
  const views = viewsOf(viewer)
  const from = viewer.site.types.get(version.type)
  const taken = from ? takenOver(views, { from: from.fields, to: becomes.fields }, content) : { title }
  return writableBy(views, becomes.fields, taken)
}

/** The slug that a restored document gets: of a page's only the last step is rolled back, and home has none (§4.4). */
export function restoredSlug({ family }: Type, then: unknown, now: unknown): unknown {
  if (family !== 'page' || typeof then !== 'string' || typeof now !== 'string') return then
  if (now === '/' || then === '') return now
  return now.slice(0, now.lastIndexOf('/') + 1) + then.slice(then.lastIndexOf('/') + 1)
}
