/** A rule of robots.txt for some crawlers (§4.6). */
export interface RobotsRule {
  readonly userAgent: readonly string[]
  readonly allow: readonly string[]
  readonly disallow: readonly string[]
  /** Page types whose pages are forbidden, wherever they are. */
  readonly disallowPages: readonly string[]
}

/** The introduction of llms.txt. */
interface LlmsOptions {
  readonly title?: string | undefined
  readonly summary?: string | undefined
  readonly details?: string | undefined
}

/** The files that a site offers to search engines and other machines (§4.6). */
export interface Discovery {
  /** The rules of robots.txt; null: the site has none. */
  readonly robots: readonly RobotsRule[] | null
  /** Whether further pages of index pages, and their filters, are in the sitemap; null: the site has none. */
  readonly sitemap: { readonly lists: boolean } | null
  /** Null: the site has no llms.txt. */
  readonly llms: LlmsOptions | null
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
