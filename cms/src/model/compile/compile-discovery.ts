import { z } from 'zod'
import type { Discovery, FeedOptions } from '../declared/discovery.ts'
import type { Report } from '../terms/configuration-error.ts'

const line = z.string().regex(/^[^\r\n\0]+$/, 'must be one line')
const path = z.string().regex(/^[/*][^\s#]*$/, 'must be a path: "/drafts/"')
const oneOrMore = z.union([line, z.array(line).min(1)]).transform((value) => [value].flat())

const RULE = z.strictObject({
  userAgent: oneOrMore.default(['*']),
  allow: z.array(path).default([]),
  disallow: z.array(path).default([]),
})

const LLMS = z.strictObject({
  title: line.optional(),
  summary: line.optional(),
  details: z.string().optional(),
})

/** The options of files for search engines and other machines (§4.6). */
export const DISCOVERY_OPTIONS = {
  robots: z.union([z.boolean(), z.strictObject({ rules: z.array(RULE).default([]) })]).default(false),
  sitemap: z.boolean().default(false),
  llms: z.union([z.boolean(), LLMS]).default(false),
}

/** Those options, read. */
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
  return {
    robots: robots === false ? null : robots === true ? [] : robots.rules,
    sitemap,
    llms: llms === false ? null : llms === true ? {} : llms,
  }
}

/** The part of a type that says whether it has feeds. */
interface SomeType {
  readonly name: string
  readonly index: { readonly feed: FeedOptions | null } | null
}

/** What is wrong with links that must be whole URLs on a site that does not know its own. */
const NEEDS_BASE =
  'needs whole URLs: give the site its baseUrl, "https://example.org" (or staticBaseUrl), or each locale a hostname'

/** The part of a site that says where it is. */
interface SiteAddresses {
  readonly baseUrl: string | null
  readonly staticBaseUrl: string | null
  readonly locales: ReadonlyMap<string, { readonly hostname: string | null }>
}

/** Whether every URL of the site can be told whole. */
function hasAbsoluteUrls({ baseUrl, staticBaseUrl, locales }: SiteAddresses): boolean {
  return (baseUrl ?? staticBaseUrl) !== null || [...locales.values()].every(({ hostname }) => hostname !== null)
}
