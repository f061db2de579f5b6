import { forbidden } from '../../base/errors.ts'
import { late } from '../../base/late.ts'
import { inTime } from '../../base/patience.ts'
import type { Actor } from '../../engine/permissions.ts'
import { type Route, type RouteRequest, route } from '../../http/requests/route.ts'
import type { Site } from '../../model/declared/types.ts'
import type { Feature } from '../feature.ts'
import { type LiteralFile, literalHooks, literalRoutes, TEXT, XML } from './literal-files.ts'
import { METADATA, METADATA_QUERY } from './metadata-schema.ts'

const answerMetadata = late(() => import('./answer-metadata.ts'), 'answerMetadata')
const llmsText = late(() => import('./llms.ts'), 'llmsText')
const robotsText = late(() => import('./robots.ts'), 'robotsText')
const sitemap = late(() => import('./sitemap-files.ts'), 'sitemap')
const numberedSitemap = late(() => import('./sitemap-files.ts'), 'numberedSitemap')
const sitemapPaths = late(() => import('./sitemap-files.ts'), 'sitemapPaths')

const FILES: readonly LiteralFile[] = [
  {
    path: '/robots.txt',
    contentType: TEXT,
    summary: 'What crawlers may read',
    operationId: 'site.robots',
    isLong: false,
    isOffered: ({ discovery }) => discovery.robots !== null,
    answer: robotsText,
  },
  {
    path: '/sitemap.xml',
    contentType: XML,
    summary: 'The sitemap, or the index of its files',
    operationId: 'site.sitemap',
    isOffered: ({ discovery }) => discovery.sitemap,
    answer: sitemap,
  },
  {
    path: '/sitemaps/:file',
    contentType: XML,
    summary: 'A file of a sitemap that takes several',
    operationId: 'site.sitemaps',
    isOffered: ({ discovery }) => discovery.sitemap,
    answer: numberedSitemap,
    paths: sitemapPaths,
  },
  {
    path: '/llms.txt',
    contentType: TEXT,
    summary: 'The pages of the site, for language models',
    operationId: 'site.llms',
    isOffered: ({ discovery }) => discovery.llms !== null,
    answer: llmsText,
  },
]

/** What there is at the URLs of the site (§4.6): for static builds and search engines. */
export const urls: Feature = { name: 'urls', routes: urlRoutes, hooks: literalHooks(FILES) }

/** What external front ends ask about the URLs of the site. */
function urlRoutes(site: Site): readonly Route[] {
  const { namespace } = site
  // Nobody else has the key.
  const isFor = ({ kind }: Actor) => kind === 'frontend'
  return [
    ...literalRoutes(FILES, site),
    route({
      method: 'GET',
      path: `/api/v1/${namespace}/url`,
      summary: 'All URLs of a locale, and the files that its pages need',
      description:
        'For static builds: only with the key of the external front end, and only on sites with the option `static`. Lists what is published and public.',
      tag: 'url',
      operationId: 'url.metadata',
      isFor,
      knowsAllLocales: true,
      query: METADATA_QUERY,
      answer: METADATA,
      // Builds that ask again, or at the same time, share an answer.
      cached: true,
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
      knowsAllLocales: true,
      answer: {
        type: 'object',
        required: ['patterns'],
        properties: { patterns: { type: 'array', items: { type: 'string' } } },
      },
      handle: async (ctx, request) => {
        assertFrontEnd(request)
        const patterns: string[] = []
        await inTime('The hook getLiteralContentRoutes', ctx.hooks.run('getLiteralContentRoutes', ctx, patterns))
        return { patterns: [...new Set(patterns)] }
      },
    }),
  ]
}

/** A wrong key was refused before: this is for requests that do not claim to come from the front end. */
function assertFrontEnd({ sender }: RouteRequest): void {
  if (!sender.isFrontend) throw forbidden('forbidden')
}
