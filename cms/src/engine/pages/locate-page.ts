import { notFound } from '../../base/errors.ts'
import type { Type } from '../../model/declared/types.ts'
import { type Document, type OpenCopies, type OpenDocument, openValues } from '../../model/terms/document.ts'
import type { DocId, DocumentId, Locale, PartialId } from '../../model/terms/document-id.ts'
import type { StoreReader, TreeNode, TreePosition } from '../../store/contract/store.ts'
import type { Context, WriteContext } from '../context.ts'
import { copyToWrite, resolveId } from '../locate.ts'
import { type Action, assertMay } from '../permissions.ts'
import { NO_COPIES } from '../save/change.ts'
import { assertSees, pageType } from './page-access.ts'
import { parsePartialId } from './parked.ts'

/** A page that is to be changed: its type, its copies, its position. */
export interface LockedPage {
  readonly id: DocumentId
  /** Of the named copy; the draft may have another type. */
  readonly type: Type
  readonly copies: OpenCopies
  /** The copy that was named. */
  readonly document: OpenDocument
  readonly position: TreePosition
  /** The page and the target of its move, each with the page above it. */
  readonly nodes: TreeNodes
}

/** A page to change, by any of its copies, and the revision that the caller has read. */
export interface PageRef {
  readonly id: DocumentId
  readonly ifMatch: string | null
}

/** Pages and their parents, as read from the tree. */
export type TreeNodes = ReadonlyMap<DocId, TreeNode>

/** Converts any accepted id of a page, including `_home` and `_archive`, to that of one copy (§4.2). */
export function locatePage(ctx: Context, text: string): DocumentId {
  return resolveId(ctx, { localized: true }, givenPage(text))
}

/** Like `locatePage`, for a write: the draft, for callers who only write drafts. */
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

/** An action on pages, and what else is locked or read for it. */
interface Locking {
  readonly action: Action
  /** The page that it is to be moved next to or below, which is looked up with it. */
  readonly targetId?: DocId | undefined
  /** The tree of another locale, which is locked. */
  readonly otherLocale?: Locale
}

/** Loads and locks a page and its position, for a caller who may do `action` to it. Throws `notfound`. */
export function lockPage(ctx: WriteContext, id: DocumentId, locking: Locking): Promise<LockedPage> {
  return lock(ctx, id, locking, (copies) => copies[id.mode])
}

/** Like `lockPage`, for whichever copy exists; also locks the tree of another locale. */
export function lockAnyCopy(ctx: WriteContext, id: DocumentId, locking: Locking): Promise<LockedPage> {
  return lock(ctx, id, locking, (copies) => copies[id.mode] ?? copies.draft ?? copies.published)
}

/** Like `lockAnyCopy`, for many pages of one locale; a constant number of statements. */
export async function lockAnyCopies(
  ctx: WriteContext,
  ids: readonly DocumentId[],
  { action, otherLocale }: Locking,
): Promise<LockedPage[]> {
  const [first] = ids
  if (first === undefined) return []
  const docIds = ids.map(({ docId }) => docId)
  await ctx.tx.tree.lock([first.locale, otherLocale ?? first.locale])
  const copiesOf = await ctx.tx.documents.lockMany(docIds, first.locale)
  const nodes = await ctx.tx.read.tree.nodes(first.locale, docIds)
  return ids.map((id) => {
    const copies = copiesOf.get(id.docId) ?? NO_COPIES
    return permitted(ctx, { document: copies[id.mode] ?? copies.draft ?? copies.published, copies, nodes }, action)
  })
}

/** Like `lockPage`, on a snapshot, where nothing is locked. */
export async function pageOn(
  ctx: Context,
  reader: Pick<StoreReader, 'documents' | 'tree'>,
  id: DocumentId,
  { action, targetId = id.docId }: Locking,
): Promise<LockedPage> {
  const { draft, published } = await reader.documents.copies(id.docId, id.locale)
  const copies = { draft: draft && opened(draft), published: published && opened(published) }
  const nodes = await reader.tree.nodes(id.locale, [...new Set([id.docId, targetId])])
  return permitted(ctx, { document: copies[id.mode], copies, nodes }, action)
}

function opened(document: Document): OpenDocument {
  return { ...document, fields: openValues(document) }
}

async function lock(
  ctx: WriteContext,
  id: DocumentId,
  { action, targetId = id.docId, otherLocale = id.locale }: Locking,
  named: (copies: OpenCopies) => OpenDocument | null,
): Promise<LockedPage> {
  await ctx.tx.tree.lock([id.locale, otherLocale])
  const copies = await ctx.tx.documents.lockCopies(id.docId, id.locale)
  const document = named(copies)
  if (document === null) throw notFound()
  const nodes = await ctx.tx.read.tree.nodes(id.locale, [...new Set([id.docId, targetId])])
  return permitted(ctx, { document, copies, nodes }, action)
}

function permitted(
  ctx: Context,
  { document, copies, nodes }: Pick<LockedPage, 'copies' | 'nodes'> & { readonly document: OpenDocument | null },
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

function givenPage(text: string): PartialId {
  const given = parsePartialId(text)
  if (given === null) throw notFound()
  return given
}
