import { invalid } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'

/** The most characters of related documents in one answer. */
const MOST = 32 * 1024 * 1024

/** What happens when related documents make an answer too long: they are shortened, or it is refused. */
export type WhenTooLong = 'shorten' | 'refuse'

/**
 * Counts the length of the related documents in one answer, where each is repeated wherever it is related: a few
 * documents that all relate to each other would make a huge answer.
 */
export class RelatedSize {
  readonly #whenTooLong: WhenTooLong
  readonly #shortened: (document: JsonObject) => JsonObject
  readonly #sizes = new WeakMap<JsonObject, number>()
  #total = 0

  constructor(whenTooLong: WhenTooLong, shortened = (document: JsonObject) => document) {
    this.#whenTooLong = whenTooLong
    this.#shortened = shortened
  }

  /** Measures a related document, before others are placed in it. */
  measure(document: JsonObject): void {
    this.#sizes.set(document, JSON.stringify(document).length)
  }

  /** The length of what is related to a document of the answer. */
  of(answer: JsonObject): number {
    return this.#sizes.get(answer) ?? 0
  }

  /** Counts the related documents of a cached fragment. Throws as `place` does. */
  add(size: number): void {
    if (this.#total + size > MOST) throw tooLong()
    this.#total += size
  }

  /**
   * Counts one more place of a related document in its holder; towards the limit where the holder is a document of the
   * answer itself (`isShown`). Returns what to put there: the document, or a short form of it. Throws `invalid` when
   * the answer is too long and its documents must not be shortened.
   */
  place(related: JsonObject, holder: JsonObject, isShown: boolean): JsonObject {
    const size = this.#sizes.get(related) ?? 0
    if (this.#whenTooLong === 'shorten' && this.#total + size > MOST) return this.#shortened(related)
    if (isShown) this.add(size)
    this.#hold(size, holder)
    return related
  }

  /** Counts the length of a text that is placed in a document of the answer. Throws as `place` does. */
  count(size: number, answer: JsonObject): void {
    this.add(size)
    this.#hold(size, answer)
  }

  #hold(size: number, holder: JsonObject): void {
    this.#sizes.set(holder, this.of(holder) + size)
  }
}

function tooLong(): Error {
  return invalid('The related documents make this answer too long. Ask for fewer documents (perPage), or use project.')
}
