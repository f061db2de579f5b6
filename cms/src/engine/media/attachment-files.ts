import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HOUR_MS } from '../../base/durations.ts'
import { CmsError, unavailable } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { endsWithin } from '../../base/patience.ts'
import { hasCode } from '../../base/thrown.ts'
import { type FileContent, type Files, unusable } from '../../files/files.ts'
import type { ImageFacts } from '../../images/raster.ts'
import type { SizeName } from '../../model/terms/image-sizes.ts'
import type { Crop } from '../../model/values/crop.ts'
import type { Attachment } from '../../store/contract/store.ts'
import { fileName } from './file-names.ts'

/** Where files are stored; a context is one. */
interface FileStorage {
  readonly files: Files
  readonly log: Log
}

const TEMPORARY = 'quire-upload-'
/** How long a caller waits for the removal of files, in milliseconds. */
const DROP_MS = 3_000

/** A file to store. */
export interface NamedFile {
  readonly name: string
  readonly content: FileContent
}

/** Stores all of these files or none: when one fails, the others are removed, before this throws if that is quick. */
export async function storeFiles(ctx: FileStorage, files: readonly NamedFile[]): Promise<void> {
  try {
    await putFiles(ctx, files)
  } catch (error) {
    const names = files.map(({ name }) => name)
    // The storage may be silent again, while the caller waits.
    await endsWithin(DROP_MS, dropFiles(ctx, names))
    throw error
  }
}

/** Stores these files. Throws when one fails, once none is being stored any more. */
export async function putFiles(ctx: FileStorage, files: readonly NamedFile[]): Promise<void> {
  const stored = await Promise.allSettled(files.map(({ name, content }) => ctx.files.put(name, content)))
  const failed = stored.find((one) => one.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** Removes files; returns false when some could not be removed, which is logged and left to the next cleaning. */
export async function dropFiles(ctx: FileStorage, names: readonly string[]): Promise<boolean> {
  try {
    await ctx.files.remove(names)
    return true
  } catch (error) {
    // The storage logs the details itself.
    const why = error instanceof CmsError ? { reason: error.message } : { error }
    ctx.log.warn({ ...why, names }, 'Files could not be removed. The next cleaning will try again.')
    return false
  }
}

/** The sizes of an image or of a crop, with their file names. */
export function sizeFiles(
  attachment: Pick<Attachment, 'id' | 'name' | 'extension'>,
  sizes: readonly { readonly size: SizeName; readonly content: Uint8Array }[],
  crop: Crop | null = null,
): NamedFile[] {
  return sizes.map(({ size, content }) => ({ name: fileName(attachment, size, crop), content: { source: content } }))
}

/** The facts of an image that was inspected when uploaded; null for files that are not images. */
export function factsOf({ width, height, frames }: Attachment): ImageFacts | null {
  if (width === null || height === null || frames === null) return null
  return { width, height, frames, landscape: width > height, portrait: height > width }
}

/**
 * Runs `work` with the path of a private temporary file, which is removed afterwards. Throws
 * `unavailable` when the disk is full.
 */
export async function withTemporaryFile<Result>(work: (path: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), `${TEMPORARY}${process.pid}-`)).catch((error: unknown) => {
    throw noSpace(error)
  })
  try {
    return await work(join(folder, 'file'))
  } catch (error) {
    throw isOutOfSpace(error) ? noSpace(error) : error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function isOutOfSpace(error: unknown): boolean {
  return hasCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS')
}

function noSpace(error: unknown): Error {
  const cause = unusable(`There is no room for temporary files in ${tmpdir()}`, error)
  return unavailable('The server has no disk space for files at the moment. Try again later.', cause)
}

/**
 * Removes temporary files of processes of this machine that were killed: those untouched for an hour, whose process is
 * gone. What belongs to another user, or to a service that runs, stays.
 */
export async function cleanTemporaryFiles(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(TEMPORARY))
  for (const name of names) {
    const folder = join(tmpdir(), name)
    if (!runs(Number(name.slice(TEMPORARY.length).split('-', 1)[0])) && (await isLeft(folder)))
      await rm(folder, { recursive: true, force: true })
  }
}

/** Whether a folder, and the file in it, is ours and was not touched for an hour. */
async function isLeft(folder: string): Promise<boolean> {
  // Null: another process has removed it meanwhile, or there is no file.
  const [of, file] = await Promise.all([folder, join(folder, 'file')].map((path) => stat(path).catch(() => null)))
  const touched = Math.max(of?.mtimeMs ?? 0, file?.mtimeMs ?? 0)
  return of != null && of.uid === (process.getuid?.() ?? of.uid) && touched < Date.now() - HOUR_MS
}

/** Whether a process runs; one of another user does, too. */
function runs(processId: number): boolean {
  if (!Number.isInteger(processId) || processId <= 0) return false
  try {
    return process.kill(processId, 0)
  } catch (error) {
    return !hasCode(error, 'ESRCH')
  }
}
