import { inTime } from '../../base/patience.ts'
import type { AttachmentUrls, LiteralUrl, UrlEntry, UrlMetadata } from '../../model/declared/url-metadata.ts'
import type { Locale } from '../../model/terms/document-id.ts'
import type { Context } from '../context.ts'
import { onSnapshot } from '../contexts.ts'
import type { AttachmentUrlOptions } from '../events.ts'
import { baseUrlOf, localePath } from '../presentation/document-url.ts'
import { withFilter } from '../presentation/url-operations.ts'
import { viewOf } from '../view.ts'
import { FEED_TYPES, feedFormats, feedStep } from './feed-names.ts'
import { piecesView } from './index-lists.ts'
import { listedPages } from './listed-pages.ts'
import { type ListedUrl, listedUrls } from './listed-urls.ts'
import { isHints } from './sitemap-hints.ts'
import { attachmentUrls, uploadsUrlOf, usedAttachments } from './used-attachments.ts'
import { visitorsContext } from './visitors.ts'

/** Options of `getAllUrlMetadata` (§4.6). */
export interface UrlMetadataOptions {
  /** Types whose documents are left out. */
  readonly excludeTypes?: readonly string[]
  /** Whether, and which, files of attachments are listed. */
  readonly attachments?:
    | boolean
    | {
        readonly scope?: 'used' | 'all'
        /** Only these sizes; without any, all. */
        readonly sizes?: readonly string[]
        readonly skipSizes?: readonly string[]
      }
}

/** Takes the metadata part by part: first all pages, then all attachments. */
interface MetadataSink {
  pages(entries: readonly UrlEntry[]): void
  attachments(results: readonly AttachmentUrls[]): void
}

/**
 * All URLs of a locale that visitors may see, and the files that they need (§4.6):
 *
 *     const { pages } = await getAllUrlMetadata(ctx, { excludeTypes: ['author'] })
 *
 * Lists what is published and public, independent of the caller.
 */
export async function getAllUrlMetadata(ctx: Context, options: UrlMetadataOptions = {}): Promise<UrlMetadata> {
  const pages: UrlEntry[] = []
  const results: AttachmentUrls[] = []
  await collectUrlMetadata(ctx, options, {
    pages: (entries) => void pages.push(...entries),
    attachments: (some) => void results.push(...some),
  })
  const attachments = attachmentOptions(ctx, options)
  return { pages, attachments: attachments && { uploadsUrl: attachments.uploadsUrl, results } }
}

/**
 * Collects the URL metadata in parts, on one snapshot of the content. A constant number of statements for each 1,000
 * entries; in memory are the tree of pages and the ids of what is listed, and all entries only where hooks change them.
 */
export async function collectUrlMetadata(
  caller: Context,
  options: UrlMetadataOptions,
  sink: MetadataSink,
): Promise<void> {
  const ctx = visitorsContext(caller)
  const attachments = attachmentOptions(ctx, options)
  const isChanged = ctx.hooks.names.has('getAllAttachmentMetadata')
  const results: AttachmentUrls[] = []
  const take = (some: readonly AttachmentUrls[]) => {
    if (isChanged) results.push(...some)
    else sink.attachments(some)
  }
  const { excludeTypes = [] } = options
  const listing = { locales: [ctx.locale], excludeTypes, literals: await literalUrls(ctx, excludeTypes) }
  await withUrls(ctx, listing, async (snapshot, urlsIn) => {
    const docIds = new Set<string>()
    for await (const listed of urlsIn(ctx.locale)) {
      const entries = listed.map(({ entry }) => entry)
      if (attachments?.scope === 'used') {
        for (const entry of entries) if ('aposDocId' in entry) docIds.add(entry.aposDocId)
      }
      sink.pages(entries)
    }
    if (attachments === null) return
    const used = attachments.scope === 'used' ? await usedAttachments(snapshot, docIds) : new Set<string>()
    for await (const some of attachmentUrls(snapshot, attachments, used)) take(some)
  })
  if (attachments === null || !isChanged) return
  await inTime(
    'The hook getAllAttachmentMetadata',
    ctx.hooks.run('getAllAttachmentMetadata', ctx, results, attachments),
  )
  sink.attachments(results)
}

async function literalUrls(ctx: Context, excludeTypes: readonly string[]): Promise<UrlEntry[]> {
  const literals = await feedUrls(ctx, excludeTypes)
  await inTime('The hook listLiteralUrls', ctx.hooks.run('listLiteralUrls', ctx, literals))
  return entriesAfterHooks(ctx, literals, 'listLiteralUrls').map(([entry]) => entry)
}

/** Estimates how many pieces have URLs in a locale: most entries are theirs. One statement for each type. */
export async function countPieces(caller: Context): Promise<number> {
  const ctx = visitorsContext(caller)
  const { types } = ctx.site
  const names = new Set([...types.values()].map(({ index }) => index?.piecesType))
  let count = 0
  for (const type of [...types.values()].filter(({ name }) => names.has(name))) {
    const access = viewOf(ctx.actor, type)
    if (access) count += await ctx.store.documents.count({ ...piecesView(ctx, access), conditions: [] })
  }
  return count
}

/** The attachments that `options` select; null for none. */
export function attachmentOptions(
  ctx: Pick<Context, 'files'>,
  { attachments }: UrlMetadataOptions,
): AttachmentUrlOptions | null {
  if (!attachments) return null
  const { scope = 'used', sizes = [], skipSizes = [] } = attachments === true ? {} : attachments
  return { scope, sizes: sizes.length === 0 ? null : sizes, skipSizes, uploadsUrl: uploadsUrlOf(ctx) }
}

/** A URL of the metadata, with what other lists of URLs need in addition. */
export type Listing = Omit<ListedUrl, 'entry'> & { readonly entry: UrlEntry }

/** Selects the URLs to list. */
interface Listed {
  readonly locales: readonly Locale[]
  readonly excludeTypes?: readonly string[]
  /** Files that are written as they are; none when left out. */
  readonly literals?: readonly UrlEntry[]
}

/**
 * Runs `work` with the URLs of some locales, with what hooks make of them, on a snapshot. Hooks run before it, outside
 * of one: they may wait for others. `ctx` is a visitor's.
 */
export async function withUrls<T>(
  ctx: Context,
  listed: Listed,
  work: (snapshot: Context, urlsIn: (locale: Locale) => AsyncIterable<Listing[]>) => Promise<T>,
): Promise<T> {
  if (!ctx.hooks.names.has('getAllUrlMetadata')) {
    return onSnapshot(ctx, (snapshot) => work(snapshot, (locale) => ownUrls({ ...snapshot, locale }, listed)))
  }
  const changed = await changedUrls(ctx, listed)
  return onSnapshot(ctx, (snapshot) => {
    return work(snapshot, async function* (locale) {
      yield changed.get(locale) ?? []
    })
  })
}

async function* ownUrls(ctx: Context, { excludeTypes = [], literals = [] }: Listed): AsyncGenerator<Listing[]> {
  yield* listedUrls(ctx, excludeTypes)
  yield literals.map(listing)
}

/** Collects all URLs of each locale, as hooks leave them. */
async function changedUrls(ctx: Context, listed: Listed): Promise<Map<Locale, Listing[]>> {
  const own = await onSnapshot(ctx, async (snapshot) => {
    const found = new Map<Locale, Map<UrlEntry, Listing>>()
    for (const locale of listed.locales) {
      const inLocale = new Map<UrlEntry, Listing>()
      for await (const some of ownUrls({ ...snapshot, locale }, listed))
        for (const one of some) inLocale.set(one.entry, one)
      found.set(locale, inLocale)
    }
    return found
  })
  const changed = new Map<Locale, Listing[]>()
  for (const [locale, known] of own) {
    const inLocale = { ...ctx, locale }
    const entries = [...known.keys()]
    const { excludeTypes = [] } = listed
    await inTime('The hook getAllUrlMetadata', ctx.hooks.run('getAllUrlMetadata', inLocale, entries, { excludeTypes }))
    const left = entriesAfterHooks(inLocale, entries, 'getAllUrlMetadata')
    changed.set(
      locale,
      left.map(([entry, original]) => ({ ...(known.get(original) ?? listing(entry)), entry })),
    )
  }
  return changed
}

function listing(entry: UrlEntry): Listing {
  return { entry, title: '', updatedAt: null, isDocument: false, isPartOfList: false }
}

/**
 * Pairs each entry with its state after the hooks: documents without the base URL (§2.7), and no URL
 * twice, the first one wins. What is not an entry is left out, and logged.
 */
function entriesAfterHooks(
  ctx: Context,
  entries: readonly UrlEntry[],
  hook: string,
): [entry: UrlEntry, original: UrlEntry][] {
  const bases = [true, false].map((isStaticBuild) => baseUrlOf({ ...ctx, isStaticBuild }, ctx.locale) + ctx.site.prefix)
  const byUrl = new Map<string, [UrlEntry, UrlEntry]>()
  for (const original of entries) {
    const entry = relative(original, bases)
    if (!isEntry(entry)) {
      ctx.log.error({ entry: original }, `A hook ${hook} has added something that is not an entry. It is left out.`)
    } else if (!byUrl.has(entry.url)) byUrl.set(entry.url, [entry, original])
  }
  return [...byUrl.values()]
}

function relative(entry: UrlEntry, bases: readonly string[]): UrlEntry {
  if (typeof entry?.url !== 'string' || 'contentType' in entry) return entry
  const base = bases.find((one) => /^https?:/.test(one) && (entry.url === one || entry.url.startsWith(`${one}/`)))
  return base === undefined ? entry : { ...entry, url: entry.url.slice(base.length) || '/' }
}

/** Hooks are the site's own, and may be plain JavaScript. */
function isEntry(entry: UrlEntry): boolean {
  if (typeof entry?.url !== 'string' || !entry.url.startsWith('/') || entry.url.startsWith('//')) return false
  if ('contentType' in entry) return typeof entry.contentType === 'string'
  return isHints(entry)
}

/** The feeds of a locale as entries of URL metadata (§4.6). At most one statement. */
async function feedUrls(ctx: Context, excludeTypes: readonly string[]): Promise<LiteralUrl[]> {
  const { site, locale } = ctx
  if (feedFormats(site).length === 0) return []
  return (await listedPages(ctx)).pages.flatMap(({ slug, docId, pageType }) => {
    const formats = excludeTypes.includes(pageType.name) ? [] : (pageType.index?.feed?.formats ?? [])
    return formats.map((format) => ({
      url: withFilter(localePath(ctx, locale, slug), `/${feedStep(format)}`),
      contentType: FEED_TYPES[format],
      i18nId: `${docId}.${format}`,
      sitemap: false,
    }))
  })
}
