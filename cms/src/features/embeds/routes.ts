import type { JsonSchema } from '../../base/json.ts'
import { late } from '../../base/late.ts'
import { type Route, route } from '../../http/requests/route.ts'
import type { Site } from '../../model/declared/types.ts'

const queryEmbed = late(() => import('./embed-query.ts'), 'queryEmbed')

/** The route of embeds (§4.8): open to all, since visitors' browsers ask it. */
export function embedRoutes({ namespace }: Site): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: `/api/v1/${namespace}/oembed/query`,
      summary: 'What an address of another site shows: a video, for example',
      tag: 'oembed',
      operationId: 'oembed.query',
      ignoresLocale: true,
      query: [{ name: 'url', description: 'The address of a page of a known provider.', schema: { type: 'string' } }],
      answer: EMBED,
      isUrgent: true,
      handle: queryEmbed,
    }),
  ]
}

const text: JsonSchema = { type: 'string' }
const pixels: JsonSchema = { type: 'integer' }

const EMBED: JsonSchema = {
  type: 'object',
  required: ['type', 'version', 'provider_name', 'html'],
  properties: {
    type: { type: 'string', enum: ['video', 'rich', 'photo'], description: 'What kind of thing it is.' },
    version: { type: 'string', const: '1.0', description: 'The version of oEmbed.' },
    provider_name: { ...text, description: 'The site it comes from.' },
    html: { ...text, description: 'One frame or image, safe to put into a page.' },
    width: { ...pixels, description: 'In pixels.' },
    height: { ...pixels, description: 'In pixels.' },
    title: { ...text, description: 'What it is called.' },
    author_name: { ...text, description: 'Who made it.' },
    thumbnail_url: { ...text, description: 'The address of an image of it.' },
  },
}
