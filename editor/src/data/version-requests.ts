import type { Changes, JsonObject, Version, VersionList } from 'quire-client'
import type { Editor } from './editor.ts'
import type { OpenDraft } from './saving/open-draft.ts'

type Asks = Pick<Editor, 'request' | 'locale' | 'place'>

/** Which versions of a document are listed (§4.4). */
export interface VersionFilter {
  readonly only: 'all' | 'published' | 'named' | 'ai'
  /** Empty for those of everybody. */
  readonly authorId: string
}

const CONDITIONS: Readonly<Record<VersionFilter['only'], Readonly<Record<string, string>>>> = {
  all: {},
  published: { mode: 'published' },
  named: { labelled: '1' },
  ai: { ai: '1' },
}

const PATH = '@cms/document-versions'

/** Ten versions of a document, newest first; runs are one item. Rejects with a `QuireError`. */
export function readVersions(
  { request, locale }: Asks,
  docId: string,
  { only, authorId }: VersionFilter,
  { before, signal }: { readonly before: string | null; readonly signal: AbortSignal },
): Promise<VersionList> {
  const query = {
    docId,
    consolidate: 1,
    ...CONDITIONS[only],
    ...(authorId !== '' && { authorId }),
    ...(before !== null && { before }),
  }
  return request<VersionList>('GET', PATH, { query, locale: locale.peek(), signal })
}

/** Reads the changes of a version, or of the run that it ends; or its differences from an older one. */
export function readChanges(
  { request }: Asks,
  version: string,
  { against, signal }: { readonly against: string | null; readonly signal: AbortSignal },
): Promise<Changes> {
  const query = against === null ? { consolidate: 1 } : { against }
  return request<Changes>('GET', `${PATH}/${version}/changes`, { query, signal })
}

/** The document as it was in a version. */
export async function readVersion({ request }: Asks, version: string): Promise<JsonObject> {
  const { doc } = await request<{ readonly doc: JsonObject }>('GET', `${PATH}/${version}`)
  return doc
}

/** Names a version; an empty name takes it away. */
export async function labelVersion({ request }: Asks, version: string, label: string): Promise<void> {
  await request('PATCH', `${PATH}/${version}`, { body: { label: label.trim() === '' ? null : label.trim() } })
}

/** The newest version of an open document; null where it has none. */
export async function newestVersion(asks: Asks, draft: OpenDraft, signal: AbortSignal): Promise<Version | null> {
  const all = { only: 'all', authorId: '' } as const
  const { results } = await readVersions(asks, draft.saver.place.peek().docId, all, { before: null, signal })
  return results[0] ?? null
}

/** A value of a version that the document does not take any more: where, and what, as far as the caller may see it. */
export interface NotRestored {
  readonly path: string
  readonly text?: string
}

/**
 * Makes the draft what it was in a version, unless somebody has saved since: all that was written here must be stored.
 * Rejects with a `QuireError`.
 */
export async function restoreVersion(
  { request, locale, place }: Asks,
  { type, typeName, saver, refresh }: OpenDraft,
  version: string,
): Promise<readonly NotRestored[]> {
  const address = `${pathOf(type.family, typeName, place.namespace)}/${saver.place.peek().docId}`
  const answer = await request<{ readonly notRestored?: readonly NotRestored[] }>('PUT', address, {
    body: { _restoreVersion: version },
    mode: 'draft',
    locale: locale.peek(),
    ifMatch: saver.etag,
  })
  await refresh()
  return answer.notRestored ?? []
}

/** Where the documents of a type are at the service. */
export function pathOf(family: 'piece' | 'page', typeName: string, namespace: string): string {
  return family === 'page' ? `${namespace}/page` : typeName
}
