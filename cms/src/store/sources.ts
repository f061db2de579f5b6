import { AsyncLocalStorage } from 'node:async_hooks'

/** The names of what was changed, and when; as the store's `Changes`. */
interface Changes {
  readonly now: number
  stand(names: Iterable<Name>, since: number): boolean
}
type Name = number

/** What depends on more than this depends on everything. */
const MOST = 2_000

/** What something was made of, and until when that is known to stand. */
export class Basis {
  readonly names: readonly Name[] | null
  readonly #parts: readonly Basis[]
  #since: number
  /** The last change at which all of it, its parts too, was found to stand. */
  #standsAt = -1

  /** `names`: null for everything. `parts`: what was used that had been made before. */
  constructor(names: readonly Name[] | null, since: number, parts: readonly Basis[] = []) {
    this.names = names
    this.#since = since
    this.#parts = parts
  }

  /** How many names and parts it holds. */
  get size(): number {
    return (this.names?.length ?? 0) + this.#parts.length
  }

  /** Whether nothing of it has changed. */
  stands(changes: Changes): boolean {
    const { now } = changes
    if (this.#standsAt === now) return true
    if (this.#since !== now && (this.names === null || !changes.stand(this.names, this.#since))) return false
    for (const part of this.#parts) if (!part.stands(changes)) return false
    this.#since = this.#standsAt = now
    return true
  }

  /** Whether it was made, or stood, at some time since then. */
  hasStoodSince(time: number): boolean {
    return this.#since >= time && this.#parts.every((part) => part.hasStoodSince(time))
  }
}

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
  readonly #parts = new Set<Basis>()
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

  /** False when it was made of something else, too, of which nobody tells when it changes. */
  get areKnown(): boolean {
    return this.#isKnown
  }

  /** All that was noted so far. */
  get basis(): Basis {
    return new Basis(this.#isEverything ? null : [...this.#names], this.#since, [...this.#parts])
  }

  /** It is about to be read. */
  note(name: Name): void {
    this.#begin()
    if (this.#isEverything) return
    this.#names.add(name)
    this.#bound()
  }

  /** Anything may be read: it stands until the next commit. */
  noteEverything(): void {
    this.#begin()
    this.#isEverything = true
    this.#names.clear()
    for (const part of this.#parts) this.#requireStanding(part)
    this.#parts.clear()
  }

  /** Something is read of which nobody tells when it changes. */
  noteUnknown(): void {
    this.#isKnown = false
  }

  /** Something is used that was made of this. */
  use(basis: Basis): void {
    this.#begin()
    if (this.#isEverything) this.#requireStanding(basis)
    else {
      this.#parts.add(basis)
      this.#bound()
    }
  }

  /** What is not looked at any more must stand now: then it does until the next commit. */
  #requireStanding(part: Basis): void {
    if (!part.stands(this.#changes)) this.#isKnown = false
  }

  #bound(): void {
    if (this.#names.size + this.#parts.size > MOST) this.noteEverything()
  }

  /** What is committed before anything is read counts as read. */
  #begin(): void {
    if (this.#names.size + this.#parts.size === 0 && !this.#isEverything) this.#since = this.#changes.now
  }
}
