import { forbidden } from '../../base/errors.ts'
import { object } from '../../base/json-schema.ts'
import { inTime } from '../../base/patience.ts'
import type { Context } from '../../engine/context.ts'
import type { Actor } from '../../engine/permissions.ts'
import { absoluteUrl } from '../../engine/presentation/document-url.ts'
import { withUrls } from '../../engine/urls/collect-urls.ts'
import { visitorsContext } from '../../engine/urls/visitors.ts'
import { type Route, type RouteRequest, route } from '../../http/requests/route.ts'
import type { Site } from '../../model/declared/types.ts'
import type { Feature } from '../feature.ts'
import { answerMetadata, METADATA, METADATA_QUERY } from './answer-metadata.ts'
import { type LiteralFile, literalHooks, literalRoutes, TEXT, XML } from './literal-files.ts'
import { robotsText } from './robots.ts'
import { numberedSitemap, sitemap, sitemapPaths } from './sitemap.ts'

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
    isOffered: ({ discovery }) => discovery.sitemap !== null,
    answer: sitemap,
  },
  {
    path: '/sitemaps/:file',
    contentType: XML,
    summary: 'A file of a sitemap that takes several',
    operationId: 'site.sitemaps',
    isOffered: ({ discovery }) => discovery.sitemap !== null,
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

/** The URLs of the site (§4.6), for static builds and search engines. */
export const urls: Feature = { name: 'urls', routes: urlRoutes, hooks: literalHooks(FILES) }

/** The routes about URLs that external front ends use. */
function urlRoutes(site: Site): readonly Route[] {
  const { namespace } = site
  // Only front ends have the key.
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
      isRefused: !site.static,
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
      answer: object(['patterns'], { patterns: { type: 'array', items: { type: 'string' } } }),
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

/** The most documents in a section. */
const MOST_LINKS = 500

/**
 * llms.txt (§4.6, llmstxt.org): a title, what the site says of itself, and links to pages and then to the pieces of
 * each type that has pages of its own, at most 500 in each section.
 */
function llmsText(asked: Context): Promise<string> {
  const { locale } = asked
  return withUrls(visitorsContext(asked), { locales: [locale] }, async (ctx, urlsIn) => {
    const { site } = ctx
    const { title = site.name, summary, details } = site.discovery.llms ?? {}
    const sections = new Map<string, string[]>()
    for await (const listed of urlsIn(locale)) {
      for (const { entry, title, isDocument } of listed) {
        if (!isDocument || entry.sitemap === false || !('type' in entry)) continue
        const links = sections.get(sectionOf(ctx, entry.type)) ?? []
        sections.set(sectionOf(ctx, entry.type), links)
        if (links.length < MOST_LINKS)
          links.push(`- [${escaped(title)}](${target(absoluteUrl(ctx, locale, entry.url))})`)
      }
    }
    const head = [
      `# ${escaped(title)}`,
      ...(summary === undefined ? [] : [`> ${summary}`]),
      ...(details ? [details] : []),
    ]
    const parts = [...sections].map(([name, links]) => `## ${escaped(name)}\n\n${links.join('\n')}`)
    return `${[...head, ...parts].join('\n\n')}\n`
  })
}

function sectionOf({ site }: Context, typeName: string): string {
  const type = site.types.get(typeName)
  return type?.family === 'piece' ? type.pluralLabel : 'Pages'
}

/** A text in one line of Markdown that means nothing but itself. */
function escaped(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\[\]<>*_`#]/g, '\\$&')
}

/** A URL as the target of a link of Markdown. */
function target(url: string): string {
  return url.replaceAll('(', '%28').replaceAll(')', '%29')
}
