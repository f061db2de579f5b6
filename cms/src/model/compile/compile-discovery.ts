import type { z } from 'zod'
import { didYouMean } from '../../base/did-you-mean.ts'
import type { DISCOVERY_OPTIONS, Discovery, FeedOptions, RobotsRule } from '../declared/discovery.ts'
import type { Report } from '../terms/configuration-error.ts'

/** The options after parsing. */
type Declared = z.infer<z.ZodObject<typeof DISCOVERY_OPTIONS>>

/** Reads the options; files with links need a URL to begin them with. */
export function compileDiscovery(
  { robots, sitemap, llms }: Declared,
  site: SiteAddresses & { readonly types: ReadonlyMap<string, SomeType> },
  report: Report,
): Discovery {
  const feeds = [...site.types.values()].filter(({ index }) => index !== null && index.feed !== null)
  const linking = [
    ...(sitemap ? ['sitemap'] : []),
    ...(llms ? ['llms'] : []),
    ...feeds.map(({ name }) => `types.${name}.feed`),
  ]
  if (!hasAbsoluteUrls(site)) for (const path of linking) report(path, NEEDS_BASE)
  const rules = typeof robots === 'boolean' ? [] : robots.rules
  checkPages(rules, site.types, report)
  return {
    robots: robots === false ? null : rules,
    sitemap: sitemap === false ? null : sitemap === true ? { lists: false } : sitemap,
    llms: llms === false ? null : llms === true ? {} : llms,
  }
}

/** Reports what is no page type where a rule of robots.txt names one. */
function checkPages(rules: readonly RobotsRule[], types: ReadonlyMap<string, SomeType>, report: Report): void {
  const known = [...types.values()].filter(({ family }) => family === 'page').map(({ name }) => name)
  for (const [index, { disallowPages }] of rules.entries()) {
    for (const name of disallowPages.filter((name) => !known.includes(name)))
      report(`robots.rules.${index}.disallowPages`, `"${name}" is not a page type${didYouMean(name, known)}`)
  }
}

/** The part of a type that says whether it has pages and feeds. */
interface SomeType {
  readonly name: string
  readonly family: string
  readonly index: { readonly feed: FeedOptions | null } | null
}

/** The problem with links that need whole URLs when the site does not know its own. */
const NEEDS_BASE =
  'needs whole URLs: give the site its baseUrl, "https://example.org" (or staticBaseUrl), or each locale a hostname'

/** The part of a site that says where it is. */
interface SiteAddresses {
  readonly baseUrl: string | null
  readonly staticBaseUrl: string | null
  readonly locales: ReadonlyMap<string, { readonly hostname: string | null }>
}

/** Whether the whole URL of every page is known. */
function hasAbsoluteUrls({ baseUrl, staticBaseUrl, locales }: SiteAddresses): boolean {
  return (baseUrl ?? staticBaseUrl) !== null || [...locales.values()].every(({ hostname }) => hostname !== null)
}
