import { buildUrl, withSteps } from '../../base/build-url.ts'
import type { PageData } from '../../model/declared/page-data-types.ts'
import type { Context } from '../context.ts'
import {
  getBaseUrl,
  getChoiceFilter,
  getPageFilter,
  isExternalFront,
  isStaticBuild,
} from '../presentation/url-operations.ts'
import type { TemplateUrls } from '../template-urls.ts'

/** The URL operations for a page that is rendered (§4.6). They need no `this`. */
export function templateUrls(ctx: Context, page: PageData | null): TemplateUrls {
  return {
    build: buildUrl,
    getBaseUrl: (options) => getBaseUrl(ctx, options),
    getPageUrl: (number) => (page === null ? getPageFilter(ctx, number) : pageUrl(ctx, page, number)),
    getChoiceFilter: (name, value, number) => getChoiceFilter(ctx, name, value, number),
    getPageFilter: (number) => getPageFilter(ctx, number),
    isStaticBuild: () => isStaticBuild(ctx),
    isExternalFront: () => isExternalFront(ctx),
  }
}

/** The URL that was asked for, with another number: filters are in its path, its query, or both. */
function pageUrl(ctx: Context, data: PageData, number: number): string {
  const further = getPageFilter(ctx, number)
  const given = buildUrl(data.url, { page: !ctx.site.static && further !== '' ? number : null, aposRefresh: null })
  if (!ctx.site.static) return given
  const [path = '', ...query] = given.split(/(?=[?#])/)
  return withSteps(firstPath(path, data), further) + query.join('')
}

/** The path of the first page, filters included. */
function firstPath(path: string, { currentPage = 1, page, baseUrl }: PageData): string {
  const end = `/page/${currentPage}`
  if (currentPage < 2 || !path.endsWith(end)) return path
  const first = path.slice(0, -end.length)
  // A home page ends with a slash.
  return page?._url === `${baseUrl}${first}/` ? `${first}/` : first
}
