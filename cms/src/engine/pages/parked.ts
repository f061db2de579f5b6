import { invalid, invalidFields, invalidValue } from '../../base/errors.ts'
import { sameJson } from '../../base/json.ts'
import type { ParkedPage, Site } from '../../model/declared/types.ts'
import type { OpenCopies } from '../../model/terms/document.ts'
import { type DocId, DocumentId, type PartialId } from '../../model/terms/document-id.ts'
import { fixedId } from '../values/fixed-id.ts'

/** By the ids under which sites declare them. */
const docIds = new Map<string, DocId>()

/** The aposDocId of the home page, the same in every site and locale. */
export const homeId = parkedDocId('home')
/** The aposDocId of the page that holds the archive, the same in every site and locale. */
export const archiveId = parkedDocId('archive')

/** The page that an id names: `_home` and `_archive` are ids of those pages (§4.2). Null for what cannot be an id. */
export function parsePartialId(text: string): PartialId | null {
  if (text === '_home') return { docId: homeId }
  return text === '_archive' ? { docId: archiveId } : DocumentId.parse(text)
}

/** The aposDocId of a built-in page. */
export function parkedDocId(parkedId: string): DocId {
  const docId = docIds.get(parkedId) ?? fixedId(`page ${parkedId}`)
  docIds.set(parkedId, docId)
  return docId
}

/** The declaration of a built-in page; null for all other pages. */
export function parkedPage(site: Site, docId: DocId): ParkedPage | null {
  return site.parked.find(({ parkedId }) => parkedDocId(parkedId) === docId) ?? null
}

/** Throws `invalid` for built-in pages: `what` is what cannot be done to them. */
export function assertNotParked(site: Site, docId: DocId, what: string): void {
  if (docId === homeId) throw invalid(`The home page cannot be ${what}.`)
  if (docId === archiveId) throw invalid(`The archive cannot be ${what}.`)
  if (parkedPage(site, docId)) throw invalid(`This page is built in: it cannot be ${what}.`)
}

/** True for the types of home and archive: no other page may be of them. */
export function isFixedType(site: Site, typeName: string): boolean {
  return site.parked.some(({ parkedId, type }) => (parkedId === 'home' || parkedId === 'archive') && type === typeName)
}

/** Throws `invalid`, naming them, when a save has changed fields that are fixed on a built-in page (§4.2). */
export function assertFixedFieldsUnchanged(
  site: Site,
  docId: DocId,
  { before, after }: { readonly before: OpenCopies; readonly after: OpenCopies },
): void {
  const fixed = parkedPage(site, docId)?.fixed ?? []
  const problems = fixed.flatMap((name) => {
    const isKept = (['draft', 'published'] as const).every((mode) => {
      return before[mode] === null || sameJson(before[mode].fields[name], after[mode]?.fields[name])
    })
    return isKept ? [] : [invalidValue(name, `This page is built in: its ${name} is fixed.`)]
  })
  if (problems.length > 0) throw invalidFields(problems)
}
