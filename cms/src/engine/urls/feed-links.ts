import { html } from '../../base/html.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Context } from '../context.ts'
import { withFilter } from '../presentation/url-operations.ts'
import { FEED_TYPES, feedStep, feedTitle } from './feed-names.ts'

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
