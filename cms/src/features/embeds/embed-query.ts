import { invalid, notFound, unavailable } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import type { Embed } from '../../engine/embed.ts'
import { roleOf } from '../../engine/permissions.ts'
import type { RouteRequest } from '../../http/requests/route.ts'
import { hasRole } from '../../model/terms/roles.ts'

/** `GET oembed/query?url=`: what an address shows. Only callers who write content are not throttled. */
export async function queryEmbed(ctx: Context, { query }: RouteRequest): Promise<Embed> {
  const { url } = query
  if (typeof url !== 'string' || url === '') throw invalid('Name an address, as ?url=https://…')
  const outcome = await ctx.embeds.find(url, !hasRole(roleOf(ctx.actor), 'contributor'))
  if (outcome.kind === 'found') return outcome.embed
  if (outcome.kind === 'absent') throw notFound('There is nothing at this address that can be embedded.')
  if (outcome.kind === 'unavailable') throw unavailable('The site at this address does not answer. Try again later.')
  throw invalid('This address cannot be embedded: its site is not one of the known providers.')
}
