import { ByteWriter } from '../../base/byte-writer.ts'
import { notFound } from '../../base/errors.ts'
import { languageTag } from '../../base/text.ts'
import { xmlAttribute, xmlContent } from '../../base/xml.ts'
import type { Context } from '../../engine/context.ts'
import { absoluteUrl } from '../../engine/presentation/document-url.ts'
import { type Alternates, alternatesIn } from '../../engine/urls/alternates.ts'
import { type Listing, withUrls } from '../../engine/urls/collect-urls.ts'
import { publicLocalesAtHost, visitorsContext } from '../../engine/urls/visitors.ts'
import type { DocumentUrl } from '../../model/declared/url-metadata.ts'
import type { Locale } from '../../model/terms/document-id.ts'

/** The limits of one file, by the sitemap protocol. */
interface SitemapLimits {
  readonly urls: number
  readonly bytes: number
}

const LIMITS: SitemapLimits = { urls: 50_000, bytes: 50 * 1024 * 1024 }

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
const HEAD = `${DECLARATION}<urlset ${NAMESPACE} xmlns:xhtml="http://www.w3.org/1999/xhtml">\n`
const END = '</urlset>\n'
/** The bytes reserved for a file at first. */
const EXPECTED_BYTES = 64 * 1024

/** A file of a sitemap, and how many files there are. */
interface SitemapFile {
  /** Null where there is no such file. */
  readonly bytes: Uint8Array | null
  readonly files: number
}

/**
 * Writes one file of the sitemap of a host (§4.6), numbered from 1: all public locales there, with their alternates in
 * other languages, part by part. The files before it are made without being kept.
 */
export function sitemapFile(ctx: Context, wanted: number, limits: SitemapLimits = LIMITS): Promise<SitemapFile> {
  const visitors = visitorsContext(ctx)
  const locales = publicLocalesAtHost(visitors)
  return withUrls(visitors, { locales }, async (ctx, urlsIn) => {
    const answer = new ByteWriter(EXPECTED_BYTES)
    let file = { number: 1, urls: 0, bytes: HEAD.length + END.length }
    answer.write(HEAD)
    for await (const urls of sitemapUrls(ctx, locales, urlsIn)) {
      const texts: string[] = []
      for (const text of urls) {
        const bytes = Buffer.byteLength(text)
        if (file.urls === limits.urls || file.bytes + bytes > limits.bytes) {
          file = { number: file.number + 1, urls: 0, bytes: HEAD.length + END.length }
        }
        file.urls += 1
        file.bytes += bytes
        if (file.number === wanted) texts.push(text)
      }
      answer.write(texts.join(''))
    }
    answer.write(END)
    return { bytes: wanted <= file.number ? answer.written() : null, files: file.number }
  })
}

/** Counts the files of a host's sitemap: cached until the content changes. */
function countSitemapFiles(ctx: Context): Promise<number> {
  const { site, locale, isStaticBuild } = ctx
  const host = site.locales.get(locale)?.hostname ?? ''
  return ctx.caches.parts.fill(`files of the sitemap of ${host} ${isStaticBuild}`, async () => {
    return (await sitemapFile(ctx, 1)).files
  })
}

/** The index of a sitemap that takes several files. */
function sitemapIndex(ctx: Context, files: number): string {
  const urls = Array.from({ length: files }, (_, index) => absoluteUrl(ctx, ctx.locale, `/sitemaps/${index + 1}.xml`))
  const items = urls.map((url) => `<sitemap><loc>${xmlContent(url)}</loc></sitemap>\n`)
  return `${DECLARATION}<sitemapindex ${NAMESPACE}>\n${items.join('')}</sitemapindex>\n`
}

async function* sitemapUrls(
  ctx: Context,
  locales: readonly Locale[],
  urlsIn: (locale: Locale) => AsyncIterable<Listing[]>,
): AsyncGenerator<string[]> {
  const alternates = await alternatesIn(ctx)
  const withLists = ctx.site.discovery.sitemap?.lists === true
  // Hooks may add the same entries in all locales; then all entries are in memory anyway.
  const seen = ctx.hooks.names.has('getAllUrlMetadata') ? new Set<string>() : null
  for (const locale of locales) {
    const inLocale = { ...ctx, locale }
    for await (const listed of urlsIn(locale)) {
      const shown = listed
        .filter(isInSitemap)
        .filter(({ isPartOfList }) => withLists || !isPartOfList)
        .filter(({ entry }) => isNew(seen, entry.url))
      const found = await alternates(shown.filter(({ isDocument }) => isDocument).map(({ entry }) => entry.aposDocId))
      yield shown.map((one) => urlXml(inLocale, one, found))
    }
  }
}

/** Whether a URL was not there before; always without a set to look into. */
function isNew(seen: Set<string> | null, url: string): boolean {
  const isKnown = seen?.has(url) ?? false
  seen?.add(url)
  return !isKnown
}

type SitemapListing = Listing & { readonly entry: DocumentUrl }

function isInSitemap(listing: Listing): listing is SitemapListing {
  return !('contentType' in listing.entry) && listing.entry.sitemap !== false
}

function urlXml(ctx: Context, { entry, updatedAt, isDocument }: SitemapListing, alternates: Alternates): string {
  const { url, changefreq, priority, aposDocId } = entry
  const others = isDocument ? (alternates.get(aposDocId) ?? []) : []
  return [
    `<url><loc>${xmlContent(absoluteUrl(ctx, ctx.locale, url))}</loc>`,
    updatedAt === null ? '' : `<lastmod>${xmlContent(updatedAt)}</lastmod>`,
    changefreq === undefined ? '' : `<changefreq>${xmlContent(changefreq)}</changefreq>`,
    priority === undefined ? '' : `<priority>${priority.toFixed(1)}</priority>`,
    ...(others.length > 1 ? alternatesXml(ctx, others) : []),
    '</url>\n',
  ].join('')
}

function alternatesXml({ site }: Context, others: readonly { locale: Locale; url: string }[]): string[] {
  const link = (language: string, url: string) =>
    `<xhtml:link rel="alternate" hreflang="${xmlAttribute(language)}" href="${xmlAttribute(url)}"/>`
  const fallback = others.find(({ locale }) => locale === site.defaultLocale)
  return [
    ...others.map(({ locale, url }) => link(languageTag(locale), url)),
    ...(fallback === undefined ? [] : [link('x-default', fallback.url)]),
  ]
}

/** The sitemap, or the index of its files. */
export async function sitemap(ctx: Context): Promise<string | Uint8Array> {
  const { bytes, files } = await sitemapFile(ctx, 1)
  return bytes === null || files > 1 ? sitemapIndex(ctx, files) : bytes
}

/** A file of a sitemap that takes several, by its name: `2.xml`. Throws `notfound`. */
export async function numberedSitemap(
  ctx: Context,
  { file = '' }: { readonly [name: string]: string },
): Promise<Uint8Array> {
  const [, number] = /^([1-9]\d{0,5})\.xml$/.exec(file) ?? []
  const files = number === undefined ? 1 : await countSitemapFiles(ctx)
  const found = files === 1 || Number(number) > files ? null : await sitemapFile(ctx, Number(number))
  // Null where the content has changed meanwhile.
  if (found === null || found.bytes === null) throw notFound()
  return found.bytes
}

/** The paths of the files of a sitemap that takes several; none where it is one. */
export async function sitemapPaths(ctx: Context): Promise<readonly string[]> {
  const files = await countSitemapFiles(ctx)
  return files === 1 ? [] : Array.from({ length: files }, (_, index) => `/sitemaps/${index + 1}.xml`)
}
