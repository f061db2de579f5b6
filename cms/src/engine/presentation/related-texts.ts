import type { JsonObject } from '../../base/json.ts'
import type { Document } from '../../model/document.ts'
import type { Field } from '../../model/fields/field-type.ts'
import type { RelatedText } from '../answer-caching.ts'
import type { Context } from '../context.ts'
import { audienceOf } from '../permissions.ts'
import { type Related, type RelatedBy, relatedKey } from '../related.ts'
import type { TextSlots } from '../shared-bytes.ts'
import type { RelatedSize } from './related-size.ts'

/** What the related documents of an answer are made with. */
export interface RelatedTextsOptions {
  /** Where they are put. */
  readonly slots: TextSlots
  /** Those of the whole answer. */
  readonly sizes: RelatedSize
  make(document: Document, by: RelatedBy, fields: JsonObject): Promise<RelatedText>
}

/**
 * Related documents as JSON text. Many documents lead to the same ones: these are made once for all of them, and cached
 * while what they were made of stands.
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
   * False where more is filled in: in what the relationship says of a document, which is not complete yet; or in the
   * documents themselves, since each text would have all of that again before the answer is known to be too long.
   */
  takes({ type, options }: Field): boolean {
    // `as`: both relationship types declare this option.
    const { withRelationships } = options as { readonly withRelationships?: boolean | readonly string[] }
    const isOpened = Array.isArray(withRelationships) ? withRelationships.length > 0 : withRelationships === true
    return !isOpened && (type.innerFields?.(options).list ?? []).every(isLeaf)
  }

  /** By `relatedKey`; null for what is not shown. One statement, but for what they relate to themselves. */
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

  /** What stands for it in the object that the text is made of. Throws `invalid` where the answer gets too long. */
  place({ text, size }: RelatedText, answer: JsonObject): string {
    this.#options.sizes.count(size, answer)
    return this.#options.slots.add(text)
  }

  async #make(by: RelatedBy, { docId, fields }: Related): Promise<RelatedText | null> {
    const [document] = await this.#ctx.store.documents.many(by.access.view, [docId])
    return document === undefined ? null : this.#options.make(document, by, fields)
  }
}

/** Whether a field holds neither fields, nor files, nor documents. */
function isLeaf({ type }: Field): boolean {
  return type.relation === undefined && type.children === undefined && !type.file
}

const numbers = new WeakMap<Field, number>()
let last = 0

/** Another one for each relationship. */
function numberOf(field: Field): number {
  const known = numbers.get(field)
  if (known !== undefined) return known
  last += 1
  numbers.set(field, last)
  return last
}
