import type { SiteModel } from 'quire-cms/types'
import type { JsonObject } from './json.ts'
import type { QueryValues } from './query.ts'
import type { CallOptions } from './request.ts'
import type { Stored } from './types/answers.ts'
import type { Changes } from './types/changes.ts'
import type { Client } from './types/client.ts'

/** A version, as lists have it (§2.4). */
export interface Version {
  readonly _id: string
  readonly createdAt: string
  readonly updatedAt?: string
  readonly mode: 'draft' | 'published'
  readonly locale: string | null
  /** The name of the author, as it was then. */
  readonly author: string
  /** The user or the key; null for the service itself. */
  readonly authorId: string | null
  readonly ai: boolean
  readonly restoredFrom?: string
  /** Of a version that accepts a proposal (§4.9): who made that; the author is who accepted it. */
  readonly proposal?: { readonly _id: string; readonly author: string; readonly authorId: string }
  readonly changeCount: number
  readonly label?: string
  /** The draft has the same content. */
  readonly live?: true
  /** Of a run: its versions, newest first. */
  readonly versionIds?: readonly string[]
}

/** Selects versions (§4.4). */
export interface VersionsQuery {
  /** An ISO date: only older ones. */
  readonly before?: string
  /** Each run of one author with and without AI is a single item. */
  readonly consolidate?: boolean
  readonly authorId?: string
  readonly ai?: boolean
  /** `published`: only publications. */
  readonly mode?: 'draft' | 'published'
  /** Only those that have a name. */
  readonly labelled?: boolean
  readonly since?: string
}

export interface VersionList {
  readonly results: readonly Version[]
  /** `before` of the next page; null on the last one. */
  readonly next: string | null
  readonly total: number
}

/** The versions of one document, newest first: by its `_id`, whose locale counts, or the plain id. */
export function versions<M extends SiteModel>(quire: Client<M>, docId: string) {
  const path = '@cms/document-versions'
  const read = async <Body>(address: string, query: object, options: CallOptions = {}) =>
    (await quire.request<Body>('GET', address, { ...options, query: switches(query) })).body
  const one = (version: string, rest = '') => `${path}/${encodeURIComponent(version)}${rest}`
  const list = (query: VersionsQuery = {}, options?: CallOptions) =>
    read<VersionList>(path, { ...query, docId }, options)
  return {
    /** One page of the list. */
    list,
    /** All versions: follows the pages. */
    async *all(query: VersionsQuery = {}, options?: CallOptions): AsyncGenerator<Version, void, undefined> {
      for (let before = query.before; ; ) {
        const { results, next } = await list({ ...query, ...(before && { before }) }, options)
        yield* results
        if (next === null) return
        before = next
      }
    },
    /** A version with the document as it was; `annotate` marks what it changed. */
    get: (version: string, query: { annotate?: boolean; consolidate?: boolean } = {}, options?: CallOptions) =>
      read<Version & { readonly doc: JsonObject }>(one(version), query, options),
    /** The changes of a version; with `against`, its differences from that version. */
    changes: (version: string, query: { against?: string; consolidate?: boolean } = {}, options?: CallOptions) =>
      read<Changes>(one(version, '/changes'), query, options),
    /** Names a version; null takes the name away. */
    label: async (version: string, label: string | null, options?: CallOptions) => {
      await quire.request('PATCH', one(version), { ...options, body: { label } })
    },
    /** Makes the draft what it was: of a type of pieces by its name, of pages `@cms/page`. */
    restore: async (version: string, type: string, options?: CallOptions): Promise<Stored<JsonObject>> => {
      const address = `${type}/${encodeURIComponent(docId)}`
      const body = { _restoreVersion: version }
      const answer = await quire.request<JsonObject>('PUT', address, { mode: 'draft', ...options, body })
      return { document: answer.body, etag: answer.etag }
    },
  }
}

/** Switches of this route are `1`. */
function switches(query: object): QueryValues {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, value === true ? 1 : value]))
}
