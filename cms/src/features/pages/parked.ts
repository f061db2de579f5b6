import { invalid } from '../../base/errors.ts'
import { fixedId } from '../../engine/documents/fixed-id.ts'
import type { DocId } from '../../model/document.ts'
import type { ParkedPage, Site } from '../../model/types.ts'

/** The aposDocIds of the two pages that every site has, the same in every locale. */
export const homeId = parkedDocId('home')
export const archiveId = parkedDocId('archive')

/** The aposDocId of a built-in page. */
export function parkedDocId(parkedId: string): DocId {
  return fixedId(`page ${parkedId}`)
}

/** What a site says of a built-in page; null for all other pages. */
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
