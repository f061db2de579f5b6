import type { DocumentRow, Json, JsonObject, TypeInfo } from 'quire-client'
import { type Crop, cropIn, type Size } from '../model/crop.ts'
import { isObject } from '../model/json.ts'
import { type Editor, useEditor } from './editor.ts'
import { invalidate, useQuery } from './query.ts'

/** A document as relationships show it. */
export interface RelatedRow extends DocumentRow {
  /** Of images the URL of their smallest size. */
  readonly _thumbnail?: string
}

/** A page of documents to choose from. */
export interface RelatedPage {
  readonly results: readonly RelatedRow[]
  readonly pages: number
  readonly total: number
}

/** Documents of some types: those whose words begin like these, or the latest. */
export function findRelated(
  { request, locale }: Pick<Editor, 'request' | 'locale'>,
  types: readonly string[],
  how: { readonly words: string; readonly page?: number; readonly perPage: number; readonly signal: AbortSignal },
): Promise<RelatedPage> {
  const { words, page = 1, perPage, signal } = how
  const query = { types, page, perPage, ...(words.trim() !== '' && { autocomplete: words }) }
  return request<RelatedPage>('GET', '@cms/documents', {
    query,
    locale: locale.value,
    signal,
  })
}

/** The documents with these bare ids as they are now; undefined until they are known. Hidden ones are left out. */
export function useRelated(ids: readonly string[]): ReadonlyMap<string, RelatedRow> | undefined {
  const { request, locale } = useEditor()
  const found = useQuery(['documents', 'related', locale.value, ids], async (signal) => {
    if (ids.length === 0) return new Map<string, RelatedRow>()
    const query = { _ids: ids }
    const { results } = await request<RelatedPage>('GET', '@cms/documents', { query, locale: locale.value, signal })
    return new Map(results.map((row) => [row.aposDocId, row]))
  })
  return found.data
}

/** An image, as relationships to it show it. */
export interface RelatedImage {
  readonly alternative: string
  readonly picture: PictureFile | null
}

/** The file of an image. */
export interface PictureFile extends Size {
  /** To look at. */
  readonly url: string
  /** Its smallest size. */
  readonly thumbnail: string
  readonly extension: string
  readonly isCroppable: boolean
  /** The parts that were made of it. */
  readonly crops: readonly Crop[]
}

/** The images with these bare ids, by them; undefined until they are known. */
export function useImages(ids: readonly string[]): ReadonlyMap<string, RelatedImage> | undefined {
  const { request, locale, place } = useEditor()
  const found = useQuery([`${place.namespace}/image`, 'shown', locale.value, ids], async (signal) => {
    if (ids.length === 0) return new Map<string, RelatedImage>()
    const query = { _ids: ids, archived: 'any', perPage: ids.length, project: { alt: 1, attachment: 1 } }
    const answer = await request<{ results: readonly JsonObject[] }>('GET', '@cms/image', {
      query,
      locale: locale.value,
      mode: 'draft',
      signal,
    })
    return new Map(answer.results.map((row) => [String(row.aposDocId), imageOf(row)]))
  })
  return found.data
}

function imageOf({ alt, attachment }: JsonObject): RelatedImage {
  return { alternative: String(alt ?? ''), picture: pictureOf(attachment) }
}

/** The file of an image; null where it is none that can be shown, with its size. */
function pictureOf(attachment: Json | undefined): PictureFile | null {
  if (!isObject(attachment) || !isObject(attachment._urls)) return null
  const { width, height, extension, _isCroppable, _urls } = attachment
  if (typeof width !== 'number' || typeof height !== 'number') return null
  const [url, thumbnail] = [String(_urls.max), String(_urls['one-sixth'])]
  const crops = Array.isArray(attachment.crops) ? attachment.crops.flatMap((one: Json) => cropIn(one) ?? []) : []
  const isCroppable = _isCroppable === true
  return { url, thumbnail, width, height, extension: String(extension ?? ''), isCroppable, crops }
}

/** Makes a document of a type. It may lack what publishing asks for, where it has a draft. Rejects with a `QuireError`. */
export async function makeRelated(
  { request, locale }: Pick<Editor, 'request' | 'locale'>,
  { name, type }: { readonly name: string; readonly type: TypeInfo },
  values: JsonObject,
  /** With the same key, two never come of it (§0.9). */
  idempotencyKey: string,
): Promise<JsonObject> {
  const isDraft = type.localized && !(type.autopublish && type.denied.publish === undefined)
  const made = await request<JsonObject>('POST', name, {
    body: isDraft ? { ...values, _incomplete: true } : values,
    idempotencyKey,
    ...(type.localized ? ({ mode: 'draft', locale: locale.value } as const) : ({ mode: 'published' } as const)),
  })
  void invalidate(name, 'documents')
  return made
}

/** Saves the alternative text of an image. Rejects with a `QuireError`. */
export async function saveAlternative(
  { request, locale, place }: Pick<Editor, 'request' | 'locale' | 'place'>,
  docId: string,
  alt: string,
): Promise<void> {
  await request('PATCH', `@cms/image/${docId}`, { body: { alt }, mode: 'draft', locale: locale.value })
  void invalidate(`${place.namespace}/image`, 'documents')
}
