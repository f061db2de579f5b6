import { notFound } from '../../base/errors.ts'
import type { Context, WriteContext } from '../../engine/context.ts'
import { asWritten, place } from '../../engine/locate.ts'
import { type Action, assertMay } from '../../engine/permissions.ts'
import { type Copies, type Document, DocumentId, type GivenId } from '../../model/document.ts'
import type { Type } from '../../model/types.ts'
import type { TreePosition } from '../../store/store.ts'
import { assertSees, pageType } from './access.ts'
import { archiveId, homeId } from './parked.ts'

/** A page that is to be changed: its type, its copies, its place. */
export interface HeldPage {
  readonly id: DocumentId
  /** Of the copy that was named; its draft may have become a page of another type. */
  readonly type: Type
  readonly copies: Copies
  /** The copy that was named. */
  readonly document: Document
  readonly position: TreePosition
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

/** Loads and holds a page and its place, for somebody who may do that to it. Throws `notfound`. */
export async function holdPage(ctx: WriteContext, id: DocumentId, action: Action): Promise<HeldPage> {
  await ctx.tx.tree.hold([id.locale])
  const copies = await ctx.tx.documents.copies(id.docId, id.locale)
  return held(ctx, id, copies, action)
}

/** As `holdPage`, of whichever copy there is; and the tree of another locale too. */
export async function holdAnyCopy(
  ctx: WriteContext,
  id: DocumentId,
  action: Action,
  otherLocale: string = id.locale,
): Promise<HeldPage> {
  await ctx.tx.tree.hold([id.locale, otherLocale])
  const copies = await ctx.tx.documents.copies(id.docId, id.locale)
  const any = copies[id.mode] ?? copies.draft ?? copies.published
  return held(ctx, any?.id ?? id, copies, action)
}

async function held(ctx: WriteContext, id: DocumentId, copies: Copies, action: Action): Promise<HeldPage> {
  const document = copies[id.mode]
  const type = document && pageType(ctx, document.type)
  const found = type && (await ctx.tx.tree.position(id.locale, id.docId))
  if (!found) throw notFound()
  assertSees(ctx, type)
  assertMay(ctx.actor, action, type)
  return { id, type, copies, document, position: found }
}

function givenPage(text: string): GivenId {
  if (text === '_home') return { docId: homeId }
  if (text === '_archive') return { docId: archiveId }
  const given = DocumentId.parse(text)
  if (given === null) throw notFound()
  return given
}
