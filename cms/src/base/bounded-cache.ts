/** Bytes of an entry without its key and value. */
const BYTES_OF_ENTRY = 250
/** Eviction goes on until this share of the allowed bytes is left. */
const LEFT = 0.95
/**
 * Entries among this share of the newest are not moved when they are used: to move one costs many times what reading it
 * does, and a list of ten documents reads a dozen (75 µs became 120 to 170).
 */
const RECENT = 1 / 4

/** Bytes that several entries, or other shared bytes, may hold: they count once. */
export interface Shared {
  /** With its parts. */
  readonly length: number
  /** Without its parts. */
  readonly ownBytes: number
  readonly shared: readonly Shared[]
  /** How many entries and other shared bytes hold it; maintained by the memory. */
  holders: number
}

interface Slot {
  readonly value: unknown
  readonly bytes: number
  readonly shared: readonly Shared[]
  /** The number of the last insertion when it was put last in order. */
  placed: number
}

const NONE: readonly Shared[] = []

/** The memory of one or several caches, bounded in bytes: it evicts roughly the least recently used entries. */
export class CacheMemory {
  maxBytes: number
  readonly #slots = new Map<string, Slot>()
  #bytes = 0
  #puts = 0

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  /** About how many bytes its entries take, and how many there are. */
  get size(): { readonly bytes: number; readonly entries: number } {
    return { bytes: this.#bytes, entries: this.#slots.size }
  }

  get(key: string): unknown {
    const slot = this.#slots.get(key)
    if (slot === undefined) return undefined
    if (this.#puts - slot.placed > this.#slots.size * RECENT) this.#place(key, slot)
    return slot.value
  }

  /** `bytes`: of the value without what it shares; those of the key and the entry are added. */
  set(key: string, value: unknown, bytes: number, shared = NONE): void {
    this.delete(key)
    const slot = { value, bytes: bytes + key.length + BYTES_OF_ENTRY, shared, placed: 0 }
    if (shared.reduce((sum, { length }) => sum + length, slot.bytes) > this.maxBytes) return
    this.#puts += 1
    this.#place(key, slot)
    this.#bytes += slot.bytes
    for (const one of shared) this.#hold(one)
    if (this.#bytes > this.maxBytes) this.#evict()
  }

  delete(key: string): void {
    const slot = this.#slots.get(key)
    if (slot === undefined) return
    this.#slots.delete(key)
    this.#bytes -= slot.bytes
    for (const one of slot.shared) this.#release(one)
  }

  #hold(one: Shared): void {
    one.holders += 1
    if (one.holders > 1) return
    this.#bytes += one.ownBytes
    for (const part of one.shared) this.#hold(part)
  }

  #release(one: Shared): void {
    one.holders -= 1
    if (one.holders > 0) return
    this.#bytes -= one.ownBytes
    for (const part of one.shared) this.#release(part)
  }

  /** Puts an entry last in order: it is evicted last. */
  #place(key: string, slot: Slot): void {
    slot.placed = this.#puts
    this.#slots.delete(key)
    this.#slots.set(key, slot)
  }

  /** Several at a time: finding the oldest entry of a `Map` takes time for each one deleted before it. */
  #evict(): void {
    for (const oldest of this.#slots.keys()) {
      if (this.#bytes <= this.maxBytes * LEFT || this.#slots.size === 1) return
      this.delete(oldest)
    }
  }
}

/** The options of a cache. */
export interface CacheOptions<Value> {
  readonly memory: CacheMemory
  /** Added to its keys, where they share the memory with those of other caches. */
  readonly prefix?: string
  /** The largest share of the memory that one value may take; a quarter when left out. */
  readonly largest?: number
  /** About how many bytes a value takes, without what it shares. */
  bytesOf(value: Value): number
  /** Returns the parts that other values may contain, too. */
  sharedOf?(value: Value): readonly Shared[]
}

/** A cached value, and a proof that it is valid. It may have several keys, and its bytes count once. */
interface Entry<Value, Proof> extends Shared {
  readonly value: Value
  readonly proof: Proof
}

const LARGEST = 1 / 4

/**
 * A cache in a bounded memory. Subclasses say how long a value is valid: until a name changes that it depends on
 * (`SourcedCache`), brought up to date by the changed rows (`FollowingCache`), or for ever or until a time
 * (`LastingCache`). A value is made once for all who ask at the same time; what fails is not cached.
 */
export abstract class BoundedCache<Value, Proof, Fill = unknown> {
  readonly #memory: CacheMemory
  readonly #options: CacheOptions<Value>
  readonly #prefix: string
  readonly #fills = new Map<string, Fill>()

  constructor(options: CacheOptions<Value>) {
    this.#memory = options.memory
    this.#prefix = options.prefix ?? ''
    this.#options = options
  }

  /** Forgets the value of a key. */
  delete(key: string): void {
    this.#memory.delete(this.#prefix + key)
  }

  /** The cached entry of a key, whether it is valid or not. */
  protected entry(key: string): Pick<Entry<Value, Proof>, 'value' | 'proof'> | undefined {
    // `as`: keys with this prefix are set by `keep` alone.
    return this.#memory.get(this.#prefix + key) as Entry<Value, Proof> | undefined
  }

  /** `proofBytes`: how much memory the proof takes. */
  protected keep(
    keys: readonly string[],
    { value, proof, proofBytes = 0 }: { readonly value: Value; readonly proof: Proof; readonly proofBytes?: number },
  ): void {
    const { bytesOf, sharedOf, largest = LARGEST } = this.#options
    const ownBytes = bytesOf(value) + proofBytes
    const shared = sharedOf?.(value) ?? NONE
    const length = shared.reduce((sum, one) => sum + one.length, ownBytes)
    if (length > this.#memory.maxBytes * largest) return
    const entry: Entry<Value, Proof> = { value, proof, length, ownBytes, shared, holders: 0 }
    const held = [entry]
    for (const key of keys) this.#memory.set(this.#prefix + key, entry, 0, held)
  }

  /** How the value of a key is being made at present. */
  protected filling(key: string): Fill | undefined {
    return this.#fills.get(key)
  }

  /** Lets others join in a fill until `finish` has ended. */
  protected async finishing<Result>(key: string, fill: Fill, finish: Promise<Result>): Promise<Result> {
    this.#fills.set(key, fill)
    try {
      return await finish
    } finally {
      if (this.#fills.get(key) === fill) this.#fills.delete(key)
    }
  }
}

/** Values that never change, or are valid until a time, in milliseconds. */
export class LastingCache<Value> extends BoundedCache<Value, number, Promise<Value>> {
  /** The value of a key that is valid at a time; left out: at any. */
  get(key: string, now = Number.NEGATIVE_INFINITY): Value | undefined {
    const entry = this.entry(key)
    return entry === undefined || entry.proof <= now ? undefined : entry.value
  }

  set(key: string, value: Value, until = Number.POSITIVE_INFINITY): void {
    this.keep([key], { value, proof: until })
  }

  /** The value that is valid at a time, or what `make` makes. It gets the value that was valid last, and caches its own. */
  async fill(key: string, now: number, make: (former: Value | undefined) => Promise<Value>): Promise<Value> {
    const cached = this.get(key, now)
    if (cached !== undefined) return cached
    const filling = this.filling(key)
    if (filling !== undefined) return filling
    const value = make(this.entry(key)?.value)
    return this.finishing(key, value, value)
  }
}
