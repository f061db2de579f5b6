import type { Operation, Saveable } from '../../model/form.ts'
import { writerOf } from './exchange.ts'
import type { Entry } from './journal.ts'
import type { Stored } from './target.ts'

/**
 * Puts changes of the journal back, if there are any, into a document that was opened with their base, and merges what
 * is stored now. The operations whose place is gone, and the revisions up to which a save may yet be stored.
 */
export function putBack(
  document: Saveable,
  entry: Entry | null,
  stored: Stored | null,
): { readonly lost: readonly Operation[]; readonly sent: readonly number[] } {
  if (!entry) return { lost: [], sent: [] }
  const { operations, etag } = entry
  const lost: Operation[] = []
  let begin = 0
  const sent = entry.sent.map((end) => {
    lost.push(...document.replay(operations.slice(begin, end)))
    begin = end
    // The document remembers what may have been stored, so that it is not taken for somebody else's change.
    return document.patch().upTo
  })
  lost.push(...document.replay(operations.slice(begin)))
  if (!stored || stored.etag === etag) return { lost, sent }
  document.merge(stored.document, writerOf(stored.document), sent)
  return { lost, sent: [] }
}
