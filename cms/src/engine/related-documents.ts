import { type Document, stateOf } from '../model/terms/document.ts'
import type { DocId, Locale } from '../model/terms/document-id.ts'
import { isShownTo, type Store, type View } from '../store/contract/store.ts'
import { fallbacksOf, type Viewer } from './permissions.ts'

/** Selects related documents (`RelatedAccess`). */
interface Selecting {
  readonly view: View
  /** The locale that does not have these documents, for which they stand in (§4.5). */
  readonly fallbackOf?: Locale
}

/** Related documents of one locale, and how the caller sees them. */
export interface FoundRelated<Access extends Selecting = Selecting> {
  readonly access: Access
  readonly documents: readonly Document[]
}

/**
 * Reads documents that something leads to (§2.15): those of its locale, and of the locales that it falls back to those
 * that the locales before do not have (§4.5); one statement for each. A copy that is archived, or hidden from the
 * caller, is not missing.
 */
export async function readRelated<Access extends Selecting>(
  { viewer, reader }: { readonly viewer: Viewer; readonly reader: Pick<Store['documents'], 'many'> },
  access: Access,
  docIds: readonly DocId[],
): Promise<FoundRelated<Access>[]> {
  const fallbacks = fallbacksOf(viewer, access.view.locale)
  if (fallbacks.length === 0) return [{ access, documents: await reader.many(access.view, docIds) }]
  const found: FoundRelated<Access>[] = []
  let missing = docIds
  for (const one of [access, ...fallbacks.map((locale) => inFallback(access, locale))]) {
    if (missing.length === 0) break
    const copies = await reader.many({ ...one.view, archived: 'any', visibility: null }, missing)
    found.push({ access: one, documents: copies.filter((copy) => isShownTo(one.view, stateOf(copy))) })
    const known = new Set(copies.map(({ id }) => id.docId))
    missing = missing.filter((docId) => !known.has(docId))
  }
  return found
}

function inFallback<Access extends Selecting>(access: Access, locale: Locale): Access {
  return { ...access, view: { ...access.view, locale }, fallbackOf: access.view.locale }
}
