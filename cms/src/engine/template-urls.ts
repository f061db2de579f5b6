import type { buildUrl } from '../base/build-url.ts'

/** How templates make URLs (§4.6). */
export interface TemplateUrls {
  /** A URL with other parameters: `build(data.url, { sort: 'title' })`. */
  readonly build: typeof buildUrl
  /** Returns the base URL of the site: `https://example.org/prefix`. */
  getBaseUrl(options?: BaseUrlOptions): string
  /** The URL of another page of the index page that is shown; the filters stay. */
  getPageUrl(page: number): string
  /** Returns what to append to the URL of an index page to filter it. `data.filters` has whole URLs. */
  getChoiceFilter(name: string, value: FilterValue, page?: number): string
  /** Returns what to append to the URL of an index page for another page. `getPageUrl` is for the one that is shown. */
  getPageFilter(page: number): string
  /** Whether the page is rendered for an external front end that builds a static site. */
  isStaticBuild(): boolean
  /** Whether the page is rendered for an external front end. */
  isExternalFront(): boolean
}

/** The value of a filter of an index page. */
export type FilterValue = string | number | boolean | null | undefined

/** Options of `getBaseUrl`. */
export interface BaseUrlOptions {
  /** In a static build without a base URL of its own, the site's base URL counts, and not none. */
  readonly strict?: boolean
  /** Whether the site's prefix is added: true when left out. */
  readonly prefix?: boolean
  /** The site's prefix alone: the beginning of paths, for whatever host. */
  readonly relative?: boolean
}
