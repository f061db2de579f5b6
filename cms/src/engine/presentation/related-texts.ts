import type { JsonObject } from '../../base/json.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import type { Document } from '../../model/terms/document.ts'
import type { RelatedText } from '../answer-caching.ts'
import type { Context } from '../context.ts'
import { audienceOf } from '../permissions.ts'
import { type Related, type RelatedBy, relatedKey } from '../related.ts'
import type { TextSlots } from '../shared-bytes.ts'
import type { RelatedSize } from './related-size.ts'

/** What the related documents of one answer share. */
export interface RelatedTextsOptions {
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

  /** By `relatedKey`; null for documents that are not shown. One statement for all that are not cached. */
  async find(by: RelatedBy, related: readonly Related[]): Promise<ReadonlyMap<string, RelatedText | null>> {
    const { locale, mode } = by.access.view
    const prefix = `${this.#prefix} ${locale} ${mode} ${numberOf(by.field)} `
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

  /** Returns what to put into the answer in place of the text. Throws `invalid` when the answer is too long. */
  place({ text, size }: RelatedText, answer: JsonObject): string {
    this.#options.sizes.count(size, answer)
    return this.#options.slots.add(text)
  }

  async #make(by: RelatedBy, { docId, fields }: Related): Promise<RelatedText | null> {
    const [document] = await this.#ctx.store.documents.many(by.access.view, [docId])
    return document === undefined ? null : this.#options.make(document, by, fields)
  }
}

/** True for a field without inner fields, files and relationships. */
function isLeaf({ type }: Field): boolean {
  return type.relation === undefined && type.children === undefined && !type.file
}

const numbers = new WeakMap<Field, number>()
let last = 0

/** A number that identifies a relationship. */
function numberOf(field: Field): number {
  const known = numbers.get(field)
  if (known !== undefined) return known
  last += 1
  numbers.set(field, last)
  return last
}
