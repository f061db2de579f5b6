import { invalid, notFound } from '../../base/errors.ts'
import { hasClipboard, takeClipboard } from '../../engine/access/clipboards.ts'
import type { Context } from '../../engine/context.ts'
import { textParameter } from '../../http/requests/read-parameters.ts'
import { Reply, type RouteRequest } from '../../http/requests/route.ts'

/** What a token of `switchLocale` was given for, once, to whoever has it (§4.5). */
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
