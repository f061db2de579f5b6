import type { DocId, Document, Locale, Mode, Visibility } from '../model/document.ts'

/** Where a page is in the tree of a locale: the same for its draft and its published copy. */
export interface Place {
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
  readonly place: Place
}

/** Which pages: those that at least one of `docIds`, `childrenOf` and `below` names, one of which is given. */
export interface PagesQuery {
  readonly locale: Locale
  readonly mode: Mode
  readonly archived: boolean | 'any'
  readonly visibility: Visibility | null
  readonly docIds?: readonly DocId[]
  readonly childrenOf?: DocId
  /** The page with this path, and everything below it. */
  readonly below?: string
}

/** What of a page says where it is shown, and to whom. */
export interface PageOutline {
  readonly row: number
  readonly docId: DocId
  readonly parent: DocId
  readonly type: string
  readonly visibility: Visibility
  readonly isOrphan: boolean
}

/** A page's place, with its parent's (null for the home page) and the number of its children in any mode. */
export interface Surroundings {
  readonly place: Place
  readonly parent: Place | null
  readonly children: number
}

/** The slug of one copy of a page. */
export interface PageSlug {
  readonly row: number
  readonly docId: DocId
  readonly parent: DocId
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
  place(locale: Locale, docId: DocId): Promise<Place | null>
  /** One statement. */
  around(locale: Locale, docId: DocId): Promise<Surroundings | null>
  /** By level, then rank; one statement. */
  pages(query: PagesQuery): Promise<Page[]>
  /** The same, without what the pages hold: a whole tree may be more than memory should hold. One statement. */
  outline(query: PagesQuery): Promise<PageOutline[]>
  /** The pages of these rows that are still there, in this order; one statement. */
  ofRows(rows: readonly number[]): Promise<Page[]>
  /** How many children a page has, in one mode or in any. */
  countChildren(locale: Locale, parent: DocId, mode: Mode | null): Promise<number>
  /** The slugs that published pages had before, oldest first; one statement. */
  formerUrls(locale: Locale, docIds: readonly DocId[]): Promise<Map<DocId, string[]>>
}

/** Changes of the tree. Every one is a constant number of statements, whatever the size of the subtree. */
export interface TreeWriter extends TreeReader {
  /** Nobody else changes the trees of these locales until the transaction ends. Before everything else. */
  hold(locales: readonly Locale[]): Promise<void>
  /** Makes room among the siblings and puts a page there. False when the page has a place already. */
  insert(locale: Locale, place: Place): Promise<boolean>
  /** Moves a page with everything below it; `to.rank` counts without the page itself. */
  move(locale: Locale, from: Place, to: Place): Promise<void>
  /** Takes a page without children out; siblings close up. */
  remove(locale: Locale, place: Place): Promise<void>
  /** The slugs of a page and everything below it, in both modes, by level, then rank. */
  slugsBelow(locale: Locale, path: string): Promise<PageSlug[]>
  /** Who has one of these slugs, or one of them with an ending behind a hyphen; archived pages have none. */
  takenSlugs(locale: Locale, slugs: readonly string[]): Promise<TakenSlug[]>
  /** Gives those of these copies of pages new slugs that are named, by row. Throws `SlugTaken`. */
  rename(copies: readonly PageSlug[], slugs: ReadonlyMap<number, string>): Promise<void>
  /** Finds out anew whether the drafts of these pages differ from what is published. */
  markModified(locale: Locale, docIds: readonly DocId[]): Promise<void>
  /** Marks both copies of a page and of everything below it. */
  setArchived(locale: Locale, path: string, archived: boolean): Promise<void>
  /** Remembers slugs that published pages had, but none that a published page has. */
  keepFormerUrls(locale: Locale, urls: readonly FormerUrl[], since: string): Promise<void>
  /** Published pages have these slugs now: they are nobody's former ones. */
  claimUrls(locale: Locale, slugs: readonly string[]): Promise<void>
}
