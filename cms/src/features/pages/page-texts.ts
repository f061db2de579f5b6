import type { Fragment } from '../../engine/answer-caching.ts'
import { type AnswerForm, Fragments, stateOf } from '../../engine/answers/fragments.ts'
import type { Context } from '../../engine/context.ts'
import { type NameInTree, pageAccess } from '../../engine/pages/page-access.ts'
import { type FormerUrls, positionValues, shownInTree } from '../../engine/pages/present-pages.ts'
import type { TextPart } from '../../engine/shared-bytes.ts'
import type { DocId } from '../../model/terms/document.ts'
import type { PageOutline, PagesView, ReadPage } from '../../store/contract/store.ts'

/** A page as JSON text. */
export interface PageText {
  /** Without its last brace: its relatives follow. */
  readonly open: readonly TextPart[]
  /** The entity tag of an answer about this page; null where that is made of its bytes. */
  readonly tag: string | null
  /** The names of its position in the tree that are shown. */
  readonly shown: ReadonlySet<NameInTree>
}

/** How pages are shown. */
interface PagesForm extends AnswerForm {
  readonly former: FormerUrls
}

/** Pages as JSON text for the caller, put together of what is cached. */
export class PageTexts {
  readonly #ctx: Context
  readonly #form: PagesForm
  readonly #fragments: Fragments
  readonly #shown = new Map<string, ReadonlySet<NameInTree>>()

  constructor(ctx: Context, form: PagesForm) {
    this.#ctx = ctx
    this.#form = form
    this.#fragments = new Fragments(ctx, { ...form, isOpen: true })
  }

  /**
   * Those of pages that the caller may see; null when one of them is no longer what its outline says. At most one
   * statement, and for each type what relationships take.
   */
  async of(view: PagesView, pages: readonly PageOutline[]): Promise<ReadonlyMap<DocId, PageText> | null> {
    const found = new Map<number, Fragment>()
    const missing: PageOutline[] = []
    for (const page of pages) {
      const cached = this.#fragments.byRow(page.type, page.row)
      if (cached === undefined) missing.push(page)
      else if (!isOfState(page, cached)) return null
      else found.set(page.row, cached)
    }
    if (missing.length > 0) {
      const rows = missing.map(({ row }) => row)
      const read = new Map((await this.#ctx.store.tree.ofRows(view, rows)).map((page) => [page.row, page]))
      if (!missing.every((page) => isStill(page, read.get(page.row)))) return null
      const made = await this.#fragments.make(read.values(), [...found.values()])
      for (const [row, fragment] of made) found.set(row, fragment)
    }
    return new Map(
      pages.flatMap((page) => {
        const fragment = found.get(page.row)
        return fragment ? [[page.docId, this.#textOf(page, fragment)]] : []
      }),
    )
  }

  #textOf(page: PageOutline, { text, tag }: Fragment): PageText {
    const shown = this.#shownOf(page)
    const values = JSON.stringify(positionValues(this.#ctx, page, { names: shown, former: this.#form.former })).slice(
      1,
      -1,
    )
    return { open: values === '' ? [text] : [text, `,${values}`], tag, shown }
  }

  #shownOf(page: PageOutline): ReadonlySet<NameInTree> {
    const seen = this.#shown.get(page.type) ?? shownOf(this.#ctx, page, this.#form)
    this.#shown.set(page.type, seen)
    return seen
  }
}

function shownOf(ctx: Context, page: PageOutline, { project }: PagesForm): ReadonlySet<NameInTree> {
  const seen = pageAccess(ctx, page)
  return seen === null ? new Set() : shownInTree(seen, project)
}

/** Whether a page is where its outline says, and is shown to the same callers. */
function isStill(outline: PageOutline, page: ReadPage | undefined): boolean {
  if (page === undefined) return false
  const { document, position } = page
  return position.path === outline.path && document.type === outline.type && isOfState(outline, stateOf(document))
}

function isOfState(page: PageOutline, state: Pick<Fragment, 'isArchived' | 'visibility'>): boolean {
  return page.isArchived === state.isArchived && page.visibility === state.visibility
}
