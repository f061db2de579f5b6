import type { JsonObject } from 'quire-client'
import type { Editor } from './editor.ts'

const SHOWN = 8

/** A document that a link can lead to: by its id, whatever its address is. */
export interface FoundDocument {
  readonly id: string
  readonly title: string
  /** The label of its type. */
  readonly detail: string
}

interface Results {
  readonly results: readonly JsonObject[]
}

/** Documents that have an address, with words that begin like these; those with them in the title come first. Rejects with a `QuireError`. */
export async function findDocuments(
  { request, schema, locale }: Editor,
  words: string,
  signal: AbortSignal,
): Promise<readonly FoundDocument[]> {
  const query = { autocomplete: words, perPage: SHOWN }
  const { results } = await request<Results>('GET', '@cms/documents', { query, locale: locale.peek(), signal })
  const isInTitle = ({ title }: JsonObject) => String(title).toLowerCase().includes(words.toLowerCase())
  const linkable = results.filter(({ _url }) => typeof _url === 'string')
  const ordered = linkable.toSorted((a, b) => Number(isInTitle(b)) - Number(isInTitle(a)))
  return ordered.map(({ aposDocId, title, type }) => ({
    id: String(aposDocId),
    title: String(title),
    detail: schema.peek().types[String(type)]?.label ?? '',
  }))
}

/** The title of a document; null where there is none that the caller sees. Rejects with a `QuireError`. */
export async function titleOfDocument(
  { request, locale }: Editor,
  id: string,
  signal: AbortSignal,
): Promise<string | null> {
  const options = { query: { _ids: [id] }, locale: locale.peek(), signal }
  const { results } = await request<Results>('GET', '@cms/documents', options)
  const [found] = results
  return found === undefined ? null : String(found.title)
}
