import type { JsonObject } from '../../base/json.ts'

/** A document as answers hold it: what its declared fields are is not known here. */
export interface ShownDocument extends JsonObject {
  _id: string
  aposDocId: string
  type: string
  title: string
  slug: string
}

/** Which template renders a page. */
export interface PageTarget {
  /** The page type; null for failures. */
  readonly type: string | null
  readonly template: 'page' | 'index' | 'show' | 'notFound' | 'error'
  /** Only the refreshable part (`aposRefresh=1`). */
  readonly isRefresh: boolean
}

/** Where features add HTML to a page. */
export type PageSlot = 'prependHead' | 'appendHead' | 'prependBody' | 'appendBody' | 'prependMain' | 'appendMain'

/**
 * Everything that a page is rendered with (§4.2b): what templates get as `data`, and what an external front end gets as
 * JSON. Documents are as the visitor may see them. `Page` is what a template knows of its page, and `Other` of all
 * other documents.
 */
export interface PageData<Page = JsonObject | null, Other = JsonObject> extends Record<PageSlot, string> {
  /** The page, or the index page of a piece; null where nothing was found. */
  page: Page
  /** On show pages: the piece. */
  piece?: Other
  /** On show pages: its neighbours in the order of the index; null at either end. */
  previous?: Other | null
  next?: Other | null
  /** On index pages: the pieces of this page of the index. */
  pieces?: Other[]
  currentPage?: number
  totalPages?: number
  totalPieces?: number
  /** On index pages: the filters with the values in use. */
  filters?: PageFilter[]
  piecesFilters?: { [name: string]: FilterChoice[] }
  /** The home page with two levels of `_children`. */
  home: Other | null
  /** The global document. */
  global: Other
  locale: string
  i18n: JsonObject
  /** This page in all locales that the visitor may know of. */
  localizations: PageLocalization[]
  /** Whoever is signed in; absent for visitors. */
  user?: JsonObject
  query: JsonObject
  /** Path and query, as requested. */
  url: string
  /** The path below the prefixes of the site and of the locale. */
  slug: string
  baseUrl: string
  baseUrlWithPrefix: string
  absoluteUrl: string
  /** Links to further pages and to filters are paths, not queries (site option `static`). */
  staticUrls: boolean
  /** `article-page:index`. */
  template: string
  module: string
  aposBodyData: JsonObject
  aposBodyClasses: string
  bundleMarkup: { js: string[]; css: string[] }
  /** What the `data` function of the type has loaded. */
  data?: unknown
  /** What `beforeSend` hooks add. */
  [name: string]: unknown
}

/** A filter of an index page. */
export interface PageFilter {
  name: string
  label: string
  choices: (FilterChoice & { _url: string; active?: true })[]
}

/** A value to filter by. */
interface FilterChoice {
  value: string | number | boolean
  label: string
  /** How many pieces have it. */
  count?: number
}

/** A page in one locale. */
export interface PageLocalization {
  locale: string
  label: string
  direction: 'ltr' | 'rtl'
  /** The home page of the locale. */
  homePageUrl: string
  /** There is this page in the locale. */
  available: boolean
  /** It is the locale of this page. */
  current: boolean
  /** This page in the locale, or the locale's home page. */
  _url: string
}
