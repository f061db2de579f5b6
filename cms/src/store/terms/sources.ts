import { AsyncLocalStorage } from 'node:async_hooks'
import type { Changes, Name } from './changes.ts'

/** A value that depends on more names than this counts as depending on everything. */
const MOST = 2_000

/** One for all: tens of thousands of bases are cached. */
const NONE: readonly never[] = []

/** Names that the names of lists cover: each commit that changes one of them also changes one of the lists. */
interface Covered {
  readonly names: Set<Name>
  readonly lists: Set<Name>
}

/** The sources of a value, and up to which commit they are known to be unchanged. */
export class Basis {
  readonly names: readonly Name[] | null
  readonly #parts: readonly Basis[]
  readonly #covered: Covered | null
  #since: number
  /** When it was last found to be current with all of its parts. */
  #checkedAt: number | null = null

  /** `names`: null for everything. `parts`: the bases of the cached values that it was made with. */
  constructor(
    names: readonly Name[] | null,
    since: number,
    parts: readonly Basis[] = NONE,
    covered: Covered | null = null,
  ) {
    this.names = names
    this.#since = since
    this.#parts = parts
    this.#covered = covered
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

  /** The names of it and of all its parts; null for everything. */
  allNames(): ReadonlySet<Name> | null {
    const names = new Set<Name>()
    for (const basis of this.#all()) {
      if (basis.names === null) return null
      for (const name of basis.names) names.add(name)
    }
    return names
  }

  /** Fewer names: those of whole lists where they cover others; null for everything. */
  broadNames(): ReadonlySet<Name> | null {
    const all = this.allNames()
    if (all === null) return null
    const names = new Set(all)
    const covered = [...this.#all()].flatMap((basis) => basis.#covered ?? [])
    for (const one of covered) for (const name of one.names) names.delete(name)
    for (const { lists } of covered) for (const list of lists) names.add(list)
    return names
  }

  /** It and all its parts. */
  #all(): ReadonlySet<Basis> {
    const bases = new Set<Basis>([this])
    // A set also visits what is added meanwhile.
    for (const basis of bases) for (const part of basis.#parts) bases.add(part)
    return bases
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
  #covered: Covered | null = null
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
    return new Basis(this.#isEverything ? null : listed(this.#names), this.#since, listed(this.#parts), this.#covered)
  }

  /** Records them in the sources of the work that uses the value. */
  passOn(): void {
    currentSources()?.use(this.basis)
    if (!this.#isKnown) currentSources()?.recordUnknown()
  }

  /** Call it before reading. */
  note(name: Name): void {
    this.#begin()
    if (this.#isEverything) return
    this.#names.add(name)
    this.#bound()
  }

  /** Each commit that changes these names also changes the list. */
  cover(names: readonly Name[], list: Name): void {
    this.#covered ??= { names: new Set(), lists: new Set() }
    this.#covered.lists.add(list)
    for (const name of names) this.#covered.names.add(name)
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

/**
 * Runs `work`, and also returns the sources of its value. A caller that uses the value, or goes on without it when it
 * fails, depends on them, too.
 */
export async function withSources<Value>(
  changes: Changes,
  work: () => Promise<Value>,
): Promise<{ readonly value: Value; readonly sources: Sources }> {
  const sources = new Sources(changes)
  try {
    return { value: await sources.collect(work), sources }
  } finally {
    sources.passOn()
  }
}

function listed<Item>(items: ReadonlySet<Item>): readonly Item[] {
  return items.size === 0 ? NONE : [...items]
}
