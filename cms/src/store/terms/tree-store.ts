import type { Document } from '../../model/terms/document.ts'
import type { DocId, Locale, Mode, PublishingState, Visibility } from '../../model/terms/document-id.ts'
import type { View } from './document-query.ts'
import type { Basis } from './sources.ts'

/** The position of a page in the tree of a locale: one for its draft and its published copy. */
export interface TreePosition {
  readonly docId: DocId
  /** Empty for the home page. */
  readonly parent: DocId
  /** The ids from the home page down to the page itself, with `/` between. */
  readonly path: string
  readonly level: number
  /** From 0, without gaps, among all siblings of the locale, drafts counted. */
  readonly rank: number
}

/** A page and where it is. */
export interface Page {
  readonly document: Document
  readonly position: TreePosition
}

/** The copies of pages that the caller may see. */
export type PagesView = Omit<View, 'type'>

/** Selects pages by the further properties, at least one of which is given. */
export interface PagesQuery extends PagesView {
  readonly docIds?: readonly DocId[]
  readonly childrenOf?: readonly DocId[]
  /** The children of this page's children. */
  readonly grandchildrenOf?: DocId
  /** The most children of each page: those whose rank is below this. */
  readonly childLimit?: number
  /** The most pages. */
  readonly limit?: number
  /** The page with this path, and everything below it. */
  readonly below?: string
}

/** A page as it was read, to be cached. */
export interface ReadPage extends Page {
  readonly row: number
  readonly bytes: number
  readonly basis: Basis
}

/** The facts that decide where a page is shown, and to whom. */
export interface PageOutline {
  readonly row: number
  /** How many bytes its fields take where they are stored. */
  readonly bytes: number
  readonly docId: DocId
  readonly parent: DocId
  readonly path: string
  readonly level: number
  readonly rank: number
  readonly type: string
  readonly visibility: Visibility
  readonly isArchived: boolean
  readonly isOrphan: boolean
}

/** Selects a page of the children of a page, those of some types. */
export interface ChildrenQuery extends PagesView {
  readonly parent: DocId
  readonly types: readonly string[]
  readonly offset: number
  readonly limit: number
}

/** A child of a page, and how many children it has that the same query would show. */
export interface ChildPage extends PageOutline {
  /** Of its draft. */
  readonly state: PublishingState
  readonly childCount: number
}

/** A page in the tree, and what its neighbours need to know of its copies. */
export interface TreeNode {
  readonly position: TreePosition
  /** How many children it has, in any mode; 0 for a page that is only the parent of a requested one. */
  readonly children: number
  readonly draft: NodeCopy | null
  readonly published: NodeCopy | null
}

/** One copy of a page, as its neighbours see it. */
export interface NodeCopy {
  readonly type: string
  readonly slug: string
  readonly title: string
  readonly visibility: Visibility
}

/** A page that is found by its type. */
export interface TypedPage {
  readonly docId: DocId
  readonly type: string
  readonly slug: string
  readonly visibility: Visibility
}

/** A published page as lists of URLs need it: without its fields. */
export interface PublishedPage extends Pick<PageOutline, 'row' | 'bytes' | 'docId' | 'parent' | 'type' | 'visibility'> {
  readonly slug: string
  readonly title: string
  readonly updatedAt: string
}

/** One copy of a page in a subtree. */
export interface PageCopy {
  readonly row: number
  readonly docId: DocId
  readonly parent: DocId
  readonly type: string
  readonly mode: Mode
  readonly slug: string
  readonly isArchived: boolean
}

/** A slug that a page has in one mode, folded. */
export interface TakenSlug {
  readonly row: number
  readonly mode: Mode
  readonly folded: string
}

/** A slug that a page had before. */
export interface FormerUrl {
  readonly docId: DocId
  readonly slug: string
}

/** Reads the tree of pages. */
export interface TreeReader {
  position(locale: Locale, docId: DocId): Promise<TreePosition | null>
  /** Returns these pages and their parents, by aposDocId; one statement. */
  nodes(locale: Locale, docIds: readonly DocId[]): Promise<Map<DocId, TreeNode>>
  /** Pages sorted by level, then rank; one statement. */
  pages(query: PagesQuery): Promise<ReadPage[]>
  /** `pages` without fields, which for a whole tree may not fit into memory. One statement. */
  outline(query: PagesQuery): Promise<PageOutline[]>
  /** The pages of these rows that are still there for this view, in this order; one statement. */
  ofRows(view: PagesView, rows: readonly number[]): Promise<ReadPage[]>
  /** The copies of a page and of everything below it, in both modes, by level, then rank; one statement. */
  copiesBelow(locale: Locale, path: string): Promise<PageCopy[]>
  /** The pages that have one of these slugs, alone or followed by a hyphen and more; archived pages have none. */
  takenSlugs(locale: Locale, slugs: readonly string[]): Promise<TakenSlug[]>
  /** The page with the longest of these slugs, compared folded; one statement. */
  bySlugs(view: PagesView, slugs: readonly string[]): Promise<Page | null>
  /** The pages of these types that are not archived, by level, then rank; one statement. */
  ofTypes(view: Pick<PagesView, 'locale' | 'mode'>, types: readonly string[]): Promise<readonly TypedPage[]>
  /** Returns all published pages of a locale that are not archived, by level, then rank; one statement. */
  published(locale: Locale): Promise<PublishedPage[]>
  /** The page that had the longest of these slugs before; one statement. */
  byFormerSlugs(locale: Locale, slugs: readonly string[]): Promise<FormerUrl | null>
  /** Some of the children of a page, by rank, and how many there are in all; two statements. */
  children(query: ChildrenQuery): Promise<{ readonly pages: ChildPage[]; readonly total: number }>
  /** Counts the children of a page that have a copy in a mode. */
  countChildren(locale: Locale, parent: DocId, mode: Mode): Promise<number>
  /** The slugs that published pages had before, oldest first; one statement. */
  formerUrls(locale: Locale, docIds: readonly DocId[]): Promise<Map<DocId, string[]>>
}

/**
 * Changes the tree, each time in a constant number of statements whatever the size of the subtree. Callers announce the
 * documents that change to the hooks (engine/save/tree-changes.ts).
 */
export interface TreeWriter {
  /** Locks the trees of these locales until the transaction ends. Call it first. */
  lock(locales: readonly Locale[]): Promise<void>
  /** Inserts a page among its siblings, shifting later ones. False when the page is in the tree already. */
  insert(locale: Locale, position: TreePosition): Promise<boolean>
  /**
   * Inserts pages that are not in the tree among their siblings: those of one parent side by side, which shift later
   * ones. Throws `conflict` when one is there meanwhile. Two statements.
   */
  insertMany(locale: Locale, positions: readonly TreePosition[]): Promise<void>
  /** Moves a page with everything below it; `to.rank` counts without the page itself. One statement. */
  move(locale: Locale, from: TreePosition, to: TreePosition): Promise<void>
  /** Raises the revisions of these copies of a page, so that an `If-Match` from before a move fails. */
  touch(locale: Locale, docId: DocId, modes: readonly Mode[]): Promise<void>
  /** Removes a page without children and closes the gap. */
  remove(locale: Locale, position: TreePosition): Promise<void>
  /** Gives copies of one subtree the slugs that are named, by row; the revision of each rises. Throws `SlugTaken`. */
  rename(copies: readonly PageCopy[], slugs: ReadonlyMap<number, string>): Promise<void>
  /** Recomputes whether the drafts of these pages differ from their published copies, and returns it. */
  markModified(locale: Locale, docIds: readonly DocId[]): Promise<ReadonlyMap<DocId, boolean>>
  /** Archives or restores both copies of a page and of everything below it; the revision of each rises. */
  setArchived(locale: Locale, path: string, archived: boolean): Promise<void>
  /** Records former slugs of published pages, except those that a published page has now. */
  recordFormerUrls(locale: Locale, urls: readonly FormerUrl[], since: string): Promise<void>
  /** Published pages have these slugs now: drops them from the former ones. */
  claimUrls(locale: Locale, slugs: readonly string[]): Promise<void>
}
