/** A page of the site at a URL of its own (§2.7): a document, or a further page of an index. */
export interface DocumentUrl extends SitemapHints {
  /** Relative, without the site's prefix: `/fr/articles/my-trip`. */
  url: string
  type: string
  aposDocId: string
  /** Identifies the document in all locales. */
  i18nId: string
  _id: string
  /** `false`: not for sitemaps. */
  sitemap?: boolean
}

/** Content at a URL that is written as it is, not rendered (§2.7): `robots.txt`, a stylesheet. */
export interface LiteralUrl {
  /** Relative, without the site's prefix, beginning with `/`. */
  url: string
  contentType: string
  i18nId: string
  sitemap?: boolean
}

/** An entry of the URL metadata (§2.7). */
export type UrlEntry = DocumentUrl | LiteralUrl

/** The files of an attachment (§4.6). */
export interface AttachmentUrls {
  _id: string
  /** Where these files are, if not below `uploadsUrl`. */
  base?: string
  /** Relative to where uploads are. Only images that are made into sizes have them; crops have the same ones. */
  urls: { size?: string; path: string }[]
}

/** All URLs that a static build writes (§4.6). */
export interface UrlMetadata {
  readonly pages: UrlEntry[]
  readonly attachments: { readonly uploadsUrl: string; readonly results: AttachmentUrls[] } | null
}

/** How often search engines should look at a page, by the sitemap protocol. */
export const CHANGE_FREQUENCIES = ['always', 'hourly', 'daily', 'weekly', 'monthly', 'yearly', 'never'] as const

/** The hints of a page in sitemaps (§2.7). */
export interface SitemapHints {
  changefreq?: (typeof CHANGE_FREQUENCIES)[number] | undefined
  /** From 0 to 1. */
  priority?: number | undefined
}

/** The hints of a type's documents in sitemaps; `false` leaves them out. */
export type SitemapRule =
  | SitemapHints
  | false
  // The fields of the type, which only its declaration knows.
  | ((document: never) => SitemapHints | false | undefined)
