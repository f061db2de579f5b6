import type { Context } from '../../engine/context.ts'
import { absoluteUrl } from '../../engine/urls/absolute.ts'
import type { RobotsRule } from '../../model/declared/discovery.ts'
import type { Site } from '../../model/declared/types.ts'

/**
 * robots.txt (§4.6): the rules of the site, else that crawlers need nothing of the interface; and where the sitemap is.
 */
export async function robotsText(ctx: Context): Promise<string> {
  const { site, locale } = ctx
  const { robots, sitemap } = site.discovery
  const rules = robots === null || robots.length === 0 ? [usualRule(site)] : robots
  const lines = sitemap ? ['', `Sitemap: ${absoluteUrl(ctx, locale, '/sitemap.xml')}`] : []
  return `${[...rules.map(groupOf), ...lines].join('\n')}\n`
}

function usualRule({ prefix }: Pick<Site, 'prefix'>): RobotsRule {
  return { userAgent: ['*'], allow: [], disallow: [`${prefix}/api/`] }
}

function groupOf({ userAgent, allow, disallow }: RobotsRule): string {
  const paths = [...allow.map((path) => `Allow: ${path}`), ...disallow.map((path) => `Disallow: ${path}`)]
  // A group without a rule would count as one with the next group.
  return [...userAgent.map((name) => `User-agent: ${name}`), ...(paths.length > 0 ? paths : ['Disallow:'])].join('\n')
}
