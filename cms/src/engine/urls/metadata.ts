import {
  type AttachmentUrls,
  CHANGE_FREQUENCIES,
  type LiteralUrl,
  type UrlEntry,
  type UrlMetadata,
} from '../../model/url-metadata.ts'
import type { AttachmentUrlOptions, Context } from '../context.ts'
import { readAccess } from '../permissions.ts'
import { baseUrlOf } from '../presentation/url.ts'
import { onSnapshot } from '../snapshot.ts'
import { attachmentUrls, uploadsUrlOf } from './attachment-urls.ts'
import { piecesView } from './index-lists.ts'
import { type ListedUrl, listedUrls } from './listed-urls.ts'
import { usedAttachments } from './used-attachments.ts'
import { visitorsContext } from './visitors.ts'

/** What is asked of URL metadata (§4.6). */
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
export interface MetadataSink {
  pages(entries: readonly UrlEntry[]): void
  attachments(results: readonly AttachmentUrls[]): void
}

/**
 * All URLs of a locale that visitors may see, and the files that they need (§4.6):
 *
 *     const { pages } = await getAllUrlMetadata(ctx, { excludeTypes: ['author'] })
 *
 * Whoever asks, it tells what is published and public.
 */
export async function getAllUrlMetadata(ctx: Context, options: UrlMetadataOptions = {}): Promise<UrlMetadata> {
  const pages: UrlEntry[] = []
  const results: AttachmentUrls[] = []
  await collectUrlMetadata(ctx, options, {
    pages: (entries) => void pages.push(...entries),
    attachments: (some) => void results.push(...some),
  })
  const asked = attachmentOptions(ctx, options)
  return { pages, attachments: asked === null ? null : { uploadsUrl: asked.uploadsUrl, results } }
}

/**
 * The same part by part, on one snapshot of the content. A constant number of statements for each 1,000 entries; in
 * memory are the tree of pages and the ids of what is listed, and all entries only where hooks change them.
 */
export function collectUrlMetadata(asked: Context, options: UrlMetadataOptions, sink: MetadataSink): Promise<void> {
  return onSnapshot(visitorsContext(asked), async (ctx) => {
    const attachments = attachmentOptions(ctx, options)
    const docIds = new Set<string>()
    for await (const listed of allUrls(ctx, options)) {
      const entries = listed.map(({ entry }) => entry)
      if (attachments?.scope === 'used') {
        for (const entry of entries) if ('aposDocId' in entry) docIds.add(entry.aposDocId)
      }
      sink.pages(entries)
    }
    if (attachments === null) return
    for await (const results of attachmentEntries(ctx, attachments, docIds)) sink.attachments(results)
  })
}

/** How many pieces have URLs in a locale, about: most entries are theirs. One statement for each type that has. */
export async function countPieces(asked: Context): Promise<number> {
  const ctx = visitorsContext(asked)
  const { types } = ctx.site
  const names = new Set([...types.values()].map(({ index }) => index?.piecesType))
  let count = 0
  for (const type of [...types.values()].filter(({ name }) => names.has(name))) {
    const access = readAccess(ctx.actor, type)
    if (access) count += await ctx.store.documents.count({ ...piecesView(ctx, type, access), conditions: [] })
  }
  return count
}

/** What `options` ask of attachments; null for nothing. */
export function attachmentOptions(
  ctx: Pick<Context, 'files'>,
  { attachments }: UrlMetadataOptions,
): AttachmentUrlOptions | null {
  if (!attachments) return null
  const { scope = 'used', sizes = [], skipSizes = [] } = attachments === true ? {} : attachments
  return { scope, sizes: sizes.length === 0 ? null : sizes, skipSizes, uploadsUrl: uploadsUrlOf(ctx) }
}

/** A URL of the metadata, with what other lists of URLs need beside it. */
export type Listing = Omit<ListedUrl, 'entry'> & { readonly entry: UrlEntry }

/** All URLs of a locale, with what hooks make of them. `ctx` is a visitor's, on a snapshot. */
export async function* allUrls(ctx: Context, options: UrlMetadataOptions = {}): AsyncGenerator<Listing[]> {
  yield* changedUrls(ctx, options.excludeTypes ?? [], async function* (excludeTypes) {
    yield* listedUrls(ctx, excludeTypes)
    const literals: LiteralUrl[] = []
    await ctx.hooks.run('listLiteralUrls', ctx, literals)
    yield literals.map(listing)
  })
}

/** The same without files that are written as they are. */
export async function* documentUrls(ctx: Context): AsyncGenerator<Listing[]> {
  yield* changedUrls(ctx, [], (excludeTypes) => listedUrls(ctx, excludeTypes))
}

async function* changedUrls(
  ctx: Context,
  excludeTypes: readonly string[],
  list: (excludeTypes: readonly string[]) => AsyncIterable<Listing[]>,
): AsyncGenerator<Listing[]> {
  if (!ctx.hooks.has('getAllUrlMetadata')) {
    yield* list(excludeTypes)
    return
  }
  const known = new Map<UrlEntry, Listing>()
  for await (const listed of list(excludeTypes)) for (const one of listed) known.set(one.entry, one)
  const entries = [...known.keys()]
  await ctx.hooks.run('getAllUrlMetadata', ctx, entries, { excludeTypes })
  yield settled(ctx, entries).map(([entry, given]) => ({ ...(known.get(given) ?? listing(entry)), entry }))
}

function listing(entry: UrlEntry): Listing {
  return { entry, title: '', updatedAt: null, isDocument: false }
}

/**
 * What hooks have made of the entries, each with what they left: documents without the base URL (§2.7), and no URL twice,
 * the first one wins. What is not an entry is left out, and logged.
 */
function settled(ctx: Context, entries: readonly UrlEntry[]): [entry: UrlEntry, given: UrlEntry][] {
  const bases = [true, false].map((isStaticBuild) => baseUrlOf({ ...ctx, isStaticBuild }, ctx.locale) + ctx.site.prefix)
  const byUrl = new Map<string, [UrlEntry, UrlEntry]>()
  for (const given of entries) {
    const entry = relative(given, bases)
    if (!isEntry(entry)) {
      ctx.log.error({ entry: given }, 'A hook getAllUrlMetadata has left what is not an entry. It is left out.')
    } else if (!byUrl.has(entry.url)) byUrl.set(entry.url, [entry, given])
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
  const { priority = 1, changefreq = 'daily' } = entry
  return typeof priority === 'number' && priority >= 0 && priority <= 1 && CHANGE_FREQUENCIES.includes(changefreq)
}

async function* attachmentEntries(
  ctx: Context,
  options: AttachmentUrlOptions,
  docIds: ReadonlySet<string>,
): AsyncGenerator<AttachmentUrls[]> {
  const used = options.scope === 'used' ? await usedAttachments(ctx, docIds) : new Set<string>()
  if (!ctx.hooks.has('getAllAttachmentMetadata')) {
    yield* attachmentUrls(ctx, options, used)
    return
  }
  const all: AttachmentUrls[] = []
  for await (const some of attachmentUrls(ctx, options, used)) all.push(...some)
  await ctx.hooks.run('getAllAttachmentMetadata', ctx, all, options)
  yield all
}
