import { AsyncLocalStorage } from 'node:async_hooks'

/** Decides whether names have changed since a commit; see `changes.ts`. */
interface Changes {
  readonly now: number
  areUnchanged(names: Iterable<Name>, since: number): boolean
}
type Name = number

/** A value that depends on more names than this counts as depending on everything. */
const MOST = 2_000

/** One for all: tens of thousands of bases are cached. */
const NONE: readonly never[] = []

/** The sources of a value, and up to which commit they are known to be unchanged. */
export class Basis {
  readonly names: readonly Name[] | null
  readonly #parts: readonly Basis[]
  #since: number
  /** When it was last found to be current with all of its parts. */
  #checkedAt: number | null = null

  /** `names`: null for everything. `parts`: the bases of the cached values that it was made with. */
  constructor(names: readonly Name[] | null, since: number, parts: readonly Basis[] = NONE) {
    this.names = names
    this.#since = since
    this.#parts = parts
  }

  /** The number of names and parts. */
  get size(): number {
    return (this.names?.length ?? 0) + this.#parts.length
  }

  /** True while nothing that it names has changed. */
  isCurrent(changes: Changes): boolean {
    const { now } = changes
    if (this.#checkedAt === now) return true
    if (this.#since !== now && (this.names === null || !changes.areUnchanged(this.names, this.#since))) return false
    for (const part of this.#parts) if (!part.isCurrent(changes)) return false
    this.#since = now
    this.#checkedAt = now
    return true
  }

  /** Whether it was known to be unchanged at this commit, or at a later one. */
  wasCurrentAt(time: number): boolean {
    return this.#since >= time && this.#parts.every((part) => part.wasCurrentAt(time))
  }
}

const running = new AsyncLocalStorage<Sources>()

/** The sources that the current work collects; undefined when nobody asks for them. */
export function currentSources(): Sources | undefined {
  return running.getStore()
}

/**
 * Collects what a value is made of: readers of the store record what they read, so that the value can be cached until
 * that changes. They follow the work through everything that it calls and awaits (`AsyncLocalStorage`), whatever store
 * or context it reads from.
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

  /** Runs `work`, and collects what it reads. */
  collect<Value>(work: () => Promise<Value>): Promise<Value> {
    return running.run(this, work)
  }

  /** False once something was read whose changes no commit announces. */
  get areKnown(): boolean {
    return this.#isKnown
  }

  /** The sources so far. */
  get basis(): Basis {
    const [part] = this.#parts
    // A value made of one cached value alone is current while that is.
    if (part !== undefined && this.#parts.size === 1 && this.#names.size === 0) return part
    return new Basis(this.#isEverything ? null : listed(this.#names), this.#since, listed(this.#parts))
  }

  /** Call it before reading. */
  note(name: Name): void {
    this.#begin()
    if (this.#isEverything) return
    this.#names.add(name)
    this.#bound()
  }

  /** The value may depend on anything: any commit changes it. */
  recordEverything(): void {
    this.#begin()
    this.#isEverything = true
    this.#names.clear()
    for (const part of this.#parts) this.#requireCurrent(part)
    this.#parts.clear()
  }

  /** Something is read whose changes no commit announces: the value cannot be cached. */
  recordUnknown(): void {
    this.#isKnown = false
  }

  /** A cached value with this basis is used. */
  use(basis: Basis): void {
    this.#begin()
    if (this.#isEverything) this.#requireCurrent(basis)
    else {
      this.#parts.add(basis)
      this.#bound()
    }
  }

  /** A part that is no longer tracked by itself must be unchanged now. */
  #requireCurrent(part: Basis): void {
    if (!part.isCurrent(this.#changes)) this.#isKnown = false
  }

  #bound(): void {
    if (this.#names.size + this.#parts.size > MOST) this.recordEverything()
  }

  /** Commits before the first read are seen by it. */
  #begin(): void {
    if (this.#names.size + this.#parts.size === 0 && !this.#isEverything) this.#since = this.#changes.now
  }
}

function listed<Item>(items: ReadonlySet<Item>): readonly Item[] {
  return items.size === 0 ? NONE : [...items]
}
