import { turnToBlock } from '../../base/turns.ts'
import type { AttachmentUrls } from '../../model/declared/url-metadata.ts'
import { FILE_SIZES, hasSizes } from '../../model/terms/image-sizes.ts'
import { alternateOf, type Crop } from '../../model/values/crop.ts'
import type { Attachment } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import type { AttachmentUrlOptions } from '../events.ts'
import { ATTACHMENTS, fileName } from '../media/file-names.ts'

/** How many attachments are read at a time. */
const BATCH = 1000

/** Where browsers get uploads: `/uploads` below the site's prefix, or the URL of a bucket or a CDN. */
export function uploadsUrlOf({ files }: Pick<Context, 'files'>): string {
  const name = `${ATTACHMENTS}x`
  return files.url(name).slice(0, -name.length - 1)
}

/**
 * The files of attachments, by id (§4.6): of those in `used`, or of every one that is not archived. One or two
 * statements for each 1,000 of all attachments.
 */
export async function* attachmentUrls(
  ctx: Context,
  options: AttachmentUrlOptions,
  used: ReadonlySet<string>,
): AsyncGenerator<AttachmentUrls[]> {
  let after = ''
  for (;;) {
    await turnToBlock()
    const found = await ctx.store.attachments.following(after, BATCH)
    const last = found.at(-1)
    if (last === undefined) return
    after = last.id
    const listed = options.scope === 'all' ? await withoutArchived(ctx, found) : found.filter(({ id }) => used.has(id))
    yield listed.map((attachment) => filesOf(attachment, options)).filter(({ urls }) => urls.length > 0)
    if (found.length < BATCH) return
  }
}

async function withoutArchived(ctx: Context, found: readonly Attachment[]): Promise<Attachment[]> {
  const archived = await ctx.store.attachments.archived(found.map(({ id }) => id))
  return found.filter(({ id }) => !archived.has(id))
}

function filesOf(attachment: Attachment, { sizes, skipSizes }: AttachmentUrlOptions): AttachmentUrls {
  const path = (size: (typeof FILE_SIZES)[number], crop: Crop | null) =>
    `/${fileName(attachment, size === 'original' ? null : size, crop)}`
  if (!hasSizes(attachment)) return { _id: attachment.id, urls: [{ path: path('original', null) }] }
  const chosen = FILE_SIZES.filter((size) => (sizes?.includes(size) ?? true) && !skipSizes.includes(size))
  const paths = new Map<string, string>()
  // Existing clients name crops the other way round.
  for (const crop of [null, ...attachment.crops.flatMap((crop) => [crop, alternateOf(crop)])]) {
    for (const size of chosen) paths.set(path(size, crop), size)
  }
  return { _id: attachment.id, urls: [...paths].map(([path, size]) => ({ size, path })) }
}
