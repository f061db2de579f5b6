import { batchesOf } from '../../base/batches.ts'
import type { Type } from '../../model/declared/types.ts'
import type { DocId, Locale } from '../../model/terms/document.ts'
import type { DocumentReader } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'

/** How many documents are read and saved together at most, and how many bytes of them. */
const PART = { items: 50, bytes: 4_000_000 }

/**
 * Cuts documents into parts that are read and saved together. One at a time where `beforeSave` sees them: a hook may
 * read what was saved before, and write to what comes after. One statement.
 */
export async function inParts(
  ctx: Context,
  docIds: readonly DocId[],
  { read, locale, types }: { readonly read: DocumentReader; readonly locale: Locale; readonly types: readonly Type[] },
): Promise<DocId[][]> {
  if (ctx.hooks.has('beforeSave', types)) return docIds.map((docId) => [docId])
  const sizes = await read.sizes(docIds, locale)
  return batchesOf(docIds, PART, (docId) => sizes.get(docId) ?? 0)
}
