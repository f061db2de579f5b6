import { invalid } from '../../base/errors.ts'
import type { Json, JsonObject } from '../../base/json.ts'
import { oncePer } from '../../base/lazy.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import type { Document } from '../../model/terms/document.ts'
import type { RelatedExtent, RelatedText } from '../answer-caching.ts'
import type { Context } from '../context.ts'
import { audienceOf } from '../permissions.ts'
import { readRelated } from '../related-documents.ts'
import type { TextSlots } from '../shared-bytes.ts'
import { MINIMAL, type RelatedBy } from '../view.ts'
import { type PlaceRelated, type Related, relatedKey, withFields } from './prepare.ts'
import { ALWAYS } from './projection.ts'

/** The most characters of related documents in one answer. */
const MOST = 32 * 1024 * 1024
const SHORT = [...ALWAYS, ...MINIMAL, '_fallback']
const NO_EXTENT: RelatedExtent = { length: 0, documents: 0 }

/** The most related documents in an answer whose request names relationships. */
export const MOST_NAMED = 1000

/**
 * Counts the related documents in one answer and their length, where each is repeated wherever it is related: a few
 * documents that all relate to each other would make a huge answer. One that is too long is refused, or its related
 * documents are shortened: answers to writes are never refused.
 */
export class RelatedSize {
  readonly #whenTooLong: 'refuse' | 'shorten'
  readonly #mostDocuments: number
  readonly #extents = new WeakMap<JsonObject, RelatedExtent>()
  #length = 0
  #documents = 0
  #found = 0

  constructor(whenTooLong: 'refuse' | 'shorten', mostDocuments = Number.POSITIVE_INFINITY) {
    this.#whenTooLong = whenTooLong
    this.#mostDocuments = mostDocuments
  }

  /** Counts documents that were found, before anything is done with them: each will be placed once at least. */
  found(documents: number): void {
    this.#found += documents
    if (this.#found > this.#mostDocuments) throw this.#tooMany()
  }

  /** Measures a related document, before others are placed in it. */
  measure(document: JsonObject): void {
    this.#extents.set(document, { length: JSON.stringify(document).length, documents: 1 })
  }

  /** Returns the extent of the documents related to one of the answer. */
  of(answer: JsonObject): RelatedExtent {
    return this.#extents.get(answer) ?? NO_EXTENT
  }

  /** Counts the related documents of a cached fragment. Throws as `place` does. */
  add({ length, documents }: RelatedExtent): void {
    if (this.#length + length > MOST) {
      throw invalid(
        'The related documents make this answer too long. Ask for fewer documents (perPage), or use project.',
      )
    }
    this.#length += length
    this.#documents += documents
    if (this.#documents > this.#mostDocuments) throw this.#tooMany()
  }

  #tooMany(): Error {
    return invalid(
      `withRelationships fills in at most ${this.#mostDocuments} related documents. Ask for fewer documents (perPage), or name fewer relationships.`,
    )
  }

  /**
   * Counts one more place of a related document in its holder; towards the limit where the holder is a document of the
   * answer itself (`isShown`). Returns what to put there: the document, or a short form of it. Throws `invalid` when
   * the answer is too long and its documents must not be shortened.
   */
  place(related: JsonObject, holder: JsonObject, isShown: boolean): JsonObject {
    const extent = this.of(related)
    if (this.#isShortened(extent)) return shortened(related)
    if (isShown) this.add(extent)
    this.#hold(extent, holder)
    return related
  }

  /** Counts a text in the same way, in a document of the answer; false where a short form takes its place. */
  placeText(extent: RelatedExtent, answer: JsonObject): boolean {
    if (this.#isShortened(extent)) return false
    this.add(extent)
    this.#hold(extent, answer)
    return true
  }

  #isShortened({ length }: RelatedExtent): boolean {
    return this.#whenTooLong === 'shorten' && this.#length + length > MOST
  }

  #hold({ length, documents }: RelatedExtent, holder: JsonObject): void {
    const before = this.of(holder)
    this.#extents.set(holder, { length: before.length + length, documents: before.documents + documents })
  }
}

/** The short form of a related document: what identifies it. */
function shortened(document: JsonObject): JsonObject {
  return Object.fromEntries(SHORT.flatMap((name) => (name in document ? [[name, document[name] ?? null]] : [])))
}

/** The parts that all related documents of one answer share. */
interface RelatedTextsOptions {
  /** The places of the texts in the answer. */
  readonly slots: TextSlots
  /** The sizes of the whole answer. */
  readonly sizes: RelatedSize
  make(document: Document, by: RelatedBy, fields: JsonObject): Promise<RelatedText>
}

/**
 * Related documents as JSON text. Many documents relate to the same ones: their text is made once for all, held in
 * memory once, and cached until anything that it was made of changes.
 */
export class RelatedTexts {
  readonly #ctx: Context
  readonly #options: RelatedTextsOptions
  readonly #prefix: string

  constructor(ctx: Context, options: RelatedTextsOptions) {
    this.#ctx = ctx
    this.#options = options
    this.#prefix = `${audienceOf(ctx.actor)} ${ctx.locale} ${ctx.mode} ${ctx.isStaticBuild}`
  }

  /**
   * True for relationships whose documents are complete without filling in more: neither in the fields of the
   * relationship, nor in the documents (`withRelationships`), whose texts could grow without bound before their length
   * is checked.
   */
  takes({ type, options }: Field): boolean {
    // `as`: both relationship types declare this option.
    const { withRelationships } = options as { readonly withRelationships?: boolean | readonly string[] }
    const isOpened = Array.isArray(withRelationships) ? withRelationships.length > 0 : withRelationships === true
    return !isOpened && (type.innerFields?.(options).list ?? []).every(isLeaf)
  }

  /** Places the related documents of a relationship as text. One statement for all that are not cached. */
  async placing(by: RelatedBy, related: readonly Related[]): Promise<PlaceRelated> {
    const texts = await this.#find(by, related)
    return (docId, fields, answer) => {
      const text = texts.get(relatedKey({ docId, fields: fields ?? {} })) ?? null
      return text === null ? undefined : this.#place(text, fields ?? {}, answer)
    }
  }

  #place({ text, size }: RelatedText, fields: JsonObject, answer: JsonObject): Json {
    if (this.#options.sizes.placeText(size, answer)) return this.#options.slots.add(text)
    // `as`: the text was made of an object.
    return withFields(shortened(JSON.parse(text.bytes.toString()) as JsonObject), fields)
  }

  /** Finds texts by `relatedKey`; null for documents that are not shown. */
  async #find(by: RelatedBy, related: readonly Related[]): Promise<ReadonlyMap<string, RelatedText | null>> {
    const { type, locale, mode } = by.access.view
    const prefix = `${this.#prefix} ${type} ${locale} ${mode} ${numberOf(by.field)} `
    const cache = this.#ctx.caches.related
    const found = new Map<string, RelatedText | null>()
    const missing = new Map<string, Related>()
    for (const one of related) {
      const key = relatedKey(one)
      const cached = cache.get(prefix + key)
      if (cached === undefined) missing.set(key, one)
      else found.set(key, cached)
    }
    const fill = async ([key, one]: [string, Related]) => {
      found.set(key, await cache.fill(prefix + key, () => this.#make(by, one)))
    }
    if (missing.size > 0) await Promise.all([...missing].map(fill))
    return found
  }

  async #make(by: RelatedBy, { docId, fields }: Related): Promise<RelatedText | null> {
    const reader = this.#ctx.store.documents
    const found = await readRelated({ viewer: this.#ctx, reader }, by.access, [docId])
    for (const { access, documents } of found) {
      const [document] = documents
      if (document !== undefined) return this.#options.make(document, { ...by, access }, fields)
    }
    return null
  }
}

/** True for a field without inner fields, files and relationships. */
function isLeaf({ type }: Field): boolean {
  return type.relation === undefined && type.children === undefined && !type.file
}

let last = 0

/** A number that identifies a relationship. */
const numberOf = oncePer<Field, number>(() => {
  last += 1
  return last
})
