import { buildUrl, encodedStep, type UrlValue, withSteps } from '../../base/build-url.ts'
import type { Site } from '../../model/declared/types.ts'
import type { Context } from '../context.ts'
import type { BaseUrlOptions, FilterValue } from '../template-urls.ts'
import { baseUrlOf } from './document-url.ts'

type SiteFacts = { readonly site: Pick<Site, 'static'> }

/**
 * Returns the base URL (§4.6): the host name of the context's locale; else the base URL of the requesting static build;
 * else the site's base URL. The latter two with the site's prefix.
 */
export function getBaseUrl(ctx: Context, { strict, prefix = true, relative }: BaseUrlOptions = {}): string {
  const { site, locale } = ctx
  if (relative) return site.prefix
  const ofBuild = baseUrlOf(ctx, locale)
  if (site.locales.get(locale)?.hostname) return ofBuild
  const base = ofBuild === '' && strict ? baseUrlOf({ ...ctx, isStaticBuild: false }, locale) : ofBuild
  return prefix ? base + site.prefix : base
}

/**
 * The end of the URL of a filtered index page (§4.6): `?topic=art&page=2`, or with the site option `static`
 * `/topic/art/page/2`. A value that cannot be the name of a file everywhere, such as `a/b`, is in the query all the
 * same.
 */
export function getChoiceFilter({ site }: SiteFacts, name: string, value: FilterValue, page = 1): string {
  const text = String(value ?? '')
  return getFilters({ site }, text === '' ? [] : [{ name, value: text, isInUse: true }], { page })
}

/** The choice of one filter in a request to an index page. */
export interface ChosenFilter {
  readonly name: string
  readonly value: UrlValue
  /** It is one value that pieces have, spelled as links do: a path may name it. */
  readonly isInUse: boolean
}

/**
 * The end of the URL of an index page that several filters narrow, in the order of their declaration (§4.6). In static
 * style the first ones whose values can be steps are, as many as `inPath`; all others are in the query.
 */
export function getFilters(
  { site }: SiteFacts,
  chosen: readonly ChosenFilter[],
  { inPath = 1, page = 1 }: { readonly inPath?: number; readonly page?: number } = {},
): string {
  const steps = site.static ? chosen.filter(isInSteps).slice(0, inPath) : []
  const query = Object.fromEntries(chosen.filter((one) => !steps.includes(one)).map(({ name, value }) => [name, value]))
  if (!site.static || (steps.length === 0 && chosen.length > 0))
    return buildUrl('', query, { page: isFurther(page) ? page : null })
  const path = steps.map(({ name, value }) => `/${encodedStep(name)}/${encodedStep(String(value))}`)
  return path.join('') + getPageFilter({ site }, page) + buildUrl('', query)
}

function isInSteps({ name, value, isInUse }: ChosenFilter): boolean {
  return isInUse && isStep(name) && isStep(String(value))
}

/** The end of the URL of a further page of an index page (§4.6): `?page=2`, or `/page/2`. Nothing for the first. */
export function getPageFilter({ site }: SiteFacts, page: number): string {
  if (!isFurther(page)) return ''
  return `${site.static ? '/page/' : '?page='}${page}`
}

/** The URL of an index page with what `getChoiceFilter` or `getPageFilter` returns. */
export function withFilter(indexUrl: string, filter: string): string {
  return filter.startsWith('/') ? withSteps(indexUrl, filter) : indexUrl + filter
}

/** True when the request comes from an external front end that builds a static site (§4.6). */
export function isStaticBuild({ isExternalFront, isStaticBuild }: Pick<Context, 'isExternalFront' | 'isStaticBuild'>) {
  return isExternalFront && isStaticBuild
}

/** True when the request comes from an external front end (§4.6), with its key. */
export function isExternalFront({ isExternalFront }: Pick<Context, 'isExternalFront'>): boolean {
  return isExternalFront
}

/** The longest name of a file. */
const MAX_STEP = 255

/**
 * The characters that a step of a path may hold: browsers, static builds and file systems give them no other meaning. No dots
 * or spaces at its ends.
 */
const STEP = /^(?![. ])[\p{L}\p{M}\p{N} !$&'()+,\-.;=@_~]+(?<![. ])$/u

/** Names of devices on Windows, whatever follows their dot. */
const DEVICE = /^(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³]|con(?:in|out)\$) *(?:\.|$)/i

/** The folder of a page is not called as the files of other pages are. */
const HTML_FILE = /\.html?$/i

/** Whether a text can be a step of a path everywhere, and the name of a file (§4.6). */
export function isStep(text: string): boolean {
  const isPlain = STEP.test(text) && !DEVICE.test(text) && !HTML_FILE.test(text)
  return isPlain && encodedStep(text).length <= MAX_STEP
}

function isFurther(page: number): boolean {
  return Number.isSafeInteger(page) && page > 1
}
