import { isObject, type JsonObject } from '../../base/json.ts'
import { cutText } from '../../base/text.ts'
import { servedAs } from '../../files/served-as.ts'
import type { FeedOptions } from '../../model/declared/discovery.ts'
import type { IndexOptions, Type } from '../../model/declared/types.ts'
import { type Document, openValues } from '../../model/terms/document.ts'
import { searchTexts } from '../../model/values/index-rows.ts'
import type { Context } from '../context.ts'
import { find } from '../lists/find.ts'
import { readSort } from '../lists/sorting.ts'
import { absoluteUrl } from '../presentation/document-url.ts'
import { present } from '../presentation/present.ts'
import { RelatedSize } from '../presentation/related-texts.ts'
import { listRequest } from './index-lists.ts'

/** A piece as an item of feeds. */
export interface FeedItem {
  /** Never changes, even when its URL does. */
  readonly id: string
  readonly title: string
  readonly url: string
  readonly published: Date
  readonly updated: Date
  readonly summary: string | null
  readonly authors: readonly string[]
  readonly image: FeedImage | null
}

/** An image of an item: the original file. */
interface FeedImage {
  readonly url: string
  readonly type: string
  /** Bytes. */
  readonly length: number
}

/** The most characters of a summary. */
const SUMMARY_LENGTH = 500

/** The newest pieces of an index page (§4.6), as visitors see them. `ctx` is a visitor's. */
export async function feedItems(
  ctx: Context,
  index: IndexOptions & { readonly feed: FeedOptions },
  type: Type,
): Promise<FeedItem[]> {
  const { feed } = index
  const list = listRequest(ctx, index, type, { filters: {}, number: 1 })
  if (list === null) return []
  const sort = readSort(list.access, `-${feed.date}`) ?? list.sort
  const { documents } = await find(ctx, { ...list, sort, perPage: feed.items })
  const stored = documents.map((document) => ({ document, summary: summaryOf(type, feed, document) }))
  const { access } = list
  const answers = await present(ctx, documents, { access, project: null, sizes: new RelatedSize('shorten') })
  return stored.flatMap(({ document, summary }, index) => {
    const answer = answers[index]
    const url = answer?._url
    return answer && typeof url === 'string' ? [itemOf(ctx, feed, { document, answer, url, summary })] : []
  })
}

/** A piece that has a URL. */
interface ListedItem {
  readonly document: Document
  readonly answer: JsonObject
  readonly url: string
  readonly summary: string | null
}

function itemOf(ctx: Context, feed: FeedOptions, { document, answer, url, summary }: ListedItem): FeedItem {
  const { id, createdAt, updatedAt } = document
  const published = feed.date === 'createdAt' ? createdAt : feed.date === 'updatedAt' ? updatedAt : answer[feed.date]
  return {
    id: feedId(ctx, id.docId),
    title: String(answer.title ?? ''),
    url: wholeUrl(ctx, url),
    published: dateOf(published) ?? new Date(createdAt),
    updated: new Date(updatedAt),
    summary,
    authors: feed.author === null ? [] : namesOf(answer[feed.author]),
    image: feed.image === null ? null : imageOf(ctx, answer[feed.image]),
  }
}

/** The name of a document in feeds: without its host, which may change. */
export function feedId({ locale }: Pick<Context, 'locale'>, docId: string): string {
  return `urn:quire:${docId}:${locale}`
}

/** A URL of an answer: whole, whatever static builds or sites without a base URL make of it. */
function wholeUrl(ctx: Context, url: string): string {
  if (!url.startsWith('/')) return new URL(url).href
  return absoluteUrl(ctx, ctx.locale, url.slice(ctx.site.prefix.length))
}

/** The texts in a field, at any depth, but those that need a role. */
function summaryOf({ fields }: Type, { summary }: FeedOptions, document: Document): string | null {
  const texts: string[] = []
  if (summary === null) return null
  for (const { field, viewRole, text } of searchTexts(fields, openValues(document))) {
    if (field.name === summary && viewRole === null) texts.push(text)
  }
  const text = texts.join(' ').replace(/\s+/g, ' ').trim()
  const cut = cutText(text, SUMMARY_LENGTH)
  return text === '' ? null : cut === text ? text : `${cut}…`
}

function dateOf(value: unknown): Date | null {
  const date = new Date(typeof value === 'string' ? value : Number.NaN)
  return Number.isNaN(date.getTime()) ? null : date
}

function namesOf(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value]
  return Array.isArray(value) ? value.flatMap((one) => (isObject(one) && one.title ? [String(one.title)] : [])) : []
}

function imageOf(ctx: Context, value: unknown): FeedImage | null {
  const [piece] = Array.isArray(value) ? value : []
  const attachment = isObject(piece) ? piece.attachment : null
  if (!isObject(attachment) || !isObject(attachment._urls)) return null
  const { uncropped, original } = attachment._urls
  const url = isObject(uncropped) ? uncropped.original : original
  const { extension, length } = attachment
  if (typeof url !== 'string' || typeof extension !== 'string' || typeof length !== 'number') return null
  return { url: new URL(url, absoluteUrl(ctx, ctx.locale, '/')).href, type: servedAs(`x.${extension}`).type, length }
}
