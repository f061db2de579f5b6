import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { CmsError, invalid, tooLarge } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { withTemporaryFile } from '../../engine/media/attachment-files.ts'
import { makeCrop } from '../../engine/media/crops.ts'
import { importFile, type UploadedElsewhere } from '../../features/media/upload-file.ts'
import { isFileName } from '../../files/stored-names.ts'
import { isId } from '../../model/terms/document-id.ts'
import type { Crop } from '../../model/values/crop.ts'
import type { ImportReport } from './import-report.ts'

/** A file to import, with the id it is to have. */
export interface IncomingFile extends UploadedElsewhere {
  readonly id: string
  /** As it would be sent with an upload. */
  readonly fileName: string
  readonly crops: readonly Crop[]
}

/** Writes a file to a path. Throws `toolarge` before it writes more bytes than there may be. */
export type Fetch = (path: string, most: number) => Promise<void>

/**
 * Imports a file as an upload would, unless it is there, and makes its crops where they are missing. Whether it was
 * added; a file that is refused is reported.
 */
export async function importMedia(
  ctx: Context,
  file: IncomingFile,
  report: ImportReport,
  fetch: Fetch,
): Promise<'added' | 'unchanged' | 'refused'> {
  const { id, fileName, crops, ...known } = file
  try {
    if (!isId(id) || !isFileName(fileName) || fileName.includes('/')) {
      throw invalid('Its id or its name is not one that a file can have here.')
    }
    const there = (await ctx.store.attachments.byIds([id])).get(id)?.attachment
    const attachment =
      there ??
      (await withTemporaryFile(async (path) => {
        await fetch(path, ctx.site.limits.uploadBytes)
        return importFile(ctx, path, fileName, { id, ...known })
      }))
    for (const crop of crops) await importCrop(ctx, { attachment, crop }, report)
    return there === undefined ? 'added' : 'unchanged'
  } catch (error) {
    if (!(error instanceof CmsError) || error.name === 'unavailable') throw error
    report.add({ what: 'file refused', type: 'attachment', id, message: `${fileName}: ${error.message}` })
    return 'refused'
  }
}

async function importCrop(ctx: Context, needed: Parameters<typeof makeCrop>[1], report: ImportReport): Promise<void> {
  const { attachment, crop } = needed
  const { top, left, width, height } = crop
  const value = { top, left, width, height }
  const isInside =
    attachment.width !== null &&
    attachment.height !== null &&
    Object.values(value).every((number) => Number.isInteger(number) && number >= 0) &&
    width > 0 &&
    height > 0 &&
    left + width <= attachment.width &&
    top + height <= attachment.height
  try {
    if (isInside) return await makeCrop(ctx, { attachment, crop: value })
    report.add({
      what: 'crop outside of the image',
      type: 'attachment',
      id: attachment.id,
      message: 'Not made.',
      value,
    })
  } catch (error) {
    if (!(error instanceof CmsError) || error.name === 'unavailable') throw error
    report.add({ what: 'crop refused', type: 'attachment', id: attachment.id, message: error.message, value })
  }
}

/** Throws `toolarge` for a file that has more bytes than an upload may have (§4.3). */
export function assertNotTooLarge(bytes: number, most: number): void {
  if (bytes > most) throw tooLarge(`It has ${bytes} bytes, and a file may have ${most}.`)
}

/** Writes a stream to a path. */
export function writeTo(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  return pipeline(content, createWriteStream(path))
}
