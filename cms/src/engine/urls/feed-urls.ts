import type { LiteralUrl } from '../../model/declared/url-metadata.ts'
import type { Context } from '../context.ts'
import { withFilter } from '../presentation/url-operations.ts'
import { FEED_TYPES, feedFormats, feedStep } from './feed-names.ts'
import { listedPages } from './listed-pages.ts'

/** The feeds of a locale as entries of URL metadata (§4.6). At most one statement. */
export async function feedUrls(ctx: Context, excludeTypes: readonly string[]): Promise<LiteralUrl[]> {
  const { site, locale } = ctx
  if (feedFormats(site).length === 0) return []
  const prefix = site.locales.get(locale)?.prefix ?? ''
  return (await listedPages(ctx)).pages.flatMap(({ slug, docId, pageType }) => {
    const formats = excludeTypes.includes(pageType.name) ? [] : (pageType.index?.feed?.formats ?? [])
    return formats.map((format) => ({
      url: withFilter(prefix + slug, `/${feedStep(format)}`),
      contentType: FEED_TYPES[format],
      i18nId: `${docId}.${format}`,
      sitemap: false,
    }))
  })
}
