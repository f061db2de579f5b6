import { waitForTurn } from '../../base/turns.ts'
import type { AttachmentUrls } from '../../model/declared/url-metadata.ts'
import type { DocId } from '../../model/terms/document-id.ts'
import { FILE_SIZES, hasSizes } from '../../model/terms/image-sizes.ts'
import { alternateOf, type Crop } from '../../model/values/crop.ts'
import type { Attachment, StoredReference } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import type { AttachmentUrlOptions } from '../events.ts'
import { ATTACHMENTS, fileName } from '../media/file-names.ts'
import { fixedId } from '../values/fixed-id.ts'
import { viewsOf } from '../view.ts'

/** How many documents' references are read at a time. */
const DOCUMENTS_AT_ONCE = 1000

/**
 * The attachments that these documents and those of the whole site use, themselves or through what their relationships
 * and texts lead to, as far as visitors may see it (§4.6). One statement for each 1,000 documents.
 */
export async function usedAttachments(ctx: Context, docIds: Iterable<DocId>): Promise<Set<string>> {
  const used = new Set<string>()
  const ids = [...docIds, ...['global', 'styles'].map((name) => fixedId(`${ctx.site.namespace}/${name}`))]
  const reached = new Set(ids)
  // The list grows by what is found.
  for (let start = 0; start < ids.length; ) {
    await waitForTurn()
    const batch = ids.slice(start, start + DOCUMENTS_AT_ONCE)
    start += batch.length
    const found = await ctx.store.documents.references(batch, ctx.locale)
    for (const { kind, id } of found.filter(isSeen(ctx))) {
      if (kind === 'attachment') used.add(id)
      if (kind === 'attachment' || reached.has(id)) continue
      reached.add(id)
      ids.push(id)
    }
  }
  return used
}

/** Whether visitors may see the field that a reference lies in. */
function isSeen(ctx: Context): (reference: StoredReference) => boolean {
  const views = viewsOf(ctx)
  return ({ type, indexName }) => {
    const view = views.of(type)
    return view !== null && (indexName === '*' || view.field(indexName) !== null)
  }
}

/** How many attachments are read at a time. */
const BATCH = 1000

/** Returns the URL of uploads: `/uploads` below the site's prefix, or the URL of a bucket or a CDN. */
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
    await waitForTurn()
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
