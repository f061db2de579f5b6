import type { Context, Hooks } from '../../engine/context.ts'
import { feedFormats, feedStep } from '../../engine/urls/feed-names.ts'
import { Reply, type Route, route } from '../../http/requests/route.ts'
import type { Site } from '../../model/declared/types.ts'

/** The content types of these files. */
export const TEXT = 'text/plain; charset=utf-8'
export const XML = 'application/xml; charset=utf-8'

/** A file that a site offers to search engines and other machines (§4.6). */
export interface LiteralFile {
  /** Below the site's prefix; with a parameter, several files. */
  readonly path: string
  readonly contentType: string
  readonly summary: string
  readonly operationId: string
  /** Whether making it takes long; it does when left out. */
  readonly isLong?: boolean
  isOffered(site: Pick<Site, 'discovery'>): boolean
  /** Throws `notfound` where there is no such file. */
  answer(ctx: Context, params: { readonly [name: string]: string }): Promise<string | Uint8Array>
  /** The paths of several files; none of them are there when it is short. */
  paths?(ctx: Context): Promise<readonly string[]>
}

/** The routes of those files that a site offers. */
export function literalRoutes(files: readonly LiteralFile[], site: Site): readonly Route[] {
  return files.filter((file) => file.isOffered(site)).map(fileRoute)
}

function fileRoute({ path, contentType, summary, operationId, isLong = true, answer }: LiteralFile): Route {
  return route({
    method: 'GET',
    path,
    summary,
    tag: 'site',
    operationId,
    answer: { type: 'string' },
    mediaType: mediaTypeOf(contentType),
    cached: true,
    ignoresQuery: true,
    ...(isLong ? { isLong: () => true } : {}),
    handle: async (ctx, { params }) => new Reply(await answer(ctx, params), { 'Content-Type': contentType }),
  })
}

function mediaTypeOf(contentType: string): string {
  return contentType.replace(/;.*$/, '')
}

/** The literal files as entries of URL metadata, once for all locales, and as paths that front ends pass on. */
export function literalHooks(
  files: readonly LiteralFile[],
): Pick<Hooks, 'listLiteralUrls' | 'getLiteralContentRoutes'> {
  return {
    async listLiteralUrls(ctx, results) {
      const { site, locale } = ctx
      if (locale !== site.defaultLocale) return
      for (const { path, contentType, paths } of files.filter((file) => file.isOffered(site))) {
        for (const url of paths === undefined ? [path] : await paths(ctx)) {
          results.push({ url, contentType: mediaTypeOf(contentType), i18nId: url.slice(1), sitemap: false })
        }
      }
    },

    getLiteralContentRoutes({ site }, patterns) {
      const offered = files.filter((file) => file.isOffered(site))
      const feeds = feedFormats(site).map((format) => `**/${feedStep(format)}`)
      patterns.push(...offered.map(({ path }) => path.replace(/:\w+/g, '*')), ...feeds)
    },
  }
}
