import { notFound } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import { type Document, stateOf } from '../../model/terms/document.ts'
import { DocumentId } from '../../model/terms/document-id.ts'
import { changed, currentSources, type ReadDocument } from '../../store/contract/store.ts'
import type { Fragment } from '../answer-caching.ts'
import type { Context } from '../context.ts'
import { IN_TREE } from '../pages/page-access.ts'
import { audienceOf, isAnonymous } from '../permissions.ts'
import { type Projection, projectionKey } from '../presentation/projection.ts'
import { MOST_NAMED, RelatedSize } from '../presentation/related-texts.ts'
import { renderAreas } from '../rendering/open-scene.ts'
import { etagOf } from '../save/copies.ts'
import { JoinedBytes, type TextPart, TextSlots } from '../shared-bytes.ts'
import { stylesheetOf, stylesheetProperties } from '../styles/stylesheet.ts'
import { type TypeView, viewOf } from '../view.ts'
import { isGlobal, shownDocuments } from './shown-documents.ts'

/** How the documents of an answer are shown. */
export interface AnswerForm {
  /** The request's own projection; null for everything that the caller may see. */
  readonly project: Projection | null
  /** Their texts end without the closing brace, because more properties follow. */
  readonly isOpen?: boolean
  /** Areas as HTML. */
  readonly isRendered?: boolean
  /** It answers a write, and so is never refused for its length. */
  readonly isWritten?: boolean
}

/** How documents of one type are shown. */
interface TypeForm {
  readonly type: Type
  readonly access: TypeView
  /** The beginning of the keys of their cached fragments. */
  readonly prefix: string
}

/**
 * Documents as JSON text, which all answers are assembled from. Each is made once for all callers of one audience, and
 * cached until anything that it was made of changes, except with rendered areas, with schedules, and after writes.
 */
export class Fragments {
  readonly #ctx: Context
  readonly #form: AnswerForm
  readonly #types = new Map<string, TypeForm>()
  readonly #areKept: boolean

  constructor(ctx: Context, form: AnswerForm) {
    this.#ctx = ctx
    this.#form = form
    this.#areKept = form.isRendered !== true && form.isWritten !== true
  }

  /** The cached fragment of a copy of a document of this type. */
  byId(typeName: string, id: DocumentId): Fragment | undefined {
    if (!this.#areKept) return undefined
    return this.#ctx.caches.fragments.get(this.#formOf(typeName).prefix + DocumentId.format(id))
  }

  /** The cached fragment of the copy with this row number, whose document is of this type. */
  byRow(typeName: string, row: number): Fragment | undefined {
    if (!this.#areKept) return undefined
    return this.#ctx.caches.fragments.get(`${this.#formOf(typeName).prefix}#${row}`)
  }

  /**
   * The fragments of documents, by row number. `known`: the other fragments of the answer. Throws `invalid` when the
   * answer is too long.
   */
  async make(documents: Iterable<ReadDocument>, known: readonly Fragment[] = []): Promise<Map<number, Fragment>> {
    const sizes = this.#newSizes()
    for (const { related } of known) sizes.add(related)
    const { kept = [], others = [] } = Object.groupBy(documents, (one) => (this.#isKept(one) ? 'kept' : 'others'))
    const made = new Map<number, Fragment>()
    const keep = async (one: ReadDocument) => void made.set(one.row, await this.#keep(one, sizes))
    await Promise.all(kept.map(keep))
    if (others.length === 0) return made
    const fragments = await this.#make(others, sizes)
    for (const [index, { row }] of others.entries()) {
      const fragment = fragments[index]
      if (fragment !== undefined) made.set(row, fragment)
    }
    return made
  }

  /** The fragment of an answer with one document. */
  async one(document: ReadDocument): Promise<Fragment> {
    return only([...(await this.make([document])).values()])
  }

  /** The fragments of documents that were just written, in their order. */
  written(documents: readonly Document[]): Promise<Fragment[]> {
    const made = documents.map((document) => ({ document, bytes: 0 }))
    return this.#make(made, this.#newSizes())
  }

  /** False for documents with schedules: no commit announces their changes. */
  #isKept({ document }: ReadDocument): boolean {
    return this.#areKept && !(document.id.mode === 'draft' && this.#formOf(document.type).type.scheduling)
  }

  #newSizes(): RelatedSize {
    const { isWritten, project } = this.#form
    return new RelatedSize(isWritten ? 'shorten' : 'refuse', project?.opened ? MOST_NAMED : undefined)
  }

  /** Makes a cached fragment by itself, with its own sources. */
  #keep(one: ReadDocument, sizes: RelatedSize): Promise<Fragment> {
    const make = async () => only(await this.#make([one], sizes))
    const { prefix } = this.#formOf(one.document.type)
    const keys = () => [prefix + DocumentId.format(one.document.id), `${prefix}#${one.row}`]
    return this.#ctx.caches.fragments.make(make, keys)
  }

  /** The global document says what the stylesheet is (§4.7). */
  async #addStylesheets(shown: ReadonlyMap<Document, JsonObject>): Promise<void> {
    for (const [{ id, type: name }, answer] of shown) {
      if (!isGlobal(this.#ctx.site, { name })) continue
      Object.assign(answer, await stylesheetProperties(this.#ctx, id, this.#form.project))
    }
  }

  /** Makes all fragments together, in a constant number of statements. */
  async #make(read: readonly MadeOf[], sizes: RelatedSize): Promise<Fragment[]> {
    for (const one of read) this.#use(one)
    const textSlots = new TextSlots()
    const documents = read.map(({ document }) => document)
    const { project, isRendered = false } = this.#form
    const shown = await shownDocuments(this.#ctx, documents, { as: 'answer', project, isRendered, sizes, textSlots })
    await this.#addStylesheets(shown)
    const answers = documents.map((document) => this.#withoutPosition(document, shown.get(document)))
    if (isRendered) await renderAreas(this.#ctx, answers)
    return Promise.all(read.map((one, index) => this.#fragment(one, answers[index] ?? {}, { sizes, textSlots })))
  }

  /** For a cache in front of the site, the list of a document's type covers the document. */
  #use({ document, basis }: MadeOf): void {
    const sources = currentSources()
    if (sources === undefined || basis === undefined) return
    sources.use(basis)
    const { id, type } = document
    if (this.#ctx.site.purge !== null) sources.cover([changed.copy(id)], changed.list({ ...id, type }))
  }

  /** The position of a page is added to its text: it changes without the page. Throws `notfound` for what is not seen. */
  #withoutPosition({ type }: Document, answer: JsonObject | undefined): JsonObject {
    if (answer === undefined) throw notFound()
    if (this.#formOf(type).type.family === 'page') for (const name of IN_TREE) delete answer[name]
    return answer
  }

  async #fragment(one: MadeOf, answer: JsonObject, { sizes, textSlots }: AnswerPart): Promise<Fragment> {
    const { document, bytes } = one
    const { isArchived, visibility } = stateOf(document)
    const json = JSON.stringify(answer)
    const text = textSlots.fill(this.#form.isOpen ? json.slice(0, -'}'.length) : json)
    const [related, tag] = [sizes.of(answer), await this.#tagOf(document)]
    // At once: an object that properties are added to takes twice the memory.
    return { isArchived, visibility, text, bytes, related, tag }
  }

  /** The revision would reveal changes of fields that a narrower answer does not hold. */
  async #tagOf(document: Document): Promise<string | null> {
    const { access, type } = this.#formOf(document.type)
    if (isAnonymous(this.#ctx.actor) || access.kind !== 'full') return null
    return etagOf(document, isGlobal(this.#ctx.site, type) ? (await stylesheetOf(this.#ctx, document.id)).version : '')
  }

  #formOf(typeName: string): TypeForm {
    const known = this.#types.get(typeName)
    if (known !== undefined) return known
    const type = this.#ctx.site.types.get(typeName)
    const access = type && viewOf(this.#ctx.actor, type)
    if (!type || !access) throw notFound()
    const form = { type, access, prefix: prefixOf(this.#ctx, type, this.#form) }
    this.#types.set(typeName, form)
    return form
  }
}

/** The parts that all documents of an answer share. */
interface AnswerPart {
  readonly sizes: RelatedSize
  readonly textSlots: TextSlots
}

/** The document of a fragment; the basis is missing for one that was just written, and so not read. */
type MadeOf = Pick<ReadDocument, 'document' | 'bytes'> & Partial<Pick<ReadDocument, 'basis'>>

function only(fragments: readonly Fragment[]): Fragment {
  const [fragment] = fragments
  if (fragment === undefined) throw notFound()
  return fragment
}

/** An answer that begins with an open text, and ends with these properties. */
export function endedWith(properties: object, open: readonly TextPart[]): JoinedBytes {
  const end = JSON.stringify(properties).slice('{'.length)
  return new JoinedBytes([...open, end === '}' ? end : `,${end}`])
}

/** A page of a list as JSON: `{ results, total, pages, currentPage }`, and what `more` adds. */
export function listPage(
  results: readonly TextPart[],
  { page, perPage, total }: { readonly page: number; readonly perPage: number; readonly total: number },
  more: object = {},
): JoinedBytes {
  const rest = { total, pages: Math.ceil(total / perPage), currentPage: page, ...more }
  return endedWith(rest, ['{"results":[', ...results, ']'])
}

/** Returns the part of cache keys for everything but the document that a fragment depends on. */
function prefixOf(ctx: Context, { name }: Type, { project, isOpen = false }: AnswerForm): string {
  const { locale, mode, isExternalFront, isStaticBuild, explicit } = ctx
  const shown = project === null ? '' : projectionKey(project)
  // Hooks see the whole context.
  const seen = ctx.hooks.names.has('present') ? `${isExternalFront} ${explicit.locale} ${explicit.mode}` : ''
  return `${name} ${audienceOf(ctx.actor)} ${locale} ${mode} ${isStaticBuild} ${isOpen} ${seen} ${shown} `
}
