/**
 * Names something that commits change and answers depend on: a 32-bit hash, small enough to keep hundreds of thousands.
 * When two things share a hash, a change of one also counts as a change of the other.
 */
export type Name = number

/** Identifies a list of documents; a `Scope` of documents. */
interface Scope {
  readonly type: string
  readonly locale: string
  readonly mode: string
}

/** The changes of a commit. */
export interface Change {
  readonly names: ReadonlySet<Name>
  /** The row numbers of the documents that were added, changed or removed, by list. */
  readonly rows: ReadonlyMap<Name, readonly number[]>
}

/** The last changes of at least this many names are known, and of at most twice as many. A name takes some 40 bytes. */
const NAMES = 50_000
/** The most changed rows that are known of one list, and of all lists. A row takes 16 bytes. */
const ROWS = 4_000
const ROWS_OF_ALL = 100_000
/** A transaction that changes more names counts as changing everything. */
const NAMES_OF_ONE = 10_000

/** Changes since caches were filled. Everything that is not known counts as changed. */
export class Changes {
  #now = 0
  /** The names of changes up to this one are forgotten. */
  #namesFrom = 0
  #recentFrom = 0
  #former = new Map<Name, number>()
  #recent = new Map<Name, number>()
  #rowsFrom = 0
  #rowCount = 0
  readonly #rows = new Map<Name, RowLog>()

  /** The number of the last commit; rises with each. */
  get now(): number {
    return this.#now
  }

  /** Records a commit; null when anything may have changed. */
  note(change: Change | null): void {
    this.#now += 1
    if (change === null) this.#forget()
    else {
      for (const name of change.names) this.#recent.set(name, this.#now)
      for (const [list, rows] of change.rows) this.#recordRows(list, rows)
      if (this.#recent.size > NAMES) this.#forgetFormer()
    }
  }

  /** Whether none of these names changed after `since`, which callers take from `now` before they read. */
  areUnchanged(names: Iterable<Name>, since: number): boolean {
    if (since === this.#now) return true
    if (since < this.#namesFrom) return false
    for (const name of names) {
      if ((this.#recent.get(name) ?? this.#former.get(name) ?? 0) > since) return false
    }
    return true
  }

  /** The rows of a list that were added, changed or removed after `since`; null when that is not known any more. */
  rowsSince(scope: Scope, since: number): readonly number[] | null {
    if (since < this.#rowsFrom) return null
    const log = this.#rows.get(changed.list(scope))
    return log === undefined ? [] : log.since(since)
  }

  #forget(): void {
    this.#namesFrom = this.#recentFrom = this.#now
    this.#former.clear()
    this.#recent.clear()
    this.#forgetRows()
  }

  #forgetRows(): void {
    this.#rowsFrom = this.#now
    this.#rows.clear()
    this.#rowCount = 0
  }

  #forgetFormer(): void {
    this.#namesFrom = this.#recentFrom
    this.#recentFrom = this.#now
    this.#former = this.#recent
    this.#recent = new Map()
  }

  #recordRows(list: Name, rows: readonly number[]): void {
    const log = this.#rows.get(list) ?? new RowLog()
    this.#rows.set(list, log)
    this.#rowCount += log.add(rows, this.#now)
    if (this.#rowCount > ROWS_OF_ALL) this.#forgetRows()
  }
}

/** The changed rows of one list, oldest change first. */
class RowLog {
  #from = 0
  #rows: number[] = []
  #times: number[] = []

  /** Returns by how many rows it has grown. */
  add(rows: readonly number[], time: number): number {
    const before = this.#rows.length
    for (const row of rows) {
      this.#rows.push(row)
      this.#times.push(time)
    }
    if (this.#rows.length > ROWS) this.#forget(this.#rows.length - ROWS / 2)
    return this.#rows.length - before
  }

  #forget(count: number): void {
    this.#from = this.#times[count - 1] ?? 0
    this.#rows = this.#rows.slice(count)
    this.#times = this.#times.slice(count)
  }

  since(since: number): readonly number[] | null {
    if (since < this.#from) return null
    const first = this.#times.findLastIndex((time) => time <= since) + 1
    return [...new Set(this.#rows.slice(first))]
  }
}

/** The changes that a writer announces; null for anything. */
export type Announcement = { readonly names: Iterable<Name>; readonly rows?: Change['rows'] } | null

/** Collects what one transaction changes. */
export class ChangeCollector {
  readonly #names = new Set<Name>()
  readonly #rows = new Map<Name, number[]>()
  #isEverything = false

  add(announcement: Announcement): void {
    for (const name of announcement?.names ?? []) this.#names.add(name)
    for (const [list, rows] of announcement?.rows ?? []) {
      const known = this.#rows.get(list)
      if (known === undefined) this.#rows.set(list, [...rows])
      else known.push(...rows)
    }
    if (announcement !== null && this.#names.size <= NAMES_OF_ONE) return
    this.#isEverything = true
    this.#names.clear()
    this.#rows.clear()
  }

  /** The collected changes; undefined when nothing that answers depend on was changed. */
  get change(): Change | null | undefined {
    if (this.#isEverything) return null
    return this.#names.size + this.#rows.size === 0 ? undefined : { names: this.#names, rows: this.#rows }
  }
}

/** Makes the names of what commits change and answers depend on. */
export const changed = {
  /** One copy of a document: its existence and content. */
  copy: ({ docId, locale, mode }: { readonly docId: string } & Omit<Scope, 'type'>): Name =>
    nameOf('copy', docId, locale, mode),
  /** Any copy of a document. */
  document: (docId: string): Name => nameOf('document', docId),
  /** Any document of a list. */
  list: ({ type, locale, mode }: Scope): Name => nameOf('list', type, locale, mode),
  /** Any document of a list with this value among its index rows, before or after the change. */
  value: ({ type, locale, mode }: Scope, name: string, value: string | number): Name =>
    nameOf('value', type, locale, mode, name, String(value)),
  /** Any document of a list with this folded slug, before or after the change. */
  slug: ({ type, locale, mode }: Scope, slug: string): Name => nameOf('slug', type, locale, mode, slug),
  /** An attachment with its crops and uses. */
  attachment: (id: string): Name => nameOf('attachment', id),
  /** The positions of the pages of a locale. */
  tree: (locale: string): Name => nameOf('tree', locale),
  /** The set of pages in a locale and mode, and what other pages show of them (`isShownAlike`). */
  pages: (locale: string, mode: string): Name => nameOf('pages', locale, mode),
  /** The former slugs of the pages of a locale. */
  formerUrls: (locale: string): Name => nameOf('former', locale),
  /** The versions of a document. */
  history: (docId: string): Name => nameOf('history', docId),
  /** A setting. */
  setting: (name: string): Name => nameOf('setting', name),
}

const FIRST = 0x811c9dc5
const PRIME = 0x01000193
/** Separates texts: no character has this code. */
const END = 0x110000

/**
 * FNV-1a over code units. Texts that a database may store as one, which differ in NUL or lone surrogates, get one hash.
 */
function nameOf(...texts: readonly string[]): Name {
  let hash = FIRST
  for (const text of texts) {
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (code !== 0) hash = Math.imul(hash ^ (code >= 0xd800 && code <= 0xdfff ? 0xfffd : code), PRIME)
    }
    hash = Math.imul(hash ^ END, PRIME)
  }
  return hash ^ (hash >>> 15)
}

/** Names as text, four bytes for each in base64. */
export function writeNames(names: readonly Name[]): string {
  return Buffer.from(Int32Array.from(names).buffer).toString('base64')
}

/** The names that `writeNames` wrote. */
export function readNames(text: string): readonly Name[] {
  return [...new Int32Array(new Uint8Array(Buffer.from(text, 'base64')).buffer)]
}

/** A change as text for other processes; null when it is longer than `maxBytes`. */
export function writeChange(change: Change | null, maxBytes: number): string | null {
  // Four bytes of a name take more than five characters in base64.
  if (change === null || change.names.size * 5 > maxBytes) return null
  const text = JSON.stringify([writeNames([...change.names]), [...change.rows]])
  return Buffer.byteLength(text) > maxBytes ? null : text
}

/** The change that `writeChange` wrote; null, for anything, when the text is not one. */
export function readChange(text: string): Change | null {
  try {
    const [names, rows] = JSON.parse(text)
    return { names: new Set(readNames(names)), rows: new Map(rows) }
  } catch {
    return null
  }
}
