import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { HOUR_MS } from '../../base/durations.ts'
import { mayBeStored } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import { takeUploadLink } from '../../engine/access/take-upload-link.ts'
import type { Context } from '../../engine/context.ts'
import {
  dropFiles,
  type NamedFile,
  sizeFiles,
  storeFiles,
  withTemporaryFile,
} from '../../engine/media/attachment-files.ts'
import { shownAttachment } from '../../engine/media/attachments.ts'
import { fileName } from '../../engine/media/file-names.ts'
import { assertContributor, authorOf } from '../../engine/permissions.ts'
import { write } from '../../engine/write.ts'
import { textParameter } from '../../http/requests/read-parameters.ts'
import type { RouteRequest, UploadedFile } from '../../http/requests/route.ts'
import type { Inspected } from '../../images/inspect.ts'
import { openImages } from '../../images/open-images.ts'
import type { Attachment } from '../../store/contract/store.ts'

/**
 * Receives an upload (§4.3): reads it to a temporary file, inspects it, makes its sizes, stores all files and then the
 * row. Nothing is read before the caller may upload, and failures leave neither files nor a row. Throws what `inspect`
 * refuses, `toolarge`, and `unavailable` when files cannot be stored.
 */
export async function uploadFile(ctx: Context, { upload }: RouteRequest): Promise<JsonObject> {
  return receive(ctx, await upload.file())
}

/**
 * Receives a file by a link (§4.10), in the name of the key that made it, under the file name of the link. Throws `notfound`
 * for a link that was used, has expired or whose key was revoked, and else what `uploadFile` does.
 */
export async function uploadByLink(ctx: Context, { query, upload }: RouteRequest): Promise<JsonObject> {
  const { actor, name, mostBytes } = await takeUploadLink(ctx, textParameter(query, 'token') ?? '')
  assertContributor({ actor })
  const { stream } = await upload.file(mostBytes)
  return receive({ ...ctx, actor }, { name, stream })
}

function receive(ctx: Context, { name, stream }: Pick<UploadedFile, 'name' | 'stream'>): Promise<JsonObject> {
  return withTemporaryFile(async (path) => {
    await pipeline(stream, createWriteStream(path))
    return shownAttachment(ctx, { attachment: await importFile(ctx, path, name), uses: [] })
  })
}

/** Properties of a file that was uploaded elsewhere. */
export type UploadedElsewhere = Partial<Pick<Attachment, 'id' | 'name' | 'title' | 'createdAt' | 'updatedAt'>>

/**
 * Makes an attachment (§2.3) of a local file, as an upload of that name would. An SVG is cleaned in place. Throws
 * `invalid` for files that the site does not accept, `unavailable` when files cannot be stored.
 */
export async function importFile(
  ctx: Context,
  path: string,
  sentName: string,
  known: UploadedElsewhere = {},
): Promise<Attachment> {
  const { inspect, makeSizes } = await openImages()
  const inspected = await inspect(path, sentName, {
    groups: ctx.site.fileGroups,
    imageMemory: ctx.site.limits.imageMemory,
  })
  const sizes = await makeSizes(path, inspected)
  const attachment = { ...attachmentOf(ctx, inspected), ...known }
  const original = { name: fileName(attachment), content: { source: { path } } }
  await storeAttachment(ctx, attachment, [original, ...sizeFiles(attachment, sizes)])
  ctx.metrics.counter('quire_uploads_total', 'Files that were uploaded and stored.').add()
  return attachment
}

/** How long storing an upload may take until its files count as left over, in milliseconds. */

/**
 * Stores the files and then the row. The id is recorded before, so that a cleaning knows whose files a crash left over.
 */
async function storeAttachment(ctx: Context, attachment: Attachment, files: readonly NamedFile[]): Promise<void> {
  const { id } = attachment
  const due = new Date(ctx.now().getTime() + HOUR_MS).toISOString()
  await ctx.store.transaction((tx) => tx.attachments.recordLeftOver([id], due))
  await storeFiles(ctx, files)
  try {
    await write(ctx, async (ctx) => {
      await ctx.tx.attachments.add(attachment)
      const upload = {
        event: 'media.uploaded',
        reason: 'uploaded',
        type: '',
        docId: id,
        locale: '',
        modes: [],
      } as const
      await ctx.hooks.run('onChange', [upload], ctx)
    })
  } catch (error) {
    // A file whose document is not stored is left to the cleaning.
    const dropped = mayBeStored(error) ? [] : files.map(({ name }) => name)
    await dropFiles(ctx, dropped)
    throw error
  }
}

function attachmentOf(ctx: Context, { name, title, extension, group, length, md5, image }: Inspected): Attachment {
  const now = ctx.now()
  const time = now.toISOString()
  return {
    id: newId(),
    group,
    name,
    title,
    extension,
    length,
    md5,
    width: image?.width ?? null,
    height: image?.height ?? null,
    frames: image?.frames ?? null,
    crops: [],
    createdAt: time,
    updatedAt: time,
    uploadedBy: authorOf(ctx.actor)._id,
  }
}
