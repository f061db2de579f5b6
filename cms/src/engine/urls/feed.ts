import { languageTag } from '../../base/text.ts'
import { xmlAttribute, xmlContent } from '../../base/xml.ts'
import type { FeedFormat } from '../../model/declared/discovery.ts'
import type { Type } from '../../model/declared/types.ts'
import { slugOf, titleOf } from '../../model/terms/document.ts'
import type { Page } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { absoluteUrl, localePath } from '../presentation/document-url.ts'
import { withFilter } from '../presentation/url-operations.ts'
import { viewsOf } from '../view.ts'
import { type FeedItem, feedId, feedItems } from './feed-items.ts'
import { FEED_TYPES, feedStep, feedTitle } from './feed-names.ts'
import { visitorsContext } from './visitors.ts'

/** The title and links of a feed. */
interface Channel {
  readonly id: string
  readonly title: string
  readonly author: string
  readonly language: string
  /** The index page. */
  readonly url: string
  /** The feed itself. */
  readonly self: string
  readonly updated: Date
}

/** A feed of an index page (§4.6): its newest pieces, the same for all callers. Null where the page has none. */
export async function feedText(
  asked: Context,
  { page, type }: { readonly page: Page; readonly type: Type },
  format: FeedFormat,
): Promise<string | null> {
  const ctx = visitorsContext(asked)
  const { index } = type
  const pieces = index === null ? undefined : ctx.site.types.get(index.piecesType)
  if (index === null || index.feed === null || pieces === undefined) return null
  const items = await feedItems(ctx, { ...index, feed: index.feed }, pieces)
  const channel = channelOf(ctx, page, format, items)
  return format === 'rss' ? rss(channel, items) : atom(channel, items)
}

function channelOf(ctx: Context, { document }: Page, format: FeedFormat, items: readonly FeedItem[]): Channel {
  const { site, locale } = ctx
  const path = localePath(ctx, locale, slugOf(document))
  const times = [new Date(document.updatedAt), ...items.map(({ updated }) => updated)]
  return {
    id: feedId(ctx, document.id.docId),
    title: feedTitle(ctx, titleOf(viewsOf(ctx).of(document.type), document)),
    author: site.name,
    language: languageTag(locale),
    url: absoluteUrl(ctx, locale, path),
    self: absoluteUrl(ctx, locale, withFilter(path, `/${feedStep(format)}`)),
    updated: new Date(Math.max(...times.map((time) => time.getTime()))),
  }
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

function element(name: string, text: string): string {
  return `<${name}>${xmlContent(text)}</${name}>\n`
}

function rss({ title, url, self, language, updated }: Channel, items: readonly FeedItem[]): string {
  const namespaces = 'xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/"'
  return [
    `${DECLARATION}<rss version="2.0" ${namespaces}>\n<channel>\n`,
    element('title', title),
    element('link', url),
    element('description', title),
    element('language', language.toLowerCase()),
    element('lastBuildDate', updated.toUTCString()),
    `<atom:link rel="self" type="${FEED_TYPES.rss}" href="${xmlAttribute(self)}"/>\n`,
    ...items.map(rssItem),
    '</channel>\n</rss>\n',
  ].join('')
}

function rssItem({ id, title, url, published, summary, authors, image }: FeedItem): string {
  return [
    '<item>\n',
    element('title', title),
    element('link', url),
    `<guid isPermaLink="false">${xmlContent(id)}</guid>\n`,
    element('pubDate', published.toUTCString()),
    ...authors.map((name) => element('dc:creator', name)),
    // Feed readers take it for HTML.
    summary === null ? '' : element('description', xmlContent(summary)),
    image === null
      ? ''
      : `<enclosure url="${xmlAttribute(image.url)}" length="${image.length}" type="${xmlAttribute(image.type)}"/>\n`,
    '</item>\n',
  ].join('')
}

function atom({ id, title, author, url, self, language, updated }: Channel, items: readonly FeedItem[]): string {
  return [
    `${DECLARATION}<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${xmlAttribute(language)}">\n`,
    element('id', id),
    element('title', title),
    `<link rel="self" type="${FEED_TYPES.atom}" href="${xmlAttribute(self)}"/>\n`,
    `<link rel="alternate" type="text/html" href="${xmlAttribute(url)}"/>\n`,
    element('updated', updated.toISOString()),
    `<author>${element('name', author)}</author>\n`,
    ...items.map(atomEntry),
    '</feed>\n',
  ].join('')
}

function atomEntry({ id, title, url, published, updated, summary, authors, image }: FeedItem): string {
  return [
    '<entry>\n',
    element('id', id),
    element('title', title),
    `<link rel="alternate" type="text/html" href="${xmlAttribute(url)}"/>\n`,
    element('published', published.toISOString()),
    element('updated', updated.toISOString()),
    ...authors.map((name) => `<author>${element('name', name)}</author>\n`),
    summary === null ? '' : element('summary', summary),
    image === null
      ? ''
      : `<link rel="enclosure" href="${xmlAttribute(image.url)}" length="${image.length}" type="${xmlAttribute(image.type)}"/>\n`,
    '</entry>\n',
  ].join('')
}
