import { notFound } from '../../base/errors.ts'
import type { Context, WriteContext } from '../../engine/context.ts'
import { copyToWrite, resolveId } from '../../engine/locate.ts'
import { assertSees, pageType } from '../../engine/pages/page-access.ts'
import { parseGivenId } from '../../engine/pages/parked.ts'
import { type Action, assertMay } from '../../engine/permissions.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Copies, DocId, Document, DocumentId, GivenId } from '../../model/terms/document.ts'
import type { TreeNode, TreePosition } from '../../store/contract/store.ts'

/** A page that is to be changed: its type, its copies, its position. */
export interface LockedPage {
  readonly id: DocumentId
  /** Of the named copy; the draft may have another type. */
  readonly type: Type
  readonly copies: Copies
  /** The copy that was named. */
  readonly document: Document
  readonly position: TreePosition
  /** The page, the page above it, and those requested beside it. */
  readonly nodes: TreeNodes
}

/** Pages and their parents, as read from the tree. */
export type TreeNodes = ReadonlyMap<DocId, TreeNode>

/** Any accepted id of a page, `_home` and `_archive` included, → which copy is meant (§4.2). */
export function locatePage(ctx: Context, text: string): DocumentId {
  return resolveId(ctx, { localized: true }, givenPage(text))
}

/** As `locatePage`, for a write: for callers who only write drafts, the draft. */
export function locatePageForWrite(ctx: Context, text: string): DocumentId {
  return copyToWrite(ctx, { localized: true }, locatePage(ctx, text))
}

/** Throws `notfound` where neither copy of a page is of this type; `@cms/page` stands for all. */
export async function assertIsOfType(ctx: Context, text: string, typeName: string): Promise<void> {
  if (typeName === `${ctx.site.namespace}/page`) return
  const { docId, locale } = locatePage(ctx, text)
  const { draft, published } = await ctx.store.documents.copies(docId, locale)
  if (draft?.type !== typeName && published?.type !== typeName) throw notFound()
}

/** The aposDocId in any accepted form of a page's id. Throws `notfound`. */
export function pageDocId(text: string): string {
  return givenPage(text).docId
}

/**
 * Loads and locks a page and its position, for a caller who may do `action` to it; `beside` are other pages to look
 * up. Throws `notfound`.
 */
export async function lockPage(
  ctx: WriteContext,
  id: DocumentId,
  action: Action,
  beside: readonly DocId[] = [],
): Promise<LockedPage> {
  await ctx.tx.tree.lock([id.locale])
  const copies = await ctx.tx.documents.lockCopies(id.docId, id.locale)
  return lock(ctx, copies[id.mode], copies, { action, beside })
}

/** As `lockPage`, for whichever copy exists; also locks the tree of another locale. */
export async function lockAnyCopy(
  ctx: WriteContext,
  id: DocumentId,
  action: Action,
  otherLocale: string = id.locale,
): Promise<LockedPage> {
  await ctx.tx.tree.lock([id.locale, otherLocale])
  const copies = await ctx.tx.documents.lockCopies(id.docId, id.locale)
  return lock(ctx, copies[id.mode] ?? copies.draft ?? copies.published, copies, { action, beside: [] })
}

/** As `lockAnyCopy`, for many pages of one locale; a constant number of statements. */
export async function lockAnyCopies(
  ctx: WriteContext,
  ids: readonly DocumentId[],
  action: Action,
  otherLocale: string,
): Promise<LockedPage[]> {
  const [first] = ids
  if (first === undefined) return []
  const docIds = ids.map(({ docId }) => docId)
  await ctx.tx.tree.lock([first.locale, otherLocale])
  const copiesOf = await ctx.tx.documents.lockMany(docIds, first.locale)
  const nodes = await ctx.tx.read.tree.nodes(first.locale, docIds)
  return ids.map((id) => {
    const copies = copiesOf.get(id.docId) ?? { draft: null, published: null }
    return permitted(ctx, { document: copies[id.mode] ?? copies.draft ?? copies.published, copies, nodes }, action)
  })
}

async function lock(
  ctx: WriteContext,
  document: Document | null,
  copies: Copies,
  { action, beside }: { readonly action: Action; readonly beside: readonly DocId[] },
): Promise<LockedPage> {
  if (document === null) throw notFound()
  const { id } = document
  const nodes = await ctx.tx.read.tree.nodes(id.locale, [...new Set([id.docId, ...beside])])
  return permitted(ctx, { document, copies, nodes }, action)
}

function permitted(
  ctx: WriteContext,
  { document, copies, nodes }: Pick<LockedPage, 'copies' | 'nodes'> & { readonly document: Document | null },
  action: Action,
): LockedPage {
  const type = document && pageType(ctx, document.type)
  if (!type) throw notFound()
  const { id } = document
  const position = nodes.get(id.docId)?.position
  if (position === undefined) throw notFound()
  assertSees(ctx, type)
  assertMay(ctx.actor, action, type)
  return { id, type, copies, document, position, nodes }
}

function givenPage(text: string): GivenId {
  const given = parseGivenId(text)
  if (given === null) throw notFound()
  return given
}
