import { notFound } from '../../base/errors.ts'
import type { Context, Hooks } from '../../engine/context.ts'
import { Reply, type Route, route } from '../../http/route.ts'
import type { Site } from '../../model/types.ts'
import { llmsText } from './llms.ts'
import { robotsText } from './robots.ts'
import { sitemapFile, sitemapIndex } from './sitemap.ts'

const TEXT = 'text/plain; charset=utf-8'
const XML = 'application/xml; charset=utf-8'

/** A file that a site offers to machines. */
interface LiteralFile {
  readonly path: string
  readonly contentType: string
  readonly summary: string
  isOffered(site: Pick<Site, 'discovery'>): boolean
  answer(ctx: Context): Promise<string | Uint8Array>
}

const FILES: readonly LiteralFile[] = [
  {
    path: '/robots.txt',
    contentType: TEXT,
    summary: 'What crawlers may read',
    isOffered: ({ discovery }) => discovery.robots !== null,
    answer: async (ctx) => robotsText(ctx),
  },
  {
    path: '/sitemap.xml',
    contentType: XML,
    summary: 'The sitemap, or the index of its files',
    isOffered: ({ discovery }) => discovery.sitemap,
    answer: async (ctx) => {
      const { bytes, files } = await sitemapFile(ctx, 1)
      return bytes === null || files > 1 ? sitemapIndex(ctx, files) : bytes
    },
  },
  {
    path: '/llms.txt',
    contentType: TEXT,
    summary: 'The pages of the site, for language models',
    isOffered: ({ discovery }) => discovery.llms !== null,
    answer: llmsText,
  },
]

const SITEMAPS = '/sitemaps/:file'
/** The number of a file of the sitemap. */
const FILE_NAME = /^([1-9]\d{0,5})\.xml$/

/** The routes of the files for search engines and other machines that a site offers (§4.6). */
export function literalRoutes(site: Site): readonly Route[] {
  const files = FILES.filter((file) => file.isOffered(site)).map(fileRoute)
  return site.discovery.sitemap ? [...files, sitemapsRoute] : files
}

const ROUTE = { method: 'GET', tag: 'site', answer: { type: 'string' }, cached: true, isLong: () => true } as const

function fileRoute({ path, contentType, summary, answer }: LiteralFile): Route {
  return route({
    ...ROUTE,
    path,
    summary,
    operationId: `site.${path.slice(1)}`,
    mediaType: mediaTypeOf(contentType),
    handle: async (ctx) => new Reply(await answer(ctx), { 'Content-Type': contentType }),
  })
}

const sitemapsRoute = route({
  ...ROUTE,
  path: SITEMAPS,
  summary: 'A file of a sitemap that takes several',
  operationId: 'site.sitemaps',
  mediaType: mediaTypeOf(XML),
  handle: async (ctx, { params }) => {
    const [, number] = FILE_NAME.exec(params.file ?? '') ?? []
    const found = number === undefined ? null : await sitemapFile(ctx, Number(number))
    if (found === null || found.bytes === null || found.files === 1) throw notFound()
    return new Reply(found.bytes, { 'Content-Type': XML })
  },
})

function mediaTypeOf(contentType: string): string {
  return contentType.replace(/;.*$/, '')
}

/** The same files as entries of URL metadata, once for all locales. */
export const literalHooks: Pick<Hooks, 'listLiteralUrls' | 'getLiteralContentRoutes'> = {
  async listLiteralUrls(ctx, results) {
    const { site, locale } = ctx
    if (locale !== site.defaultLocale) return
    const add = (path: string, contentType: string) => {
      results.push({ url: path, contentType: mediaTypeOf(contentType), i18nId: path.slice(1), sitemap: false })
    }
    for (const { path, contentType } of FILES.filter((file) => file.isOffered(site))) add(path, contentType)
    const { files } = site.discovery.sitemap ? await sitemapFile(ctx, 1) : { files: 1 }
    for (let number = 1; files > 1 && number <= files; number += 1) add(`/sitemaps/${number}.xml`, XML)
  },

  getLiteralContentRoutes({ site }, patterns) {
    patterns.push(...FILES.filter((file) => file.isOffered(site)).map(({ path }) => path))
    if (site.discovery.sitemap) patterns.push('/sitemaps/*')
  },
}
