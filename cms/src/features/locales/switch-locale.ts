import { invalid, notFound } from '../../base/errors.ts'
import { hasClipboard, storeClipboard, takeClipboard } from '../../engine/access/clipboards.ts'
import type { Context } from '../../engine/context.ts'
import { parsePartialId } from '../../engine/pages/parked.ts'
import { may, visitor } from '../../engine/permissions.ts'
import { viewOf } from '../../engine/view.ts'
import { CLIPBOARD_PARAMETER } from '../../http/pipeline/credentials.ts'
import { textParameter } from '../../http/requests/read-parameters.ts'
import { Reply, type RouteRequest } from '../../http/requests/route.ts'
import type { Locale, Mode } from '../../model/terms/document.ts'
import { addressIn, slugOfPage } from './addresses.ts'
import { localeNamed, parameter } from './locale-parameters.ts'

/**
 * Where a document is in another locale, or the home page of that locale where it is not, or not for this caller
 * (§4.5): a path, or a URL where the locale has another host. With that URL goes a token that fetches the clipboard.
 */
export async function switchLocale(ctx: Context, request: RouteRequest): Promise<{ redirectTo: string }> {
  const locale = localeNamed(ctx, parameter(request, 'locale'))
  const contextDocId = parameter(request, 'contextDocId')
  const clipboard = parameter(request, 'clipboard') ?? ''
  const slug = contextDocId ? await slugIn(ctx, locale, contextDocId) : null
  const { url, isElsewhere } = addressIn(ctx, request, locale, slug ?? '/')
  if (!isElsewhere || clipboard === '') return { redirectTo: url }
  return { redirectTo: `${url}?${CLIPBOARD_PARAMETER}=${await storeClipboard(ctx, clipboard)}` }
}

/** The slug of a document's page in a locale, below that of its index page for pieces; null where it has none. */
async function slugIn(ctx: Context, locale: Locale, text: string): Promise<string | null> {
  const given = parsePartialId(text)
  if (given === null) return null
  const mode: Mode = ctx.explicit.mode ?? given.mode ?? ctx.mode
  const [copy] = await ctx.store.documents.outlines([given.docId], { mode, locale })
  const type = copy && ctx.site.types.get(copy.type)
  if (!type) return null
  if (!viewOf(visitor(ctx.actor), type)?.includes(copy.visibility)) return null
  if (mode === 'draft' && !may(ctx.actor, 'readDraft', type)) return null
  return slugOfPage(ctx, type, copy, { locale, mode })
}

/** Returns the content that a token of `switchLocale` stands for, once (§4.5). */
export async function fetchClipboard(ctx: Context, { query, isHead }: RouteRequest): Promise<Reply> {
  const token = textParameter(query, 'token')
  if (!token) throw invalid('Send the token in "token".')
  if (isHead) {
    if (await hasClipboard(ctx, token)) return new Reply({ clipboard: '' }, HEADERS)
    throw notFound()
  }
  const clipboard = await takeClipboard(ctx, token)
  if (clipboard === null) throw notFound('The token has expired, or was used. Copy again.')
  return new Reply({ clipboard }, HEADERS)
}

const HEADERS = { 'Cache-Control': 'no-store' }
