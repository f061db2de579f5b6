import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Document, DocumentId } from '../../model/document.ts'
import type { DocumentWords, SearchWords, StoredDocument } from '../../store/store.ts'
import type { Context } from '../context.ts'
import { indexedWords } from './search.ts'

/** The words by which a document is found. */
export interface Words extends SearchWords {
  readonly document: Document
}

/**
 * The words of documents, made one after another: between two of them other requests get on. Draft and published copy
 * mostly hold the same.
 */
export async function wordsOf(ctx: Context, documents: readonly StoredDocument[]): Promise<Words[]> {
  const all: Words[] = []
  const made = new Map<string, string>()
  for (const { row, content, document } of documents) {
    const key = `${document.type} ${content} ${document.fields.slug}`
    const known = made.get(key)
    if (known === undefined && made.size > 0) await nextTurn()
    const words = known ?? tryWords(ctx, document)
    made.set(key, words)
    all.push({ document, row, revision: document.revision, words })
  }
  return all
}

/** A document whose words cannot be made is found by no search, but does not stop the others. */
function tryWords(ctx: Context, document: Document): string {
  const type = ctx.site.types.get(document.type)
  try {
    return type ? indexedWords(type, document) : ''
  } catch (error) {
    logUnindexed(ctx, document.id, error)
    return ''
  }
}

/** The same as searches look at them beside the index. */
export function documentWords({ words, document: { fields } }: Words): DocumentWords {
  const visibility = fields.visibility === 'loginRequired' ? 'loginRequired' : 'public'
  return { isArchived: fields.archived === true, visibility, words: ` ${words} ` }
}

/** Says that no search finds a document, and why. */
export function logUnindexed({ log }: Context, id: DocumentId, error: unknown): void {
  log.error({ id: DocumentId.format(id), error }, 'A document could not be indexed: no search finds it.')
}
