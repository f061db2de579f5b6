import { notFound } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Context } from '../../engine/context.ts'
import type { Write } from '../../http/route.ts'
import { type DocId, DocumentId, type Locale, type Mode } from '../../model/document.ts'
import type { Page } from '../../store/store.ts'
import { type Look, lookOf, pageAccess } from './access.ts'
import { formerUrls, presentPages, showsName } from './present.ts'

/** Which tree is written, and how (§4.2 GET list). */
export interface TreeForm {
  readonly locale: Locale
  readonly mode: Mode
  readonly rootId: DocId
  readonly isFlat: boolean
  readonly hasChildren: boolean
  /** With orphans. */
  readonly isWhole: boolean
}

/** A page before it is read: where it belongs, and who sees it. */
export interface Outlined extends Look {
  readonly docId: DocId
  readonly parent: DocId
  readonly isOrphan: boolean
}

/** The pages of a tree by level, and what reads them in another order, some at a time. */
export interface TreePages<Item extends Outlined> {
  readonly outline: readonly Item[]
  read(order: readonly Item[]): Iterable<readonly Page[]> | AsyncIterable<readonly Page[]>
}

/**
 * Writes a tree as JSON text (§4.2): nested, or flat as `{ results }`, depth first. No more pages are in memory than
 * are read at a time. Nothing below a hidden page is shown; throws `notfound` where the root of a nested tree is hidden.
 */
export async function writeTree<Item extends Outlined>(
  ctx: Context,
  form: TreeForm,
  { outline, read }: TreePages<Item>,
  write: Write,
): Promise<void> {
  const shape = shapeOf(ctx, form, outline)
  if (shape.order.length === 0 && !form.isFlat) throw notFound()
  const former = await formerUrls(ctx, form.locale, shape.order)
  const text = form.isFlat ? new FlatText(ctx, form, shape) : new NestedText(ctx, form)
  for await (const batch of read(shape.order)) {
    const shown = await presentPages(ctx, batch, former)
    await write(batch.map((page) => text.page(page, shown.get(page.position.docId) ?? {})).join(''))
  }
  await write(text.end())
}

/** The pages to show. */
interface Shape<Item> {
  /** Depth first. */
  readonly order: readonly Item[]
  readonly children: ReadonlyMap<DocId, readonly Item[]>
}

/** Orphans, and what lies below them, only in whole trees; nothing below pages that are hidden or hide it. */
function shapeOf<Item extends Outlined>(ctx: Context, form: TreeForm, outline: readonly Item[]): Shape<Item> {
  const { rootId, isFlat, hasChildren, isWhole } = form
  const open = new Set<DocId>()
  const shown = outline.filter((page) => {
    const isReached = open.has(page.parent) && (isWhole || !page.isOrphan)
    const isShown = (page.docId === rootId || isReached) && pageAccess(ctx, page) !== null
    const isOpen = isFlat || (hasChildren && showsName(ctx, page, '_children'))
    if (isShown && isOpen) open.add(page.docId)
    return isShown
  })
  const children = Map.groupBy(shown, ({ parent }) => parent)
  const order: Item[] = []
  const waiting = shown.filter(({ docId }) => docId === rootId)
  for (let page = waiting.pop(); page; page = waiting.pop()) {
    order.push(page)
    waiting.push(...(children.get(page.docId) ?? []).toReversed())
  }
  return { order, children }
}

/** One page after another, each with `_children` that are still open. */
class NestedText {
  readonly #ctx: Context
  readonly #form: TreeForm
  /** The pages whose children come next. */
  readonly #line: DocId[] = []
  #isFirst = true

  constructor(ctx: Context, form: TreeForm) {
    this.#ctx = ctx
    this.#form = form
  }

  page({ document, position }: Page, answer: JsonObject): string {
    const look = lookOf(document)
    const isRoot = position.docId === this.#form.rootId
    if (isRoot && showsName(this.#ctx, look, '_ancestors')) answer._ancestors = []
    const before = isRoot ? '' : this.#upTo(position.parent)
    const own = JSON.stringify(answer)
    if (!this.#form.hasChildren || !showsName(this.#ctx, look, '_children')) {
      this.#isFirst = false
      return before + own
    }
    this.#line.push(position.docId)
    this.#isFirst = true
    return `${before}${own.slice(0, -1)},"_children":[`
  }

  end(): string {
    return ']}'.repeat(this.#line.length)
  }

  /** Ends the pages that this one's parent is not below, and parts it from its sibling. */
  #upTo(parent: DocId): string {
    const ended = this.#line.splice(this.#line.lastIndexOf(parent) + 1).length
    if (ended > 0) this.#isFirst = false
    return ']}'.repeat(ended) + (this.#isFirst ? '' : ',')
  }
}

/** `_ancestors` and `_children` as ids (§4.2). */
class FlatText {
  readonly #ctx: Context
  readonly #form: TreeForm
  readonly #shape: Shape<Outlined>
  #before = '{"results":['

  constructor(ctx: Context, form: TreeForm, shape: Shape<Outlined>) {
    this.#ctx = ctx
    this.#form = form
    this.#shape = shape
  }

  page({ document, position }: Page, answer: JsonObject): string {
    const look = lookOf(document)
    if (showsName(this.#ctx, look, '_ancestors'))
      answer._ancestors = position.path.split('/').slice(0, -1).map(this.#idOf)
    if (this.#form.hasChildren && showsName(this.#ctx, look, '_children')) {
      answer._children = (this.#shape.children.get(position.docId) ?? []).map(({ docId }) => this.#idOf(docId))
    }
    const before = this.#before
    this.#before = ','
    return before + JSON.stringify(answer)
  }

  end(): string {
    return `${this.#before === ',' ? '' : this.#before}]}`
  }

  readonly #idOf = (docId: DocId): string => {
    return DocumentId.format({ docId, locale: this.#form.locale, mode: this.#form.mode })
  }
}
