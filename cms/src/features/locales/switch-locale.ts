import { invalid } from '../../base/errors.ts'
import { own } from '../../base/json.ts'
import { storeClipboard } from '../../engine/access/clipboards.ts'
import type { Context } from '../../engine/context.ts'
import { joinSlug } from '../../engine/documents/slug.ts'
import { homeId } from '../../engine/pages/parked.ts'
import { isAnonymous, may, readAccess, refusal, visitor } from '../../engine/permissions.ts'
import { indexPageOf } from '../../engine/presentation/piece-urls.ts'
import { baseUrlOf, pagePath } from '../../engine/presentation/url.ts'
import { CLIPBOARD_PARAMETER } from '../../http/credentials.ts'
import { hostLocales } from '../../http/locales.ts'
import type { RouteRequest } from '../../http/route.ts'
import { DocumentId, type Locale, type Mode } from '../../model/document.ts'

/** Throws for callers who are not known. */
export function assertKnown({ actor }: Pick<Context, 'actor'>): void {
  if (isAnonymous(actor)) throw refusal(actor)
}

/**
 * Where a document is in another locale, or the home page of that locale where it is not, or not for this caller
 * (§4.5): a path, or a URL where the locale has another host. With that URL goes a token that fetches the clipboard.
 */
export async function switchLocale(ctx: Context, request: RouteRequest): Promise<{ redirectTo: string }> {
  const locale = localeIn(ctx, parameter(request, 'locale'))
  const contextDocId = parameter(request, 'contextDocId')
  const clipboard = parameter(request, 'clipboard') ?? ''
  const slug = contextDocId ? await slugIn(ctx, locale, contextDocId) : null
  const path = pagePath(ctx, locale, slug ?? '/')
  if (isSameHost(ctx, request, locale)) return { redirectTo: path }
  const url = baseUrlOf(ctx, locale) + path
  if (clipboard === '') return { redirectTo: url }
  return { redirectTo: `${url}?${CLIPBOARD_PARAMETER}=${await storeClipboard(ctx, clipboard)}` }
}

/** A locale of the site by name. Throws `invalid` for any other. */
export function localeIn({ site }: Context, name: unknown): Locale {
  if (typeof name === 'string' && site.locales.has(name)) return name
  throw invalid(`"locale" must name a locale of this site: ${[...site.locales.keys()].join(', ')}.`)
}

/** A parameter of the body, else of the query. */
function parameter({ body, query }: RouteRequest, name: string): string | undefined {
  const value = own(body, name) ?? own(query, name)
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined
  throw invalid(`"${name}" takes one text.`)
}

/** Whether the locale has the host name that the request was sent to; of an unknown host, that of its locale. */
function isSameHost({ site, locale }: Context, { headers }: RouteRequest, to: Locale): boolean {
  const from = site.locales.get(hostLocales(site)(headers) ?? locale)
  return from?.hostname === site.locales.get(to)?.hostname
}

/** The slug of a document's page in a locale, below that of its index page for pieces; null where it has none. */
async function slugIn(ctx: Context, locale: Locale, text: string): Promise<string | null> {
  const given = text === '_home' ? { docId: homeId } : DocumentId.parse(text)
  if (given === null) return null
  const mode: Mode = ctx.explicit.mode ?? given.mode ?? ctx.mode
  const [copy] = await ctx.store.documents.outlines([given.docId], { mode, locale })
  const type = copy && ctx.site.types.get(copy.type)
  if (!type) return null
  const access = readAccess(visitor(ctx.actor), type)
  if (access === null || (access.visibility !== null && access.visibility !== copy.visibility)) return null
  if (mode === 'draft' && !may(ctx.actor, 'readDraft', type)) return null
  if (type.family === 'page') return copy.slug
  const index = await indexPageOf(ctx, type, { locale, mode })
  return index && joinSlug(index.slug, copy.slug)
}
