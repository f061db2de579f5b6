import { forbidden } from '../../base/errors.ts'
import type { Actor } from '../../engine/permissions.ts'
import { type Route, type RouteRequest, route } from '../../http/route.ts'
import type { Site } from '../../model/types.ts'
import type { Feature } from '../feature.ts'
import { answerMetadata } from './answer-metadata.ts'
import { METADATA, METADATA_QUERY } from './metadata-schema.ts'

/** What there is at the URLs of the site (§4.6): for static builds and search engines. */
export const urls: Feature = { name: 'urls', routes: urlRoutes }

/** What external front ends ask about the URLs of the site. */
function urlRoutes(site: Site): readonly Route[] {
  const { namespace } = site
  // Nobody else has the key.
  const isFor = ({ kind }: Actor) => kind === 'frontend'
  return [
    route({
      method: 'GET',
      path: `/api/v1/${namespace}/url`,
      summary: 'All URLs of a locale, and the files that its pages need',
      description:
        'For static builds: only with the key of the external front end, and only on sites with the option `static`. Lists what is published and public.',
      tag: 'url',
      operationId: 'url.metadata',
      isFor,
      query: METADATA_QUERY,
      answer: METADATA,
      isLong: () => true,
      handle: async (ctx, request) => {
        assertFrontEnd(request)
        return answerMetadata(ctx, request.query)
      },
    }),
    route({
      method: 'GET',
      path: `/api/v1/${namespace}/url/literal-routes`,
      summary: 'The paths that a front end passes on unchanged',
      tag: 'url',
      operationId: 'url.literal-routes',
      isFor,
      answer: {
        type: 'object',
        required: ['patterns'],
        properties: { patterns: { type: 'array', items: { type: 'string' } } },
      },
      handle: async (_ctx, request) => {
        assertFrontEnd(request)
        return { patterns: [] }
      },
    }),
  ]
}

/** A wrong key was refused before: this is for requests that do not claim to come from the front end. */
function assertFrontEnd({ sender }: RouteRequest): void {
  if (!sender.isFrontend) throw forbidden('forbidden')
}
