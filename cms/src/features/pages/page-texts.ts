import { notFound } from '../../base/errors.ts'
import type { Fragment } from '../../engine/answer-caching.ts'
import type { Context } from '../../engine/context.ts'
import { pageAccess } from '../../engine/pages/page-access.ts'
import {
  type FormerUrls,
  IN_TREE,
  type NameInTree,
  positionValues,
  presentPages,
  shownInTree,
  tellsSchedules,
} from '../../engine/pages/present-pages.ts'
import { isAnonymous, type ReadAccess } from '../../engine/permissions.ts'
import { Fragments, stateOf } from '../../engine/presentation/fragments.ts'
import { present } from '../../engine/presentation/present.ts'
import type { Projection } from '../../engine/presentation/projection.ts'
import { renderAreas } from '../../engine/rendering/open-scene.ts'
import { etagOf } from '../../engine/save/copies.ts'
import { SharedBytes, type TextPart } from '../../engine/shared-bytes.ts'
import type { Type } from '../../model/declared/types.ts'
import type { DocId } from '../../model/terms/document.ts'
import type { PageOutline, PagesView, ReadPage } from '../../store/contract/store.ts'

/** A page as JSON text. */
export interface PageText {
  /** Without its last brace: its relatives follow. */
  readonly open: readonly TextPart[]
  /** The entity tag of an answer about this page; null where that is made of its bytes. */
  readonly tag: string | null
  /** What of its place in the tree is shown. */
  readonly shown: ReadonlySet<NameInTree>
}

/** How pages of one type are shown. */
interface TypeTexts extends Pick<PageText, 'shown'> {
  readonly fragments: Fragments
}

/** How pages are shown. */
interface PagesForm {
  readonly project: Projection | null
  readonly former: FormerUrls
  /** Areas as HTML: nothing of that is cached. */
  readonly isRendered?: boolean
}

/** Pages as JSON text for the caller, put together of what is cached. */
export class PageTexts {
  readonly #ctx: Context
  readonly #form: PagesForm
  readonly #types = new Map<string, TypeTexts>()

  constructor(ctx: Context, form: PagesForm) {
    this.#ctx = ctx
    this.#form = form
  }

  /** Those of pages that the caller may see; null when one of them is no longer what its outline says. */
  async of(view: PagesView, pages: readonly PageOutline[]): Promise<ReadonlyMap<DocId, PageText> | null> {
    if (this.#form.isRendered || tellsSchedules(this.#ctx, view.mode)) return this.#madeAnew(view, pages)
    const texts = new Map<DocId, PageText>()
    for (const [, ofType] of Map.groupBy(pages, ({ type }) => type)) {
      const fragments = await this.#fragmentsOf(view, ofType)
      if (fragments === null) return null
      for (const [page, fragment] of fragments) texts.set(page.docId, this.#textOf(page, fragment))
    }
    return texts
  }

  /** With areas rendered, or schedules. */
  async #madeAnew(view: PagesView, outlines: readonly PageOutline[]): Promise<ReadonlyMap<DocId, PageText> | null> {
    const pages = await this.#ctx.store.tree.ofRows(
      view,
      outlines.map(({ row }) => row),
    )
    if (!outlines.every((outline, index) => isStill(outline, pages[index]))) return null
    const answers = await presentPages(this.#ctx, pages, { ...this.#form, isScheduled: true })
    if (this.#form.isRendered) await renderAreas(this.#ctx, [...answers.values()])
    return new Map(
      outlines.map((page) => {
        const text = JSON.stringify(answers.get(page.docId) ?? {}).slice(0, -1)
        return [page.docId, { open: [new SharedBytes(text)], tag: null, shown: this.#typeOf(page).shown }]
      }),
    )
  }

  /** Of pages of one type. At most one statement, and what relationships take. */
  async #fragmentsOf(view: PagesView, pages: readonly PageOutline[]): Promise<Map<PageOutline, Fragment> | null> {
    const found = new Map<PageOutline, Fragment>()
    const missing: PageOutline[] = []
    for (const page of pages) {
      const cached = this.#typeOf(page).fragments.byRow(page.row)
      if (cached === undefined) missing.push(page)
      else if (!isOfState(page, cached)) return null
      else found.set(page, cached)
    }
    const [first] = missing
    if (first === undefined) return found
    const rows = missing.map(({ row }) => row)
    const read = new Map((await this.#ctx.store.tree.ofRows(view, rows)).map((page) => [page.row, page]))
    if (!missing.every((page) => isStill(page, read.get(page.row)))) return null
    const made = new Map(await this.#typeOf(first).fragments.make(read, [...found.values()]))
    for (const page of missing) {
      const fragment = made.get(page.row)
      if (fragment !== undefined) found.set(page, fragment)
    }
    return found
  }

  #textOf(page: PageOutline, { text, tag }: Fragment): PageText {
    const { shown } = this.#typeOf(page)
    const values = JSON.stringify(positionValues(this.#ctx, shown, page, this.#form.former)).slice(1, -1)
    return { open: values === '' ? [text] : [text, `,${values}`], tag, shown }
  }

  #typeOf(page: PageOutline): TypeTexts {
    const known = this.#types.get(page.type)
    if (known !== undefined) return known
    const seen = pageAccess(this.#ctx, page)
    if (seen === null) throw notFound()
    const texts = {
      fragments: this.#newFragments(seen.type, seen.access),
      shown: shownInTree(seen, this.#form.project),
    }
    this.#types.set(page.type, texts)
    return texts
  }

  #newFragments(type: Type, access: ReadAccess): Fragments {
    const ctx = this.#ctx
    const { project } = this.#form
    const isTagged = !isAnonymous(ctx.actor) && access.fields === 'full'
    return new Fragments(ctx, {
      name: type.name,
      project,
      isOpen: true,
      present: async (document, part) => {
        const [answer = {}] = await present(ctx, [document], { type, access, project, ...part })
        for (const name of IN_TREE) delete answer[name]
        return answer
      },
      tagOf: async (document) => (isTagged ? etagOf(document) : null),
    })
  }
}

/** Whether a page is where its outline says, and is shown to the same callers. */
export function isStill(outline: PageOutline, page: ReadPage | undefined): boolean {
  if (page === undefined) return false
  const { document, position } = page
  return position.path === outline.path && document.type === outline.type && isOfState(outline, stateOf(document))
}

function isOfState(page: PageOutline, state: Pick<Fragment, 'isArchived' | 'visibility'>): boolean {
  return page.isArchived === state.isArchived && page.visibility === state.visibility
}
