import { type CmsError, invalid, notFound } from '../../base/errors.ts'
import { titleOf } from '../../model/terms/document.ts'
import { type DocId, DocumentId, type Locale, type Mode } from '../../model/terms/document-id.ts'
import type { StoreReader, TreeNode, TreePosition } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { assertMay } from '../permissions.ts'
import { type TypeView, viewOf } from '../view.ts'
import type { TreeNodes } from './locate-page.ts'
import { pageType } from './page-access.ts'

/** Where plans for the tree read: a transaction, or a snapshot where nothing is written. */
export type TreeContext = Context & { readonly tx: { readonly read: Pick<StoreReader, 'tree'> } }

/** The page below which another one is to stand. */
export interface Parent {
  /** The pages above the one that is to stand there, from the home page to the parent itself. */
  readonly ancestorIds: readonly DocId[]
  readonly node: TreeNode
}

/** The page above a position, which is not the home page's; it is among `nodes`. */
export function parentAmong(nodes: TreeNodes, { parent, path }: TreePosition): Parent {
  const node = nodes.get(parent)
  if (node === undefined) throw new Error('A page has no parent.')
  return { ancestorIds: path.split('/').slice(0, -1), node }
}

/** The slug that pages below a page follow in a mode; null when there is no page. */
export function slugAbove(parent: Parent | null, mode: Mode): string | null {
  return (parent && (parent.node[mode] ?? parent.node.draft)?.slug) ?? null
}

/** A page that has to be published before another one. */
export interface UnpublishedPage {
  readonly _id: string
  readonly aposDocId: DocId
  readonly aposLocale: string
  readonly title: string
  readonly type: string
}

/**
 * A published page stands below published pages only (§3.3, §4.2); what is above a published page is published.
 * Throws `invalid`, "Publish the parent page first", with `data.unpublishedAncestors`.
 */
export async function assertParentPublished(
  ctx: TreeContext,
  { ancestorIds, node }: Parent,
  locale: Locale,
): Promise<void> {
  if (node.published) return
  const unpublishedAncestors = await unpublishedAmong(ctx, ctx.tx.read.tree, { ancestorIds, locale })
  throw invalid('Publish the parent page first.', { unpublishedAncestors })
}

/** The ancestors, from the home page down, that are not published, as far as the caller sees them. Two statements. */
export async function unpublishedAmong(
  ctx: Context,
  tree: Pick<StoreReader['tree'], 'pages'>,
  { ancestorIds, locale }: Pick<Parent, 'ancestorIds'> & { readonly locale: Locale },
): Promise<UnpublishedPage[]> {
  const base = { locale, archived: 'any', visibility: null, docIds: ancestorIds } as const
  const published = await tree.pages({ ...base, mode: 'published' })
  const isPublished = new Set(published.map(({ position }) => position.docId))
  const drafts = await tree.pages({ ...base, mode: 'draft' })
  return drafts
    .filter(({ position, document }) => !isPublished.has(position.docId) && isSeen(ctx, document.type))
    .map(({ document }) => document)
    .map((document) => ({
      _id: DocumentId.format(document.id),
      aposDocId: document.id.docId,
      aposLocale: `${document.id.locale}:${document.id.mode}`,
      title: titleOf(viewOfPage(ctx, document.type), document),
      type: document.type,
    }))
}

/** Moving needs the right to create under the new parent (§4.2), which the caller must be able to see. */
export function assertMayPlace(ctx: Context, { node }: Parent): void {
  const parent = node.draft ?? node.published
  const type = parent && pageType(ctx, parent.type)
  if (!type || !isSeen(ctx, type.name)) throw unknownTarget()
  assertMay(ctx.actor, 'createDraft', type)
}

/**
 * A target page that the caller may not see is refused like one that does not exist.
 */
export function assertSeesTarget(ctx: Context, nodes: TreeNodes, docId: DocId): void {
  const node = nodes.get(docId)
  const copy = node && (node.draft ?? node.published)
  if (!copy || !isSeen(ctx, copy.type)) throw unknownTarget()
}

function unknownTarget(): CmsError {
  return notFound('_targetId names no page, or one that you may not see.')
}

function isSeen(ctx: Context, typeName: string): boolean {
  return viewOfPage(ctx, typeName) !== null
}

function viewOfPage(ctx: Context, typeName: string): TypeView | null {
  const type = pageType(ctx, typeName)
  return type && viewOf(ctx.actor, type)
}
