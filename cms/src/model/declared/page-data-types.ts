import type { Json, JsonObject } from '../../base/json.ts'

/** A document as answers hold it: what its declared fields are is not known here. */
export interface ShownDocument extends JsonObject {
  _id: string
  aposDocId: string
  type: string
  title: string
  slug: string
  /** Its locale, where it stands in for a document that the locale of the page does not have (§4.5). */
  _fallback?: string
}

/** A file as answers hold it (§2.3). */
export interface ShownAttachment extends JsonObject {
  _id: string
  type: 'attachment'
  name: string
  title: string
  extension: string
  group: string
  length: number
  width?: number
  height?: number
  _url: string
}

/** A file piece as answers hold it. */
export interface ShownFile extends ShownDocument {
  alt: string
  credit: string
  attachment: ShownAttachment | null
}

/** An image piece as a relationship holds it. */
export interface ShownImage extends ShownFile {
  _fields: { x?: number | null; y?: number | null; [name: string]: Json | undefined } & JsonObject
}

/** The template that renders a page. */
export interface PageTarget {
  /** The page type; null for failures. */
  readonly type: string | null
  readonly template: 'page' | 'index' | 'show' | 'notFound' | 'error'
  /** Only the refreshable part (`aposRefresh=1`). */
  readonly isRefresh: boolean
  /** Parts say where they come from, for those who may edit them (`aposEdit=1`, §11.4). */
  readonly isMarked: boolean
}

/** Where features add HTML to a page. */
export type PageSlot = 'prependHead' | 'appendHead' | 'prependBody' | 'appendBody' | 'prependMain' | 'appendMain'

/**
 * The data of a page (§4.2b): `data` in templates, JSON for an external front end. Documents are as the visitor may see
 * them. `Page` is the type of the page, `Other` that of pieces. Where the site is known: `TemplateData`.
 */
export interface PageData<Page = JsonObject | null, Other = JsonObject, Home = Other, Global = Other>
  extends Record<PageSlot, string> {
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
  /** On index pages that are filtered: the whole list. */
  clearUrl?: string
  /** The home page with two levels of `_children`. */
  home: Home | null
  /** The global document. `_fallbacks` names the fields that are shown in another locale, and which (§4.5). */
  global: Global
  locale: string
  i18n: JsonObject
  /** This page in all locales that the visitor may know of. */
  localizations: PageLocalization[]
  /** The signed-in user; absent for visitors. */
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
  /** The result of the type's `data` function. */
  data?: unknown
  /** Properties that `beforeSend` hooks add. */
  [name: string]: unknown
}

/** A filter of an index page. */
export interface PageFilter {
  name: string
  label: string
  /** Where the list is filtered by it: the list without this filter; the others stay. */
  clearUrl?: string
  choices: LinkedChoice[]
}

/** A choice with its link. */
interface LinkedChoice extends FilterChoice {
  /** The list with this choice, or of an active one without it. Other filters stay. */
  _url: string
  /** The list is filtered by it. */
  active?: true
}

/** A value to filter by. */
export interface FilterChoice {
  value: string | number | boolean
  label: string
  /** The type of a related document, of a relationship to several types. */
  type?: string
  /** How many pieces the list has with it; other filters stay. */
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
