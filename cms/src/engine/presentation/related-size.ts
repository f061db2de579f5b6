import { invalid } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'

/** Characters that related documents may take in one answer. */
const MOST = 32 * 1024 * 1024

/** What is done with related documents that make an answer too long: they are shortened, or it is refused. */
export type WhenTooLong = 'shorten' | 'refuse'

/**
 * How much the related documents of one answer are as text, where each is written as often as it is related: a few
 * documents that all relate to each other would make an endless answer.
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

  /** Counts a related document, before others are placed in it. */
  measure(document: JsonObject): void {
    this.#sizes.set(document, JSON.stringify(document).length)
  }

  /** How much is related to a document of the answer itself. */
  of(answer: JsonObject): number {
    return this.#sizes.get(answer) ?? 0
  }

  /** Counts what is related to a document that was made before. Throws as `place` does. */
  add(size: number): void {
    if (this.#total + size > MOST) throw tooLong()
    this.#total += size
  }

  /**
   * Counts that a related document stands in another one once more; the whole of it where that is `shown` by itself.
   * Answers what shall stand there: the document, or a short form of it. Throws `invalid` when they are too many to show
   * and may not be shortened.
   */
  place(related: JsonObject, holder: JsonObject, isShown: boolean): JsonObject {
    const size = this.#sizes.get(related) ?? 0
    if (this.#whenTooLong === 'shorten' && this.#total + size > MOST) return this.#shortened(related)
    if (isShown) this.add(size)
    this.#hold(size, holder)
    return related
  }

  /** Counts that as much as that is related to a document of the answer itself. Throws as `place` does. */
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
