import type { Json, JsonObject } from '../base/json.ts'
import type { Locale } from './document.ts'

/** A document as an answer holds it: what its declared fields are is not known here. */
export interface ShownDocument extends JsonObject {
  _id: string
  aposDocId: string
  type: string
  title: string
  slug: string
}

/** A way to narrow an index page: a field or relationship, and its values in use. */
export interface PieceFilter extends JsonObject {
  name: string
  choices: FilterChoice[]
}

/** One value of a filter; `active` on the one that is chosen. */
export interface FilterChoice extends JsonObject {
  value: Json
  label: string
  _url: string
}

/** The page in one of the site's locales. */
export interface Localization {
  locale: Locale
  label: string
  direction: 'ltr' | 'rtl'
  /** Where the locale begins. */
  homePageUrl: string
  /** Whether the page is there in that locale. */
  available: boolean
  /** True for the locale of this page. */
  current: boolean
  /** The page there, or the locale's home. */
  _url: string
}

/** HTML that features add to a page, by where it goes. */
export type PageSlot = 'prependHead' | 'appendHead' | 'prependBody' | 'appendBody' | 'prependMain' | 'appendMain'

/**
 * What a page is drawn from (§4.2b): one object for templates and for external front ends. `Page` is null where no page
 * was found.
 */
export interface PageData<Page = ShownDocument> extends Record<PageSlot, string> {
  page: Page
  /** The piece of a show page; `page` is then the index page. */
  piece?: ShownDocument
  /** The pieces of an index page. */
  pieces?: ShownDocument[]
  currentPage?: number
  totalPages?: number
  totalPieces?: number
  filters?: PieceFilter[]
  /** The choices of each filter, by its name. */
  piecesFilters?: { [filter: string]: FilterChoice[] }
  previous?: ShownDocument | null
  next?: ShownDocument | null
  /** The home page with two levels of `_children`. */
  home: ShownDocument | null
  global: ShownDocument | null
  locale: Locale
  i18n: { direction: 'ltr' | 'rtl'; label: string; [name: string]: Json }
  localizations: Localization[]
  /** The caller, where he is signed in. */
  user?: JsonObject
  query: JsonObject
  /** The path that was asked for, with its query. */
  url: string
  /** Whether further pages are `/page/2` and not `?page=2`. */
  staticUrls: boolean
  /** `article-page:index`: the type, and which of its templates. */
  template: string
  module: string
  aposBodyData?: JsonObject
  aposBodyClasses: string
  bundleMarkup: { js: string[]; css: string[] }
  /** What the `data` of the type has loaded. */
  data?: unknown
}
