import { ByteLru } from '../../base/byte-lru.ts'
import type { Changes, DocumentWords, Scope, Store } from '../../store/store.ts'
import type { Context } from '../context.ts'
import { documentWords, wordsOf } from './document-words.ts'

/** Bytes of the words that are cached, and how many documents are read at a time. */
const MAX_BYTES = 4_000_000
const BATCH = 50

/** The words of documents that were changed lately: searches that follow changes ask for the same ones again and again. */
class RecentWordCache {
  readonly #cached = new ByteLru<{ readonly document: DocumentWords | null }>(MAX_BYTES)
  /** Up to which commit all cached words of a list are right. */
  readonly #current = new Map<string, number>()

  async of(ctx: Context, scope: Scope, rows: readonly number[]): Promise<ReadonlyMap<number, DocumentWords>> {
    const changes = ctx.store.changes()
    const list = `${scope.type} ${scope.locale} ${scope.mode}`
    if (changes) this.#dropChanged(changes, scope, list)
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
    const changed = changes?.rowsSince(scope, since) ?? missing
    for (const row of missing) {
      const document = read.get(row)
      if (document) found.set(row, document)
      const bytes = document?.words.length ?? 0
      if (!changed.includes(row)) this.#cached.set(`${list} ${row}`, { document: document ?? null }, bytes)
    }
    return found
  }

  #dropChanged(changes: Changes, scope: Scope, list: string): void {
    const since = this.#current.get(list)
    if (since === changes.now) return
    this.#current.set(list, changes.now)
    const changed = since === undefined ? [] : changes.rowsSince(scope, since)
    if (changed === null) this.#cached.clear()
    else for (const row of changed) this.#cached.delete(`${list} ${row}`)
  }
}

const caches = new WeakMap<Store, RecentWordCache>()

/** The words of documents of a scope as they are now, by row number. */
export function recentWords(
  ctx: Context,
  scope: Scope,
  rows: readonly number[],
): Promise<ReadonlyMap<number, DocumentWords>> {
  const cache = caches.get(ctx.store) ?? new RecentWordCache()
  caches.set(ctx.store, cache)
  return cache.of(ctx, scope, rows)
}

async function readWords(ctx: Context, scope: Scope, rows: readonly number[]): Promise<Map<number, DocumentWords>> {
  const found = new Map<number, DocumentWords>()
  let left = rows.toSorted((one, other) => one - other)
  for (let last = 0; left.length > 0; left = left.filter((row) => row > last)) {
    const stored = await ctx.store.documents.numbered(left, last, BATCH)
    if (stored.length === 0) break
    last = stored.at(-1)?.row ?? last
    for (const one of await wordsOf(ctx, stored)) {
      const { type, id } = one.document
      const isOfScope = type === scope.type && id.locale === scope.locale && id.mode === scope.mode
      if (isOfScope) found.set(one.row, documentWords(one))
    }
  }
  return found
}
