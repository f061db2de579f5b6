/**
 * Something that commits change and answers depend on, as a number of 32 bits that is made of its text: small enough to
 * be kept by the hundred thousand. Where two share a number, more is taken for changed than was.
 */
export type Name = number

/** A list of documents; as the store's `Scope`, and the identity of a copy as the model's `DocumentId`. */
interface Scope {
  readonly type: string
  readonly locale: string
  readonly mode: string
}

/** What a commit changed. */
export interface Change {
  readonly names: ReadonlySet<Name>
  /** The row numbers of the documents that were added, changed or removed, by the names of their lists. */
  readonly rows: ReadonlyMap<Name, readonly number[]>
}

/** So many names are known by their last change, at least; twice as many at most. A name takes some 40 bytes. */
const NAMES = 50_000
/** So many changed rows of a list are known, and so many of all lists; a row takes 16 bytes. */
const ROWS = 4_000
const ROWS_OF_ALL = 100_000
/** A transaction that changes more than so much may have changed anything. */
const NAMES_OF_ONE = 10_000

/** What was changed, and when: for those who cache what they made of the content. What is unknown counts as changed. */
export class Changes {
  #now = 0
  /** Changes up to this one are not known by their names any more. */
  #namesFrom = 0
  #recentFrom = 0
  #former = new Map<Name, number>()
  #recent = new Map<Name, number>()
  #rowsFrom = 0
  #rowCount = 0
  readonly #rows = new Map<Name, RowLog>()

  /** Rises with every noted commit. */
  get now(): number {
    return this.#now
  }

  /** Notes a commit. Null: anything may have changed. */
  note(change: Change | null): void {
    this.#now += 1
    if (change === null) this.#forget()
    else {
      for (const name of change.names) this.#recent.set(name, this.#now)
      for (const [list, rows] of change.rows) this.#noteRows(list, rows)
      if (this.#recent.size > NAMES) this.#forgetFormer()
    }
  }

  /** Whether none of these was changed after `since`. Those who made something of them took `now` before they read. */
  stand(names: Iterable<Name>, since: number): boolean {
    if (since === this.#now) return true
    if (since < this.#namesFrom) return false
    for (const name of names) {
      if ((this.#recent.get(name) ?? this.#former.get(name) ?? 0) > since) return false
    }
    return true
  }

  /** The row numbers of the documents of a scope that were added, changed or removed after `since`; null: unknown. */
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

  #noteRows(list: Name, rows: readonly number[]): void {
    const log = this.#rows.get(list) ?? new RowLog()
    this.#rows.set(list, log)
    this.#rowCount += log.add(rows, this.#now)
    if (this.#rowCount > ROWS_OF_ALL) this.#forgetRows()
  }
}

/** The rows of one list that were changed, in the order of the changes. */
class RowLog {
  #from = 0
  #rows: number[] = []
  #times: number[] = []

  /** By how many rows it has grown. */
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

/** What a writer says that it changes; null: it may be anything. */
export type Announcement = { readonly names: Iterable<Name>; readonly rows?: Change['rows'] } | null

/** Gathers what one transaction changes. */
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

  /** What was gathered; undefined when nothing was changed that answers depend on. */
  get change(): Change | null | undefined {
    if (this.#isEverything) return null
    return this.#names.size + this.#rows.size === 0 ? undefined : { names: this.#names, rows: this.#rows }
  }
}

/** The names of what commits change and answers depend on. */
export const changed = {
  /** One copy of a document: that it is there, and all that it holds. */
  copy: ({ docId, locale, mode }: { readonly docId: string } & Omit<Scope, 'type'>): Name =>
    nameOf('copy', docId, locale, mode),
  /** Any copy of a document. */
  document: (docId: string): Name => nameOf('document', docId),
  /** Any document of a list. */
  list: ({ type, locale, mode }: Scope): Name => nameOf('list', type, locale, mode),
  /** Any document of a list that has, or had, this value among its index rows. */
  value: ({ type, locale, mode }: Scope, name: string, value: string | number): Name =>
    nameOf('value', type, locale, mode, name, String(value)),
  /** Any document of a list that has, or had, this slug, folded. */
  slug: ({ type, locale, mode }: Scope, slug: string): Name => nameOf('slug', type, locale, mode, slug),
  /** An attachment with its crops, and any document that uses it. */
  attachment: (id: string): Name => nameOf('attachment', id),
  /** Where the pages of a locale are in their tree. */
  tree: (locale: string): Name => nameOf('tree', locale),
  /** Which pages there are in a locale and mode, and what others show of them: all but their content. */
  pages: (locale: string, mode: string): Name => nameOf('pages', locale, mode),
  /** The slugs that the pages of a locale had before. */
  formerUrls: (locale: string): Name => nameOf('former', locale),
  /** The versions of a document. */
  history: (docId: string): Name => nameOf('history', docId),
  /** A setting. */
  setting: (name: string): Name => nameOf('setting', name),
}

const FIRST = 0x811c9dc5
const PRIME = 0x01000193
/** Stands between texts: no character has this number. */
const END = 0x110000

/** FNV-1a over code units. Texts that a database may store alike, without NUL or surrogates, are alike here. */
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

/** A change as text for other processes; null when it would take more than so many bytes. */
export function writeChange(change: Change | null, maxBytes: number): string | null {
  // Four bytes are a bit more than five characters.
  if (change === null || change.names.size * 5 > maxBytes) return null
  const names = Buffer.from(Int32Array.from(change.names).buffer).toString('base64')
  const text = JSON.stringify([names, [...change.rows]])
  return Buffer.byteLength(text) > maxBytes ? null : text
}

/** The change that was written as a text; null, anything, when it is none. */
export function readChange(text: string): Change | null {
  try {
    const [names, rows] = JSON.parse(text)
    const bytes = new Uint8Array(Buffer.from(names, 'base64'))
    return { names: new Set(new Int32Array(bytes.buffer)), rows: new Map(rows) }
  } catch {
    return null
  }
}
