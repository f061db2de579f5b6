import { html } from '../../base/html.ts'
import type { JsonObject } from '../../base/json.ts'
import { FEED_FORMATS, type FeedFormat } from '../../model/declared/discovery.ts'
import type { Site } from '../../model/declared/types.ts'
import type { Context } from '../context.ts'
import { withFilter } from '../presentation/url-operations.ts'

/** The media types of feeds. */
export const FEED_TYPES: Readonly<Record<FeedFormat, string>> = {
  rss: 'application/rss+xml',
  atom: 'application/atom+xml',
}

/** The last step of the URL of a feed, which no slug can be. */
export function feedStep(format: FeedFormat): string {
  return `${format}.xml`
}

/** The title of the feeds of an index page. */
export function feedTitle({ site }: { readonly site: Pick<Site, 'name'> }, pageTitle: unknown): string {
  return `${pageTitle} – ${site.name}`
}

/** The forms in which a site has feeds. */
export function feedFormats({ types }: Pick<Site, 'types'>): FeedFormat[] {
  const all = new Set([...types.values()].flatMap(({ index }) => index?.feed?.formats ?? []))
  return FEED_FORMATS.filter((format) => all.has(format))
}

/** The links to the feeds of an index page, for its head (§4.6); empty for other pages. */
export function feedLinks(ctx: Context, page: JsonObject | null): string {
  const feed = ctx.site.types.get(String(page?.type))?.index?.feed
  if (!feed || page === null) return ''
  const links = feed.formats.map((format) => {
    const url = withFilter(String(page._url), `/${feedStep(format)}`)
    return html`<link rel="alternate" type="${FEED_TYPES[format]}" title="${feedTitle(ctx, page.title)}" href="${url}">`
  })
  return html`${links}`.text
}
