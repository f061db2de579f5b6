import { invalid } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { StoredVersion } from '../../store/contract/store.ts'
import type { WriteContext } from '../context.ts'
import { readAccess, type Viewer } from '../permissions.ts'
import { takenOver, writableBy } from '../values/field-access.ts'
import type { Target } from './copies.ts'

/**
 * The version that a PUT restores (§4.4), as far as the caller may write it; `invalid` unless it is one of this
 * document, in this locale, as a draft.
 */
export async function restoredVersion(
  ctx: WriteContext,
  becomes: Type,
  { id, document }: Target,
  versionId: unknown,
): Promise<{ readonly id: string; readonly content: JsonObject } | null> {
  if (versionId === undefined) return null
  const found = typeof versionId === 'string' ? await ctx.tx.read.versions.get(versionId) : null
  const isOfDocument = found?.version.docId === document.id.docId && found.version.locale === id.locale
  if (!found || !isOfDocument || isUnseen(ctx, found.version.type)) {
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

/** Whether a page was of a type then that the caller may not see: its content is hidden, whatever it is of now (§5.8). */
function isUnseen({ site, actor }: Viewer, typeName: string): boolean {
  const type = site.types.get(typeName)
  return type !== undefined && readAccess(actor, type) === null
}

/** What a document of a type takes over from a version, as far as the caller may write it. */
export function restorableContent(
  { site, actor }: Viewer,
  becomes: Type,
  { version, content }: StoredVersion,
): JsonObject {
  const { title = '' } = content
  const from = site.types.get(version.type)
  const taken = from ? takenOver({ actor, from: from.fields, to: becomes.fields }, content) : { title }
  return writableBy(actor, becomes.fields, taken)
}

/** The slug that a restored document gets: of a page's only the last step is rolled back, and home has none (§4.4). */
export function restoredSlug({ family }: Type, then: unknown, now: unknown): unknown {
  if (family !== 'page' || typeof then !== 'string' || typeof now !== 'string') return then
  if (now === '/' || then === '') return now
  return now.slice(0, now.lastIndexOf('/') + 1) + then.slice(then.lastIndexOf('/') + 1)
}
