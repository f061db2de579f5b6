import type { DocId, Locale, Mode } from '../model/document.ts'
import { changed } from './changes.ts'
import { currentSources } from './sources.ts'
import type {
  FormerUrl,
  Page,
  PageCopy,
  PageOutline,
  PagesQuery,
  PagesView,
  PublishedPage,
  ReadPage,
  TakenSlug,
  TreeNode,
  TreePosition,
  TreeReader,
  TypedPage,
} from './store.ts'

/** Reads the tree of pages, and notes what of it. */
export class NotedTreeReader implements TreeReader {
  readonly #reader: TreeReader

  constructor(reader: TreeReader) {
    this.#reader = reader
  }

  position(locale: Locale, docId: DocId): Promise<TreePosition | null> {
    currentSources()?.note(changed.tree(locale))
    return this.#reader.position(locale, docId)
  }

  nodes(locale: Locale, docIds: readonly DocId[]): Promise<Map<DocId, TreeNode>> {
    notePages(locale, 'draft', 'published')
    return this.#reader.nodes(locale, docIds)
  }

  async pages(query: PagesQuery): Promise<Page[]> {
    notePages(query.locale, query.mode)
    return noted(this.#reader.pages(query))
  }

  outline(query: PagesQuery): Promise<PageOutline[]> {
    notePages(query.locale, query.mode)
    return this.#reader.outline(query)
  }

  ofRows(view: PagesView, rows: readonly number[]): Promise<ReadPage[]> {
    notePages(view.locale, view.mode)
    return noted(this.#reader.ofRows(view, rows))
  }

  copiesBelow(locale: Locale, path: string): Promise<PageCopy[]> {
    notePages(locale, 'draft', 'published')
    return this.#reader.copiesBelow(locale, path)
  }

  takenSlugs(locale: Locale, slugs: readonly string[]): Promise<TakenSlug[]> {
    notePages(locale, 'draft', 'published')
    return this.#reader.takenSlugs(locale, slugs)
  }

  async bySlugs(view: PagesView, slugs: readonly string[]): Promise<Page | null> {
    notePages(view.locale, view.mode)
    const page = await this.#reader.bySlugs(view, slugs)
    if (page !== null) currentSources()?.note(changed.copy(page.document.id))
    return page
  }

  ofTypes(view: Pick<PagesView, 'locale' | 'mode'>, types: readonly string[]): Promise<TypedPage[]> {
    notePages(view.locale, view.mode)
    return this.#reader.ofTypes(view, types)
  }

  /** With the time of the last change of each. */
  published(locale: Locale): Promise<PublishedPage[]> {
    currentSources()?.noteEverything()
    return this.#reader.published(locale)
  }

  byFormerSlugs(locale: Locale, slugs: readonly string[]): Promise<FormerUrl | null> {
    currentSources()?.note(changed.formerUrls(locale))
    return this.#reader.byFormerSlugs(locale, slugs)
  }

  countChildren(locale: Locale, parent: DocId, mode: Mode): Promise<number> {
    notePages(locale, mode)
    return this.#reader.countChildren(locale, parent, mode)
  }

  formerUrls(locale: Locale, docIds: readonly DocId[]): Promise<Map<DocId, string[]>> {
    currentSources()?.note(changed.formerUrls(locale))
    return this.#reader.formerUrls(locale, docIds)
  }
}

/** Where pages are, and which there are. */
function notePages(locale: Locale, ...modes: readonly Mode[]): void {
  currentSources()?.note(changed.tree(locale))
  for (const mode of modes) currentSources()?.note(changed.pages(locale, mode))
}

/** The content of those that were found. */
async function noted<Found extends Page>(found: Promise<Found[]>): Promise<Found[]> {
  const pages = await found
  for (const { document } of pages) currentSources()?.note(changed.copy(document.id))
  return pages
}
