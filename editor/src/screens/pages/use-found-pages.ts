import type { JsonObject } from 'quire-client'
import { useEditor } from '../../data/editor.ts'
import { type Answered, useQuery } from '../../data/query.ts'
import { t } from '../../words/words.ts'

const MOST = 30

/** A page that was found, with the pages above it, from the home page on. */
export interface FoundPage {
  readonly docId: string
  readonly row: JsonObject
  readonly title: string
  readonly ancestors: readonly { readonly docId: string; readonly title: string }[]
}

/** Pages that were found, and how many there are in all. */
export interface FoundPages {
  readonly pages: readonly FoundPage[]
  readonly total: number
}

/** Pages whose titles have words that begin so; none for no words. */
export function useFoundPages(words: string): Answered<FoundPages> {
  const { request, schema, locale } = useEditor()
  const types = Object.entries(schema.value.types)
    .filter(([, { family, denied }]) => family === 'page' && denied.view === undefined)
    .map(([name]) => name)
  return useQuery(['tree', 'found', locale.value, words], async (signal) => {
    if (words === '') return { pages: [], total: 0 }
    const { results, total } = await request<{ results: readonly JsonObject[]; total: number }>(
      'GET',
      '@cms/documents',
      { query: { types, autocomplete: words, sort: 'title', perPage: MOST }, locale: locale.value, signal },
    )
    return { pages: results.map(foundPage), total }
  })
}

function foundPage(row: JsonObject): FoundPage {
  const path: readonly unknown[] = Array.isArray(row._path) ? row._path : []
  const titled = (title: unknown) => String(title || t.list.untitled)
  const ancestors = path.flatMap((one) =>
    typeof one === 'object' && one !== null && '_id' in one
      ? [{ docId: String(one._id).replace(/:.*/, ''), title: titled('title' in one ? one.title : '') }]
      : [],
  )
  return { docId: String(row.aposDocId), row, title: titled(row.title), ancestors }
}

/** The titles of the pages above it. */
export function wayTo({ ancestors }: FoundPage): string {
  return ancestors.map(({ title }) => title).join(' › ')
}
