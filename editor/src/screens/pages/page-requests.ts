import type { JsonObject } from 'quire-client'
import type { Editor } from '../../data/editor.ts'
import type { Chunk, Target } from './branches.ts'
import { type PageRow, pageRow } from './page-row.ts'

/** How many children are asked for at a time. */
export const CHUNK = 200

/** The effects of a move (§4.2). */
export interface MoveCheck {
  /** The slug that the page would have. */
  readonly slug: string
  /** How many pages, itself among them, would get another slug. */
  readonly renamed: number
}

/** A new page: with its fields, or a copy. */
type NewPage =
  | { readonly type: string; readonly title: string }
  | { readonly type: string; readonly _copyingId: string }

/** The requests of the screen of pages. All reject with a `QuireError`. */
export interface PageRequests {
  one(docId: string, signal?: AbortSignal): Promise<PageRow>
  /** The children of a page from one on; `isArchived` says that the page is in the archive. */
  children(
    docId: string,
    options: { readonly from: number; readonly isArchived: boolean; readonly signal?: AbortSignal },
  ): Promise<Chunk>
  move(docId: string, target: Target): Promise<unknown>
  checkMove(docId: string, target: Target, signal?: AbortSignal): Promise<MoveCheck>
  /** With the same key, two never come of it (§0.9). */
  create(page: NewPage, target: Target, idempotencyKey: string): Promise<PageRow>
  publish(docId: string): Promise<unknown>
  remove(docId: string): Promise<unknown>
}

const PROJECTED = ['title', 'slug', 'type', 'path', 'rank', 'archived', 'modified', 'lastPublishedAt', '_url', 'parked']
const PROJECT = Object.fromEntries([...PROJECTED, 'parkedId', 'orphan'].map((name) => [name, 1]))

/** The requests of an editor, for the drafts of one locale. */
export function pageRequests({ request, place }: Pick<Editor, 'request' | 'place'>, locale: string): PageRequests {
  const all = `${place.namespace}/page`
  const copy = { locale, mode: 'draft' } as const
  const thin = { children: false, archived: 'any', project: PROJECT }
  const positionOf = ({ docId, position }: Target) => ({ _targetId: docId, _position: position })
  return {
    one: async (docId, signal) =>
      pageRow(await request<JsonObject>('GET', `${all}/${docId}`, { ...copy, query: thin, ...(signal && { signal }) })),
    children: async (docId, { from, isArchived, signal }) => {
      const page = Math.floor(from / CHUNK) + 1
      const query = { page, perPage: CHUNK, ...(isArchived && { archived: 'any' }) }
      const { results, total } = await request<{ results: readonly JsonObject[]; total: number }>(
        'GET',
        `${all}/${docId}/children`,
        { ...copy, query, ...(signal && { signal }) },
      )
      return { rows: results.map(pageRow), from: (page - 1) * CHUNK, total }
    },
    move: (docId, target) =>
      request('PATCH', `${all}/${docId}`, { ...copy, query: { children: false }, body: positionOf(target) }),
    checkMove: async (docId, target, signal) => {
      const { results, slugs } = await request<{ results: readonly JsonObject[]; slugs: number }>(
        'POST',
        `${all}/move`,
        {
          ...copy,
          body: { _ids: [docId], ...positionOf(target), check: true },
          ...(signal && { signal }),
        },
      )
      return { slug: String(results[0]?.slug ?? ''), renamed: slugs }
    },
    create: async (page, target, idempotencyKey) =>
      pageRow(
        await request<JsonObject>('POST', all, {
          ...copy,
          idempotencyKey,
          query: { children: false },
          body: { ...page, ...positionOf(target), _incomplete: true },
        }),
      ),
    publish: (docId) => request('POST', `${all}/${docId}/publish`, { ...copy, body: {} }),
    remove: (docId) => request('DELETE', `${all}/${docId}`, copy),
  }
}
