import { CmsError } from '../../base/errors.ts'
import { oncePer } from '../../base/lazy.ts'
import { DocumentId } from '../../model/terms/document-id.ts'
import type { Store, StoreWriter, TakenValue } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { indexed, uniqueValues } from '../save/change.ts'
import { markIndexStale } from '../values/index-state.ts'
import { logUnindexed, type Words } from './document-words.ts'
import { spellingsIn } from './indexed-words.ts'

/** How many documents are indexed in one transaction: some milliseconds, in which nobody else writes. */
export const INDEX_BATCH = 24
/** How many of the words that were stored lately are kept in memory: some 3 MB. */
const MOST_SPELLINGS = 40_000
/** In how many steps at most what was written is merged. */
const MOST_MERGES = 16

/** Which documents are indexed, and for which site. */
export interface Indexing {
  /** All documents are indexed again, also those that do not wait for it, whatever the index holds. */
  readonly isRebuilt: boolean
  /** Whether the index is made for the site of this process. */
  readonly isCurrent: boolean
}

/** The result of indexing some documents. */
interface Indexed {
  /** Those that others have locked, or all where the database refuses some words: to be indexed alone. */
  readonly left: readonly Words[]
  readonly taken: readonly TakenValue[]
}

/** Another site has recorded its declarations meanwhile, or this one again. */
export class DeclarationsChanged extends Error {
  constructor() {
    super('A process with other fields has started on this database. It brings the index up to date.')
  }
}

/** Indexed words that were stored lately, of each store, for words with mistakes: most words are in many documents. */
const spellingsOf = oncePer<Store, Set<string>>(() => new Set())

/** Another server, that never had these words, may have taken the place of the former one. */
export function forgetSpellings(store: Store): void {
  spellingsOf(store).clear()
}

/** Indexes documents in one transaction. Throws `DeclarationsChanged`. */
export async function indexTogether(ctx: Context, documents: readonly Words[], indexing: Indexing): Promise<Indexed> {
  try {
    const { put, taken } = await putAll(ctx, documents, indexing)
    return { left: documents.filter(({ row }) => !put.has(row)), taken }
  } catch (error) {
    if (error instanceof CmsError || error instanceof DeclarationsChanged) throw error
    return { left: documents, taken: [] }
  }
}

/** Waits for a document that others have locked. If the database refuses its words, it is indexed without words. */
export async function indexAlone(ctx: Context, one: Words, indexing: Indexing): Promise<readonly TakenValue[]> {
  try {
    return (await putAll(ctx, [one], indexing)).taken
  } catch (error) {
    if (error instanceof CmsError || error instanceof DeclarationsChanged) throw error
    logUnindexed(ctx, one.document.id, error)
    return (await putAll(ctx, [{ ...one, words: '' }], indexing)).taken
  }
}

async function putAll(ctx: Context, documents: readonly Words[], indexing: Indexing) {
  const known = spellingsOf(ctx.store)
  // Draft and published copy mostly hold the same.
  const texts = new Set(documents.map(({ words }) => words))
  const words = new Set([...texts].flatMap((text) => text.split(' ')))
  const added = [...words].filter((word) => !known.has(word))
  const result = await ctx.store.transaction(async (tx) => {
    if ((await ctx.content.isCurrent(tx.read)) !== indexing.isCurrent) throw new DeclarationsChanged()
    await tx.documents.addSpellings([...spellingsIn(added)])
    const put = await tx.documents.putSearchWords(documents, indexing)
    // These are not the words and the index rows that the site has for which the index is made.
    if (!indexing.isCurrent && put.size > 0) await markIndexStale(tx)
    const found = documents.filter(({ row }) => put.has(row))
    return { put, taken: indexing.isCurrent ? await reindexIn(ctx, tx, found, indexing) : [] }
  })
  if (known.size + added.length > MOST_SPELLINGS) known.clear()
  // Copied: a part of a text would keep the whole text in memory.
  for (const word of added) known.add(Buffer.from(word).toString())
  return result
}

/** Index rows are written with each save. Those of a former site are written again, and all when the index is rebuilt. */
function reindexIn(
  { site }: Context,
  tx: StoreWriter,
  documents: readonly Words[],
  { isRebuilt }: Indexing,
): Promise<readonly TakenValue[]> {
  const rows = documents.flatMap(({ row, document, isOfFormerSite }) => {
    const type = site.types.get(document.type)
    if (type === undefined || !(isRebuilt || isOfFormerSite)) return []
    return [{ row, document, indexRows: indexed(type, document), unique: uniqueValues(type, document) }]
  })
  return tx.documents.reindex(rows)
}

/** Merges what was indexed, with a rest after each step, which began then; what is left then is merged by the next pass. */
export async function mergeIndex({ store }: Context, rest: (began: number) => Promise<void>): Promise<void> {
  for (let step = 0, isMore = true; isMore && step < MOST_MERGES; step += 1) {
    const began = performance.now()
    isMore = await store.transaction((tx) => tx.documents.mergeSearchWords())
    await rest(began)
  }
}

/** Warns of documents that share the value of a unique field. */
export function warnOfTaken({ log }: Context, taken: readonly TakenValue[]): void {
  if (taken.length === 0) return
  const documents = taken.map(({ id, name }) => ({ _id: DocumentId.format(id), field: name }))
  log.warn({ documents }, 'Documents share unique values with others: give them values of their own.')
}
