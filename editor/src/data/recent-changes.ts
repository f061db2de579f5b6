import type { Version } from 'quire-client'
import type { Editor } from './editor.ts'

/** A version, and the document that it is of. */
export interface RecentChange extends Version {
  readonly docId: string
  readonly type: string
  /** The title that the document has now; absent where the caller may not see it. */
  readonly title?: string
}

/** Which of the newest versions are listed. */
export interface RecentFilter {
  /** Empty for those of everybody. */
  readonly authorId: string
  /** Empty for all types. */
  readonly type: string
  readonly isAiOnly: boolean
}

interface RecentChanges {
  readonly results: readonly RecentChange[]
  readonly next: string | null
}

/** The newest versions of all documents that the caller may edit, ten at a time. Rejects with a `QuireError`. */
export function readRecentChanges(
  { request }: Pick<Editor, 'request'>,
  { authorId, type, isAiOnly }: RecentFilter,
  { before, signal }: { readonly before: string | null; readonly signal: AbortSignal },
): Promise<RecentChanges> {
  const query = {
    ...(authorId !== '' && { authorId }),
    ...(type !== '' && { type }),
    ...(isAiOnly && { ai: 1 }),
    ...(before !== null && { before }),
  }
  return request<RecentChanges>('GET', '@cms/recent-changes', { query, signal })
}
