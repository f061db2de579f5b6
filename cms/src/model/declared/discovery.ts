import { z } from 'zod'

const line = z.string().regex(/^[^\r\n\0]+$/, 'must be one line')
const path = z.string().regex(/^[/*][^\s#]*$/, 'must be a path, such as "/drafts/"')
const oneOrMore = z.union([line, z.array(line).min(1)]).transform((value) => [value].flat())

const RULE = z.strictObject({
  userAgent: oneOrMore.default(['*']),
  allow: z.array(path).default([]),
  disallow: z.array(path).default([]),
  /** Page types whose pages are forbidden, wherever they are. */
  disallowPages: z.array(z.string()).default([]),
})

/** A rule of robots.txt for some crawlers (§4.6). */
export type RobotsRule = z.infer<typeof RULE>

const LLMS = z.strictObject({
  title: line.optional(),
  summary: line.optional(),
  details: z.string().optional(),
})

/** The options of files for search engines and other machines (§4.6). */
export const DISCOVERY_OPTIONS = {
  robots: z.union([z.boolean(), z.strictObject({ rules: z.array(RULE).default([]) })]).default(false),
  sitemap: z.union([z.boolean(), z.strictObject({ lists: z.boolean().default(false) })]).default(false),
  llms: z.union([z.boolean(), LLMS]).default(false),
}

/** The files that a site offers to search engines and other machines (§4.6). */
export interface Discovery {
  /** The rules of robots.txt; null: the site has none. */
  readonly robots: readonly RobotsRule[] | null
  /** Whether further pages of index pages, and their filters, are in the sitemap; null: the site has none. */
  readonly sitemap: { readonly lists: boolean } | null
  /** Null: the site has no llms.txt. */
  readonly llms: z.infer<typeof LLMS> | null
}

/** The forms of feeds. */
export const FEED_FORMATS = ['rss', 'atom'] as const
export type FeedFormat = (typeof FEED_FORMATS)[number]

/** The feeds of an index page: which fields of a piece are the parts of an item (§4.6). */
export interface FeedOptions {
  readonly formats: readonly FeedFormat[]
  /** How many items, the newest first. */
  readonly items: number
  /** A field with a date, or `createdAt`. */
  readonly date: string
  readonly summary: string | null
  /** A relationship to an image. */
  readonly image: string | null
  /** A text, or a relationship, whose titles are the authors. */
  readonly author: string | null
}
