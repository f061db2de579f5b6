import type { Context } from '../../engine/context.ts'
import { baseUrlOf, pagePath } from '../../engine/presentation/document-url.ts'
import { indexPageOf } from '../../engine/presentation/piece-urls.ts'
import { joinSlug } from '../../engine/save/whole-slug.ts'
import { hostLocales } from '../../http/requests/locale-prefixes.ts'
import type { RouteRequest } from '../../http/requests/route.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Locale, Mode } from '../../model/terms/document.ts'

/** Where a slug of a locale is: a path, or a URL where the locale has another host than the request was sent to. */
export function addressIn(
  ctx: Context,
  request: RouteRequest,
  locale: Locale,
  slug: string,
): { readonly url: string; readonly isElsewhere: boolean } {
  const path = pagePath(ctx, locale, slug)
  const isElsewhere = !isSameHost(ctx, request, locale)
  return { url: isElsewhere ? baseUrlOf(ctx, locale) + path : path, isElsewhere }
}

/** The slug of the page that shows a document: below that of its index page for pieces; null where there is none. */
export async function slugOfPage(
  ctx: Context,
  type: Type,
  { slug }: { readonly slug: string },
  scope: { readonly locale: Locale; readonly mode: Mode },
): Promise<string | null> {
  if (type.family === 'page') return slug
  const index = await indexPageOf(ctx, type, scope)
  return index && joinSlug(index.slug, slug)
}

/** Whether the locale has the host name that the request was sent to; of an unknown host, that of its locale. */
function isSameHost({ site, locale }: Context, { headers }: RouteRequest, to: Locale): boolean {
  const from = site.locales.get(hostLocales(site)(headers) ?? locale)
  return from?.hostname === site.locales.get(to)?.hostname
}
