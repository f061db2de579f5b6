import { invalid, notFound, unavailable } from '../../base/errors.ts'
import type { JsonSchema } from '../../base/json.ts'
import { object, text } from '../../base/json-schema.ts'
import type { Context } from '../../engine/context.ts'
import type { Embed } from '../../engine/embed.ts'
import { isContributor } from '../../engine/permissions.ts'
import { type Route, type RouteRequest, route } from '../../http/requests/route.ts'
import type { Site } from '../../model/declared/types.ts'
import type { Feature } from '../feature.ts'

/** Embeds of pages of other sites, for front ends (§4.8). */
export const embeds: Feature = { name: 'embeds', routes: embedRoutes }

/** The route of embeds (§4.8): open to all, since visitors' browsers ask it. */
function embedRoutes({ namespace }: Site): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: `/api/v1/${namespace}/oembed/query`,
      summary: 'What an address of another site shows: a video, for example',
      tag: 'oembed',
      operationId: 'oembed.query',
      ignoresLocale: true,
      query: [
        {
          name: 'url',
          description: 'The address of a page of a known provider.',
          schema: { type: 'string', minLength: 1 },
          isRequired: true,
        },
      ],
      answer: EMBED,
      isUrgent: true,
      handle: queryEmbed,
    }),
  ]
}

const pixels: JsonSchema = { type: 'integer' }

const EMBED: JsonSchema = object(['type', 'version', 'provider_name', 'html'], {
  type: { type: 'string', enum: ['video', 'rich', 'photo'], description: 'What kind of thing it is.' },
  version: { type: 'string', const: '1.0', description: 'The version of oEmbed.' },
  provider_name: text('The site it comes from.'),
  html: text('One frame or image, safe to put into a page.'),
  width: { ...pixels, description: 'In pixels.' },
  height: { ...pixels, description: 'In pixels.' },
  title: text('What it is called.'),
  author_name: text('Who made it.'),
  thumbnail_url: text('The address of an image of it.'),
})

/** `GET oembed/query?url=`: what an address shows. Only callers who write content are not throttled. */
async function queryEmbed(ctx: Context, { query }: RouteRequest): Promise<Embed> {
  const { url } = query
  if (typeof url !== 'string' || url === '') throw invalid('Name an address, as ?url=https://…')
  const outcome = await ctx.embeds.find(url, !isContributor(ctx.actor))
  if (outcome.kind === 'found') return outcome.embed
  if (outcome.kind === 'absent') throw notFound('There is nothing at this address that can be embedded.')
  if (outcome.kind === 'unavailable') throw unavailable('The site at this address does not answer. Try again later.')
  throw invalid('This address cannot be embedded: its site is not one of the known providers.')
}
