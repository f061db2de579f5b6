import type { Context } from '../../engine/context.ts'
import { absoluteUrl, pagePath } from '../../engine/presentation/document-url.ts'
import { listedPages } from '../../engine/urls/listed-pages.ts'
import { publicLocalesAtHost, visitorsContext } from '../../engine/urls/visitors.ts'
import type { RobotsRule } from '../../model/declared/discovery.ts'
import type { Site } from '../../model/declared/types.ts'

/**
 * Makes robots.txt (§4.6): the rules of the site, else that crawlers need nothing of the interface; and where the
 * sitemap is. The stylesheet of the site stays allowed, since crawlers render pages.
 */
export async function robotsText(ctx: Context): Promise<string> {
  const { site, locale } = ctx
  const { robots, sitemap } = site.discovery
  const rules = robots === null || robots.length === 0 ? [usualRule(site)] : robots
  const groups: string[] = []
  for (const rule of rules) groups.push(groupOf(site, rule, await pathsOfPages(ctx, rule)))
  const lines = sitemap ? ['', `Sitemap: ${absoluteUrl(ctx, locale, '/sitemap.xml')}`] : []
  return `${[...groups, ...lines].join('\n')}\n`
}

/** The interface answers below the prefix of each locale, too. */
function usualRule({ prefix, locales }: Site): RobotsRule {
  const prefixes = new Set(['', ...[...locales.values()].map((locale) => locale.prefix)])
  return {
    userAgent: ['*'],
    allow: [],
    disallow: [...prefixes].map((own) => `${prefix}${own}/api/`),
    disallowPages: [],
  }
}

/** The paths of all pages of the types that a rule forbids, in each public locale of the host. */
async function pathsOfPages(asked: Context, { disallowPages }: RobotsRule): Promise<string[]> {
  if (disallowPages.length === 0) return []
  const ctx = visitorsContext(asked)
  const paths: string[] = []
  for (const locale of publicLocalesAtHost(ctx)) {
    const { pages } = await listedPages({ ...ctx, locale })
    const forbidden = pages.filter(({ type, isBelowHidden }) => disallowPages.includes(type) && !isBelowHidden)
    paths.push(...forbidden.map(({ slug }) => encodeURI(pagePath(ctx, locale, slug))))
  }
  return paths
}

function groupOf(site: Site, { userAgent, allow, disallow }: RobotsRule, pages: readonly string[]): string {
  const needed = disallow.some((path) => forbidsInterface(site, path)) ? [stylesheets(site)] : []
  const lines = [
    ...[...allow, ...needed].map((path) => `Allow: ${path}`),
    ...[...disallow, ...pages.flatMap(formsOf)].map((path) => `Disallow: ${path}`),
  ]
  // A group without a rule would count as one with the next group.
  return [...userAgent.map((name) => `User-agent: ${name}`), ...(lines.length > 0 ? lines : ['Disallow:'])].join('\n')
}

/** Whether a path forbids the interface as a whole, but not the whole site. */
function forbidsInterface({ prefix }: Site, path: string): boolean {
  return path.startsWith(`${prefix}/api`) && `${prefix}/api/v1/`.startsWith(path.replace(/\*$/, ''))
}

function stylesheets({ prefix, namespace }: Site): string {
  return `${prefix}/api/v1/${namespace}/styles/stylesheet/`
}

/** A page with its queries and with what is below it, but no page whose path only begins alike. */
function formsOf(path: string): string[] {
  return path.endsWith('/') ? [`${path}$`, `${path}?`] : [`${path}$`, `${path}?`, `${path}/`]
}
