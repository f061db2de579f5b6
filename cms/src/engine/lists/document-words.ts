import { setImmediate as nextTurn } from 'node:timers/promises'
import { CacheMemory } from '../../base/bounded-cache.ts'
import { oncePer } from '../../base/lazy.ts'
import { type Document, slugOf, stateOf } from '../../model/terms/document.ts'
import { DocumentId } from '../../model/terms/document-id.ts'
import {
  Basis,
  changed,
  type DocumentWords,
  type SearchScope,
  type SearchWords,
  SourcedCache,
  type Store,
  type StoredDocument,
} from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { isInScope } from '../view.ts'
import { foundTexts, type RelatedTitles, relatedTitles } from './found-texts.ts'
import { indexedWords, languageOf } from './indexed-words.ts'

/** The words by which a document is found. */
export interface Words extends SearchWords {
  readonly document: Document
  /** See `StoredDocument`. */
  readonly isOfFormerSite: boolean
  /** The words in the form that searches match without the index. */
  readonly searched: DocumentWords
}

/**
 * Makes the words of documents one by one, so that other requests run in between. Draft and published copy mostly hold
 * the same.
 */
export async function wordsOf(ctx: Context, documents: readonly StoredDocument[]): Promise<Words[]> {
  const all: Words[] = []
  const made = new Map<string, string>()
  const titles = await relatedTitles(ctx, documents)
  for (const { row, content, titleChanges, isOfFormerSite, document } of documents) {
    const isOfMode = ctx.site.types.get(document.type)?.searchable.length ? document.id.mode : ''
    const key = `${document.type} ${document.id.locale} ${isOfMode} ${content} ${slugOf(document)}`
    const known = made.get(key)
    if (known === undefined && made.size > 0) await nextTurn()
    const words = known ?? tryWords(ctx, document, titles)
    made.set(key, words)
    const { revision } = document
    const searched = searchedWords(document, words)
    all.push({ document, row, revision, titleChanges, isOfFormerSite, words, searched })
  }
  return all
}

/** A document whose words cannot be made is found by no search, but does not stop the others. */
function tryWords(ctx: Context, document: Document, titles: RelatedTitles): string {
  const { site } = ctx
  try {
    return indexedWords(foundTexts(site.types, document, titles), languageOf(site, document.id.locale))
  } catch (error) {
    logUnindexed(ctx, document.id, error)
    return ''
  }
}

function searchedWords(document: Document, words: string): DocumentWords {
  const { isArchived, visibility } = stateOf(document)
  return { isArchived, visibility, words: ` ${words} ` }
}

/** Says that no search finds a document, and why. */
export function logUnindexed({ log }: Context, id: DocumentId, error: unknown): void {
  log.error({ id: DocumentId.format(id), error }, 'A document could not be indexed: no search finds it.')
}

/** Bytes of the words that are cached, of one document without its words, and how many are read at a time. */
const [MAX_BYTES, BYTES_OF_DOCUMENT, BATCH] = [4_000_000, 200, 50]

/** The words of recently changed documents, which searches that follow changes need again and again. */
type RecentWordCache = SourcedCache<{ readonly document: DocumentWords | null }>

const cacheOf = oncePer((store: Store): RecentWordCache => {
  return new SourcedCache({
    changes: () => store.changes(),
    memory: new CacheMemory(MAX_BYTES),
    bytesOf: ({ document }) => BYTES_OF_DOCUMENT + (document?.words.length ?? 0),
  })
})

/** The words of documents of a scope as they are now, by row number. */
export async function recentWords(
  ctx: Context,
  scope: SearchScope,
  rows: readonly number[],
): Promise<ReadonlyMap<number, DocumentWords>> {
  const cache = cacheOf(ctx.store)
  const found = new Map<number, DocumentWords>()
  const missing: number[] = []
  for (const row of rows) {
    const cached = cache.get(keyOf(scope, row))
    if (cached === undefined) missing.push(row)
    else if (cached.document !== null) found.set(row, cached.document)
  }
  if (missing.length === 0) return found
  const since = ctx.store.changes()?.now ?? null
  const read = await readWords(ctx, scope, missing)
  for (const row of missing) {
    const words = read.get(row)
    if (words !== undefined) found.set(row, words.searched)
    const name = words === undefined ? changed.list(scope) : changed.copy(words.document.id)
    if (since !== null) cache.set([keyOf(scope, row)], { document: words?.searched ?? null }, new Basis([name], since))
  }
  return found
}

/** Counts the documents whose words are not cached. */
export async function unreadWords(ctx: Context, scope: SearchScope, rows: readonly number[]): Promise<number> {
  const cache = cacheOf(ctx.store)
  return rows.filter((row) => cache.get(keyOf(scope, row)) === undefined).length
}

/** Caches the words of documents that were read after a commit. */
export function recordWords({ store }: Context, since: number, all: readonly Words[]): void {
  const cache = cacheOf(store)
  for (const { document, row, searched } of all) {
    const { type, id } = document
    const key = keyOf({ type, locale: id.locale, mode: id.mode }, row)
    cache.set([key], { document: searched }, new Basis([changed.copy(id)], since))
  }
}

function keyOf({ type, locale, mode }: SearchScope, row: number): string {
  return `${type} ${locale} ${mode} ${row}`
}

async function readWords(ctx: Context, scope: SearchScope, rows: readonly number[]): Promise<Map<number, Words>> {
  const found = new Map<number, Words>()
  let left = rows.toSorted((one, other) => one - other)
  for (let last = 0; left.length > 0; left = left.filter((row) => row > last)) {
    const stored = await ctx.store.documents.numbered(left, last, BATCH)
    if (stored.length === 0) break
    last = stored.at(-1)?.row ?? last
    for (const one of await wordsOf(ctx, stored)) if (isInScope(scope, one.document)) found.set(one.row, one)
  }
  return found
}
