import { setImmediate as nextTurn } from 'node:timers/promises'
import { ByteLru } from '../../base/byte-lru.ts'
import { type Document, DocumentId } from '../../model/terms/document.ts'
import type {
  Changes,
  DocumentWords,
  SearchScope,
  SearchWords,
  Store,
  StoredDocument,
} from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { indexedWords } from './search.ts'

/** The words by which a document is found. */
export interface Words extends SearchWords {
  readonly document: Document
  /** The same as searches look at them beside the index. */
  readonly searched: DocumentWords
}

/**
 * Makes the words of documents one by one, so that other requests run in between. Draft and published copy mostly hold
 * the same.
 */
export async function wordsOf(ctx: Context, documents: readonly StoredDocument[]): Promise<Words[]> {
  const all: Words[] = []
  const made = new Map<string, string>()
  for (const { row, content, document } of documents) {
    const key = `${document.type} ${content} ${document.fields.slug}`
    const known = made.get(key)
    if (known === undefined && made.size > 0) await nextTurn()
    const words = known ?? (await tryWords(ctx, document))
    made.set(key, words)
    all.push({ document, row, revision: document.revision, words, searched: searchedWords(document, words) })
  }
  return all
}

/** A document whose words cannot be made is found by no search, but does not stop the others. */
async function tryWords(ctx: Context, document: Document): Promise<string> {
  const type = ctx.site.types.get(document.type)
  try {
    return type ? indexedWords(type, document) : ''
  } catch (error) {
    await logUnindexed(ctx, document.id, error)
    return ''
  }
}

function searchedWords({ fields }: Document, words: string): DocumentWords {
  const visibility = fields.visibility === 'loginRequired' ? 'loginRequired' : 'public'
  return { isArchived: fields.archived === true, visibility, words: ` ${words} ` }
}

/** Says that no search finds a document, and why. */
export async function logUnindexed({ log }: Context, id: DocumentId, error: unknown): Promise<void> {
  log.error({ id: DocumentId.format(id), error }, 'A document could not be indexed: no search finds it.')
}

/** Bytes of the words that are cached, and how many documents are read at a time. */
const MAX_BYTES = 4_000_000
const BATCH = 50

/** Caches the words of recently changed documents, which searches that follow changes need again and again. */
class RecentWordCache {
  readonly #cached = new ByteLru<{ readonly document: DocumentWords | null }>(MAX_BYTES)
  /** By list, the last commit that its cached words take into account. */
  readonly #current = new Map<string, number>()

  /** How many of these documents would have to be read. */
  unread(ctx: Context, scope: SearchScope, rows: readonly number[]): number {
    const changes = ctx.store.changes()
    if (changes === null) return rows.length
    const list = this.#currentList(changes, scope)
    return rows.filter((row) => this.#cached.get(`${list} ${row}`) === undefined).length
  }

  async of(ctx: Context, scope: SearchScope, rows: readonly number[]): Promise<ReadonlyMap<number, DocumentWords>> {
    const changes = ctx.store.changes()
    const list = changes ? this.#currentList(changes, scope) : ''
    const found = new Map<number, DocumentWords>()
    const missing: number[] = []
    for (const row of rows) {
      const cached = changes && this.#cached.get(`${list} ${row}`)
      if (cached?.document) found.set(row, cached.document)
      else if (!cached) missing.push(row)
    }
    if (missing.length === 0) return found
    const since = changes?.now ?? 0
    const read = await readWords(ctx, scope, missing)
    for (const [row, document] of read) found.set(row, document)
    if (changes) this.add(changes, { scope, since }, new Map(missing.map((row) => [row, read.get(row) ?? null])))
    return found
  }

  /** Adds the words of documents of a list that were read after a commit; null: there is none. */
  add(
    changes: Changes,
    { scope, since }: { readonly scope: SearchScope; readonly since: number },
    documents: ReadonlyMap<number, DocumentWords | null>,
  ): void {
    const list = this.#currentList(changes, scope)
    const changed = changes.rowsSince(scope, since)
    if (changed === null) return
    for (const [row, document] of documents) {
      if (!changed.includes(row)) this.#cached.set(`${list} ${row}`, { document }, document?.words.length ?? 0)
    }
  }

  /** Brings the cached words of a list up to date, and returns the prefix of its keys. */
  #currentList(changes: Changes, scope: SearchScope): string {
    const list = `${scope.type} ${scope.locale} ${scope.mode}`
    const since = this.#current.get(list)
    if (since === changes.now) return list
    this.#current.set(list, changes.now)
    const changed = since === undefined ? [] : changes.rowsSince(scope, since)
    if (changed === null) this.#cached.clear()
    else for (const row of changed) this.#cached.delete(`${list} ${row}`)
    return list
  }
}

const caches = new WeakMap<Store, RecentWordCache>()

/** The words of documents of a scope as they are now, by row number. */
export function recentWords(
  ctx: Context,
  scope: SearchScope,
  rows: readonly number[],
): Promise<ReadonlyMap<number, DocumentWords>> {
  return cacheOf(ctx.store).of(ctx, scope, rows)
}

/** How many of these documents would have to be read for that. */
export async function unreadWords(ctx: Context, scope: SearchScope, rows: readonly number[]): Promise<number> {
  return cacheOf(ctx.store).unread(ctx, scope, rows)
}

/** Caches the words of documents that were read after a commit. */
export async function noteWords({ store }: Context, since: number, all: readonly Words[]): Promise<void> {
  const changes = store.changes()
  if (changes === null) return
  for (const { document, row, searched } of all) {
    const { type, id } = document
    const scope = { type, locale: id.locale, mode: id.mode }
    cacheOf(store).add(changes, { scope, since }, new Map([[row, searched]]))
  }
}

function cacheOf(store: Store): RecentWordCache {
  const cache = caches.get(store) ?? new RecentWordCache()
  caches.set(store, cache)
  return cache
}

async function readWords(
  ctx: Context,
  scope: SearchScope,
  rows: readonly number[],
): Promise<Map<number, DocumentWords>> {
  const found = new Map<number, DocumentWords>()
  let left = rows.toSorted((one, other) => one - other)
  for (let last = 0; left.length > 0; left = left.filter((row) => row > last)) {
    const stored = await ctx.store.documents.numbered(left, last, BATCH)
    if (stored.length === 0) break
    last = stored.at(-1)?.row ?? last
    for (const one of await wordsOf(ctx, stored)) {
      const { type, id } = one.document
      const isOfScope = type === scope.type && id.locale === scope.locale && id.mode === scope.mode
      if (isOfScope) found.set(one.row, one.searched)
    }
  }
  return found
}
