import type { AttachmentUrls, LiteralUrl, UrlEntry, UrlMetadata } from '../../model/url-metadata.ts'
import type { AttachmentUrlOptions, Context } from '../context.ts'
import { baseUrlOf } from '../presentation/url.ts'
import { onSnapshot } from '../snapshot.ts'
import { attachmentUrls, uploadsUrlOf } from './attachment-urls.ts'
import { listedUrls } from './listed-urls.ts'
import { usedAttachments } from './used-attachments.ts'

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
    for await (const entries of pageEntries(ctx, options.excludeTypes ?? [])) {
      if (attachments?.scope === 'used') {
        for (const entry of entries) if ('aposDocId' in entry) docIds.add(entry.aposDocId)
      }
      sink.pages(entries)
    }
    if (attachments === null) return
    for await (const results of attachmentEntries(ctx, attachments, docIds)) sink.attachments(results)
  })
}

/** Lists hold what anybody may see, whoever asks for them. */
export function visitorsContext(ctx: Context): Context {
  return { ...ctx, actor: { kind: 'anonymous', visits: true }, mode: 'published' }
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

async function* pageEntries(ctx: Context, excludeTypes: readonly string[]): AsyncGenerator<UrlEntry[]> {
  if (!ctx.hooks.has('getAllUrlMetadata')) {
    yield* ownEntries(ctx, excludeTypes)
    return
  }
  const all: UrlEntry[] = []
  for await (const entries of ownEntries(ctx, excludeTypes)) all.push(...entries)
  await ctx.hooks.run('getAllUrlMetadata', ctx, all, { excludeTypes })
  yield settled(ctx, all)
}

async function* ownEntries(ctx: Context, excludeTypes: readonly string[]): AsyncGenerator<UrlEntry[]> {
  for await (const listed of listedUrls(ctx, excludeTypes)) yield listed.map(({ entry }) => entry)
  const literals: LiteralUrl[] = []
  await ctx.hooks.run('listLiteralUrls', ctx, literals)
  yield literals
}

/** What hooks have made of the entries: documents without the base URL (§2.7), and no URL twice, the first one wins. */
function settled(ctx: Context, entries: readonly UrlEntry[]): UrlEntry[] {
  const base = baseUrlOf(ctx, ctx.locale) + ctx.site.prefix
  const isAtBase = ({ url }: UrlEntry) => url === base || url.startsWith(`${base}/`)
  const byUrl = new Map<string, UrlEntry>()
  for (const entry of entries) {
    const isAbsolute = base !== '' && !('contentType' in entry) && isAtBase(entry)
    const url = isAbsolute ? entry.url.slice(base.length) || '/' : entry.url
    if (!byUrl.has(url)) byUrl.set(url, isAbsolute ? { ...entry, url } : entry)
  }
  return [...byUrl.values()]
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
