import type { JsonObject } from 'quire-client'
import type { Editor } from '../../../data/editor.ts'
import { failureOf } from '../../../data/failure.ts'
import { isObject } from '../../../model/json.ts'
import { t } from '../../../words/words.ts'

/** A document that uses another one. */
export interface Use {
  readonly typeName: string
  readonly docId: string
  readonly title: string
  /** The fields where it does, by their labels. */
  readonly places: readonly string[]
}

/** The documents that use one, the newest first; `total` counts all. */
export interface Uses {
  readonly total: number
  readonly documents: readonly Use[]
}

/** The subject of a question: `path` is that of its routes, `article` or `@cms/page`. */
export interface UseSubject {
  readonly path: string
  readonly docId: string
  readonly title: string
}

/** The most that the service lists at once (§4.1). */
export const MOST_USES = 50

/** Asks what uses a document: by relationships, in texts, and by its file. Rejects with a `QuireError`. */
export async function readUses(
  { request, locale }: Pick<Editor, 'request' | 'locale'>,
  { path, docId }: Omit<UseSubject, 'title'>,
  { perPage, signal }: { readonly perPage: number; readonly signal?: AbortSignal },
): Promise<Uses> {
  const { results, total } = await request<{ results: readonly JsonObject[]; total: number }>(
    'GET',
    `${path}/${encodeURIComponent(docId)}/used-by`,
    { query: { perPage }, locale: locale.value, mode: 'draft', ...(signal && { signal }) },
  )
  return { documents: results.map(useOf), total }
}

function useOf({ type, aposDocId, title, uses }: JsonObject): Use {
  const places = Array.isArray(uses) ? uses.flatMap((one) => (isObject(one) ? [String(one.label)] : [])) : []
  return {
    typeName: String(type),
    docId: String(aposDocId),
    title: String(title || t.list.untitled),
    places: [...new Set(places)],
  }
}

/** Of some documents those that are used, each with its first uses. */
export interface FoundUses {
  readonly used: readonly (UseSubject & { readonly uses: Uses })[]
  /** How many were not asked about. */
  readonly left: number
  /** Why it could not be found out. */
  readonly failure: string | null
}

const FIRST = 5
const MOST_ASKED = 50
const AT_ONCE = 5

/** The first uses; a document that is gone meanwhile has none. */
async function firstUses(editor: Pick<Editor, 'request' | 'locale'>, asked: UseSubject): Promise<Uses> {
  try {
    return await readUses(editor, asked, { perPage: FIRST })
  } catch (error) {
    if (failureOf(error).name === 'notfound') return { total: 0, documents: [] }
    throw error
  }
}

/** Asks what uses each of some documents: of the first fifty. Never rejects. */
export async function findUses(
  editor: Pick<Editor, 'request' | 'locale'>,
  all: readonly UseSubject[],
): Promise<FoundUses> {
  const used: (UseSubject & { uses: Uses })[] = []
  const left = Math.max(0, all.length - MOST_ASKED)
  try {
    for (let from = 0; from < Math.min(all.length, MOST_ASKED); from += AT_ONCE) {
      const some = all.slice(from, Math.min(from + AT_ONCE, MOST_ASKED))
      const found = await Promise.all(some.map((one) => firstUses(editor, one)))
      used.push(...some.flatMap((one, at) => (found[at]?.total ? [{ ...one, uses: found[at] }] : [])))
    }
    return { used, left, failure: null }
  } catch (error) {
    return { used, left, failure: failureOf(error).message }
  }
}
