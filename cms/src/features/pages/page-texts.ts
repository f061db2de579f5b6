import { notFound } from '../../base/errors.ts'
import type { Fragment } from '../../engine/answer-caching.ts'
import { type AnswerForm, endedWith, Fragments } from '../../engine/answers/fragments.ts'
import type { Context } from '../../engine/context.ts'
import { onSnapshot } from '../../engine/contexts.ts'
import { type NameInTree, pageAccess, pagesVisibility } from '../../engine/pages/page-access.ts'
import { type FormerUrls, positionValues, shownInTree, urlsOf } from '../../engine/pages/present-pages.ts'
import { type Projection, projectsName } from '../../engine/presentation/projection.ts'
import { logFailure, TemplateError } from '../../engine/rendering/template-error.ts'
import type { TextPart } from '../../engine/shared-bytes.ts'
import { Reply } from '../../http/requests/route.ts'
import { stateOf } from '../../model/terms/document.ts'
import type { DocId, DocumentId } from '../../model/terms/document-id.ts'
import type { PageOutline, PagesQuery, PagesView, ReadPage, TreePosition } from '../../store/contract/store.ts'

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
   * Returns the pages that the caller may see; null when one has changed since its outline was read. At most one
   * statement, none when the pages were `read` already, and for each type those of relationships.
   */
  async of(
    view: PagesView,
    pages: readonly PageOutline[],
    read?: readonly ReadPage[],
  ): Promise<ReadonlyMap<DocId, PageText> | null> {
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
      const byRow = new Map((read ?? (await this.#ctx.store.tree.ofRows(view, rows))).map((page) => [page.row, page]))
      if (!missing.every((page) => isStill(page, byRow.get(page.row)))) return null
      const documents = rows.flatMap((row) => byRow.get(row) ?? [])
      const made = await this.#fragments.make(documents, [...found.values()])
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

/** Whether the areas of a written page are rendered, and what else the answer says. */
export interface WrittenPage {
  readonly project: Projection | null
  readonly hasChildren: boolean
  readonly isRendered?: boolean
  readonly more?: object
}

/**
 * The answer to a write: the page as its writer sees it. That it was stored must be answered: where a template fails,
 * the log says so, and areas are as they would be without `render-areas`.
 */
export async function presentWrittenPage(
  ctx: Context,
  id: DocumentId,
  { isRendered = false, more = {}, ...shown }: WrittenPage & { readonly position: TreePosition },
): Promise<Reply> {
  const form = { archived: 'any', isWritten: true, ...shown } as const
  const asked = await pageText(ctx, id, { ...form, isRendered }).catch((error) => {
    if (!(error instanceof TemplateError)) throw error
    logFailure(ctx, error)
    return null
  })
  const { open, tag } = asked ?? (await pageText(ctx, id, form))
  const { body, headers } = Reply.tagged(endedWith(more, open), tag)
  // Its media type says that it is not the HTML that was asked for.
  return new Reply(body, asked === null ? { ...headers, 'Content-Type': 'application/json; charset=utf-8' } : headers)
}

/** How one page is answered. */
interface PageRequest extends AnswerForm {
  /** Whether it may, or must, be archived. */
  readonly archived: boolean | 'any'
  readonly hasChildren: boolean
  /** Where it stands, if that is known. */
  readonly position?: TreePosition
}

/** Returns the position of a page in the tree of its locale. Throws `notfound`. */
export async function positionOf(ctx: Context, { locale, docId }: DocumentId): Promise<TreePosition> {
  const position = await ctx.store.tree.position(locale, docId)
  if (position === null) throw notFound()
  return position
}

/**
 * Returns one page with the requested relatives, as open text. Throws `notfound` where the caller may not see it. A
 * page that changes while it is read is read again, the last time on one snapshot.
 */
export async function pageText(ctx: Context, id: DocumentId, request: PageRequest): Promise<OpenPage> {
  const text =
    (await textAround(ctx, await (request.isWritten ? readAround : cachedAround)(ctx, id, request), request)) ??
    (await textAround(ctx, await around(ctx, id, request), request)) ??
    (await onSnapshot(ctx, async (ctx) => textAround(ctx, await around(ctx, id, request), request)))
  if (text === null) throw notFound()
  return text
}

type OpenPage = Pick<PageText, 'open' | 'tag'>

/** Returns the text of a page and its relatives; null when one has changed since its outline was read or cached. */
async function textAround(ctx: Context, of: PagesAround, request: PageRequest): Promise<OpenPage | null> {
  const { docId, locale, view, pages, former, read } = of
  const { page, ancestors, children } = relativesOf(ctx, pages, { docId, archived: request.archived })
  const form = { ...request, former: urlsOf(ctx, locale, former) }
  const texts = await new PageTexts(ctx, form).of(view, [page, ...ancestors, ...children], read)
  const text = texts?.get(docId)
  return texts && text
    ? { open: withAround(text, texts, { ancestors, children: request.hasChildren ? children : null }), tag: text.tag }
    : null
}

/** A page and its relatives, before it is known who sees them, and the former slugs of each. */
interface PagesAround extends Pick<DocumentId, 'docId' | 'locale'> {
  readonly view: PagesQuery
  readonly pages: readonly PageOutline[]
  /** The pages themselves, where they were read with their outlines. */
  readonly read?: readonly ReadPage[]
  readonly former: readonly (readonly [DocId, readonly string[]])[]
}

/** Pages around another one, cached until a page is added, moved or shown otherwise. */
function cachedAround(ctx: Context, id: DocumentId, request: PageRequest): Promise<PagesAround> {
  const { project, hasChildren } = request
  const parts = ['_ancestors', '_children', 'historicUrls'].map((name) => projectsName(project, name))
  const key = `around ${id.docId} ${id.locale} ${id.mode} ${pagesVisibility(ctx, id.mode)} ${parts} ${hasChildren}`
  return ctx.caches.parts.fill(key, () => around(ctx, id, request))
}

/** Finds a page and its relatives in at most three statements. Throws `notfound`. */
async function around(ctx: Context, id: DocumentId, request: PageRequest): Promise<PagesAround> {
  const view = await viewAround(ctx, id, request)
  return withFormer(ctx, { ...id, project: request.project }, { view, pages: await ctx.store.tree.outline(view) })
}

/** Reads a page and its relatives in one statement: what answers a write is not cached. Throws `notfound`. */
async function readAround(ctx: Context, id: DocumentId, request: PageRequest): Promise<PagesAround> {
  const view = await viewAround(ctx, id, request)
  const read = await ctx.store.tree.pages(view)
  return withFormer(ctx, { ...id, project: request.project }, { view, pages: read.map(outlineOf), read })
}

async function viewAround(ctx: Context, id: DocumentId, { position, ...shown }: PageRequest): Promise<PagesQuery> {
  const { path } = position ?? (await positionOf(ctx, id))
  return withRelatives(ctx, id, { path, ...shown })
}

async function withFormer(
  ctx: Context,
  { docId, locale, project }: DocumentId & Pick<PageRequest, 'project'>,
  found: Pick<PagesAround, 'view' | 'pages' | 'read'>,
): Promise<PagesAround> {
  const docIds = projectsName(project, 'historicUrls') ? found.pages.map((page) => page.docId) : []
  return { ...found, docId, locale, former: [...(await ctx.store.tree.formerUrls(locale, docIds))] }
}

function outlineOf({ row, bytes, document, position }: ReadPage): PageOutline {
  return { row, bytes, type: document.type, ...position, ...stateOf(document) }
}

/** A page with its ancestors and children, without its last brace. */
function withAround(
  { open, shown }: PageText,
  texts: ReadonlyMap<DocId, PageText>,
  { ancestors, children }: Pick<Relatives, 'ancestors'> & { readonly children: Relatives['children'] | null },
): TextPart[] {
  const listed = (name: string, pages: readonly PageOutline[], end: string): TextPart[] => {
    const parts = pages.flatMap(({ docId }, index) => [
      ...(texts.get(docId)?.open ?? []),
      index === pages.length - 1 ? end : `${end},`,
    ])
    return [`,"${name}":[`, ...parts, ']']
  }
  return [
    ...open,
    ...(shown.has('_ancestors') ? listed('_ancestors', ancestors, '}') : []),
    // As in the tree: pages of the last level that is shown have no children.
    ...(children !== null && shown.has('_children') ? listed('_children', children, ',"_children":[]}') : []),
  ]
}

/** A page and those around it which the caller sees. */
interface Relatives {
  readonly page: PageOutline
  /** Its ancestors, from the home page on. */
  readonly ancestors: readonly PageOutline[]
  readonly children: readonly PageOutline[]
}

/** Throws `notfound` where the caller may not see the page. */
function relativesOf(
  ctx: Context,
  found: readonly PageOutline[],
  { docId, archived }: Pick<DocumentId, 'docId'> & Pick<PageRequest, 'archived'>,
): Relatives {
  const seen = found.filter((one) => pageAccess(ctx, one) !== null)
  const page = seen.find((one) => one.docId === docId)
  if (!page || (archived !== 'any' && archived !== page.isArchived)) throw notFound()
  const ancestors = seen.filter((one) => one !== page && one.parent !== docId)
  // Of the children of home the archive alone is archived.
  const children = seen.filter((one) => {
    return one.parent === docId && !one.isOrphan && (page.isArchived || !one.isArchived)
  })
  return { page, ancestors, children }
}

/** A page, and the requested ones of its ancestors and children. */
function withRelatives(
  ctx: Context,
  { locale, mode, docId }: DocumentId,
  { path, project, hasChildren }: Pick<TreePosition, 'path'> & Pick<PageRequest, 'project' | 'hasChildren'>,
): PagesQuery {
  return {
    locale,
    mode,
    archived: 'any',
    visibility: pagesVisibility(ctx, mode),
    docIds: projectsName(project, '_ancestors') ? path.split('/') : [docId],
    ...(hasChildren && projectsName(project, '_children') ? { childrenOf: [docId] } : {}),
  }
}
