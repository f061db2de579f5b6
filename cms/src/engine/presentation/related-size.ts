import { invalid } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'

/** Characters that related documents may take in one answer. */
const MOST = 32 * 1024 * 1024

/**
 * How much the related documents of one answer are as text, where each is written as often as it is related: a few
 * documents that all relate to each other would make an endless answer.
 */
export class RelatedSize {
  readonly #sizes = new WeakMap<JsonObject, number>()
  #total = 0

  /** Counts a related document, before others are placed in it. */
  measure(document: JsonObject): void {
    this.#sizes.set(document, JSON.stringify(document).length)
  }

  /** Counts that a related document stands in another one once more. Throws `invalid` when they are too many. */
  place(related: JsonObject, holder: JsonObject): void {
    const size = this.#sizes.get(related) ?? 0
    this.#total += size
    this.#sizes.set(holder, (this.#sizes.get(holder) ?? 0) + size)
    if (this.#total <= MOST) return
    throw invalid('The related documents make this answer too long. Ask for fewer documents (perPage), or use project.')
  }
}
