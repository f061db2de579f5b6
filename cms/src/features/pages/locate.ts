import { notFound } from '../../base/errors.ts'
import type { Context, WriteContext } from '../../engine/context.ts'
import { asWritten, place } from '../../engine/locate.ts'
import { type Copies, type Document, DocumentId, type GivenId } from '../../model/document.ts'
import type { Type } from '../../model/types.ts'
import type { Place } from '../../store/store.ts'
import { archiveId, homeId } from './parked.ts'

/** A page that is to be changed: its type, its copies, its place. */
export interface HeldPage {
  readonly id: DocumentId
  readonly type: Type
  readonly copies: Copies
  /** The copy that was named. */
  readonly document: Document
  readonly place: Place
}

/** Any accepted id of a page, `_home` and `_archive` included, → which copy is meant (§4.2). */
export function locatePage(ctx: Context, text: string): DocumentId {
  return place(ctx, { localized: true }, givenPage(text))
}

/** As `locatePage`, for a write: a caller who only writes drafts means the draft. */
export function locatePageForWrite(ctx: Context, text: string): DocumentId {
  return asWritten(ctx, { localized: true }, locatePage(ctx, text))
}

/** The aposDocId in any accepted form of a page's id. Throws `notfound`. */
export function pageDocId(text: string): string {
  return givenPage(text).docId
}

/** Loads and holds a page and its place. Throws `notfound`. */
export async function holdPage(ctx: WriteContext, id: DocumentId): Promise<HeldPage> {
  await ctx.tx.tree.hold(id.locale)
  const copies = await ctx.tx.documents.copies(id.docId, id.locale)
  const document = copies[id.mode]
  const type = document && pageType(ctx, document.type)
  const found = await ctx.tx.tree.place(id.locale, id.docId)
  if (!document || !type || !found) throw notFound()
  return { id, type, copies, document, place: found }
}

/** The page type of that name; null when it is none of this site. */
export function pageType(ctx: Context, name: string): Type | null {
  const type = ctx.site.types.get(name)
  return type?.family === 'page' ? type : null
}

function givenPage(text: string): GivenId {
  if (text === '_home') return { docId: homeId }
  if (text === '_archive') return { docId: archiveId }
  const given = DocumentId.parse(text)
  if (given === null) throw notFound()
  return given
}
