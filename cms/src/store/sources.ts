import { AsyncLocalStorage } from 'node:async_hooks'

/** The names of what was changed, and when; as the store's `Changes`. */
interface Changes {
  readonly now: number
  stand(names: Iterable<Name>, since: number): boolean
}
type Name = number

/** What depends on more names than this depends on everything. */
const MOST_NAMES = 2_000

const running = new AsyncLocalStorage<Sources>()

/** Those of the work that runs now; undefined when nobody wants to know them. */
export function currentSources(): Sources | undefined {
  return running.getStore()
}

/**
 * What something was made from: readers of the store note what they are asked, so that what was made of it can be cached
 * while that stands. They go with the work, through all that it calls and waits for, by whatever store or context it
 * reads.
 */
export class Sources {
  readonly #changes: Changes
  readonly #names = new Set<Name>()
  #since: number
  #isEverything = false
  #isKnown = true

  constructor(changes: Changes) {
    this.#changes = changes
    this.#since = changes.now
  }

  /** Runs work whose sources these are. */
  collect<Value>(work: () => Promise<Value>): Promise<Value> {
    return running.run(this, work)
  }

  /** Which commits were known, at least, before the first of them was read. */
  get since(): number {
    return this.#since
  }

  /** False when it was made of something else, too, of which nobody tells when it changes. */
  get areKnown(): boolean {
    return this.#isKnown
  }

  /** The names; null for everything. */
  get names(): readonly Name[] | null {
    return this.#isEverything ? null : [...this.#names]
  }

  /** It is about to be read. */
  note(name: Name): void {
    this.#begin()
    if (this.#isEverything) return
    this.#names.add(name)
    if (this.#names.size > MOST_NAMES) this.noteEverything()
  }

  /** Anything may be read: it stands until the next commit. */
  noteEverything(): void {
    this.#begin()
    this.#isEverything = true
    this.#names.clear()
  }

  /** Something is read of which nobody tells when it changes. */
  noteUnknown(): void {
    this.#isKnown = false
  }

  /** A part is used that was made of these, and stood then at least. */
  add(names: readonly Name[] | null, since: number): void {
    if (names === null) this.noteEverything()
    else for (const name of names) this.note(name)
    if (since < this.#since) this.#since = since
  }

  /** What is committed before anything is read counts as read. */
  #begin(): void {
    if (this.#names.size === 0 && !this.#isEverything) this.#since = this.#changes.now
  }
}

/** Whether all of these stand since then: the names of sources, null for everything. */
export function stand(changes: Changes, names: readonly Name[] | null, since: number): boolean {
  return names === null ? changes.now === since : changes.stand(names, since)
}
