import type { Changes, JsonObject } from 'quire-client'
import { useEditor } from './editor.ts'
import { type Answered, useQuery } from './query.ts'
import type { OpenDraft } from './saving/open-draft.ts'
import { pathOf } from './version-requests.ts'

/**
 * The changes that publishing a draft would make, or all of it where it was never published; null where there is nothing
 * to publish, or the caller may not edit it. One request for all who ask, and another one after each save.
 */
export function useDraftChanges({ type, typeName, latest }: OpenDraft): Answered<Changes | null> {
  const { request, locale, place } = useEditor()
  const document = latest.value
  const isChanged = document !== null && (document.modified === true || !document.lastPublishedAt)
  const isAsked = isChanged && type.localized && type.denied.editDraft === undefined
  const of = [document?._id, document?.updatedAt, document?.lastPublishedAt, document?.modified]
  const address = `${pathOf(type.family, typeName, place.namespace)}/${String(document?.aposDocId)}/changes`
  return useQuery([typeName, 'changes', isAsked, ...of], (signal) =>
    isAsked
      ? request<Changes>('GET', address, { query: { whole: 1 }, locale: locale.value, mode: 'draft', signal })
      : Promise.resolve(null),
  )
}

/** Reads the published copy of an open document. Rejects with a `QuireError`. */
export function usePublished({ type, typeName, saver }: OpenDraft): () => Promise<JsonObject> {
  const { request, locale, place } = useEditor()
  return () => {
    const address = `${pathOf(type.family, typeName, place.namespace)}/${saver.place.peek().docId}`
    return request<JsonObject>('GET', address, { mode: 'published', locale: locale.peek() })
  }
}
