import { idTime } from '../../base/ids.ts'
import type { Context } from '../../engine/context.ts'
import { ATTACHMENTS, attachmentIdOf, cleanTemporaryFiles, dropFiles } from '../../engine/media/attachment-files.ts'
import { removeUnused } from './removed-files.ts'

/** The age at which unused uploads are removed, and how often that is checked, in milliseconds. */
export const DAY_MS = 24 * 60 * 60 * 1000
const BATCH = 200

/** What a cleaning removed: numbers of uploads and of files. */
export interface Cleaned {
  /** Uploads that no document and no version names. */
  readonly unused: number
  /** Files that belong to no upload. */
  readonly stray: number
}

/** Called with the progress of long work. */
export type OnProgress = (done: number, total: number) => void

/**
 * Removes uploads older than a day that no document and no version names, and files that belong to no upload (§4.3). A
 * database without any uploads is probably not the one that the files belong to: then they stay. May run beside
 * services, and be stopped at any moment.
 */
export async function cleanUploads(
  ctx: Context,
  onProgress: OnProgress = () => {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Cleaned> {
  const before = ctx.now().getTime() - DAY_MS
  await cleanTemporaryFiles()
  const isTheirs = (await ctx.store.attachments.count()) > 0
  const unused = await cleanUnused(ctx, { before, onProgress, signal })
  const stray = isTheirs ? await cleanStray(ctx, { before, signal }) : 0
  return { unused, stray }
}

interface Run {
  /** Younger uploads stay: milliseconds since 1970. */
  readonly before: number
  readonly signal: AbortSignal
}

async function cleanUnused(
  ctx: Context,
  { before, signal, onProgress }: Run & { readonly onProgress: OnProgress },
): Promise<number> {
  const total = await ctx.store.attachments.count()
  let removed = 0
  let done = 0
  for (let after = ''; !signal.aborted; ) {
    const batch = await ctx.store.attachments.following(after, BATCH)
    const old = batch.filter(({ createdAt }) => Date.parse(createdAt) < before).map(({ id }) => id)
    removed += await removeUnused(ctx, [...(await ctx.store.attachments.unused(old))])
    done += batch.length
    onProgress(Math.min(done, total), total)
    after = batch.at(-1)?.id ?? ''
    if (batch.length < BATCH) break
  }
  return removed
}

async function cleanStray(ctx: Context, { before, signal }: Run): Promise<number> {
  let removed = 0
  let names: string[] = []
  const removeStray = async () => {
    const known = await ctx.store.attachments.existing(names.map((name) => attachmentIdOf(name) ?? ''))
    const stray = names.filter((name) => !known.has(attachmentIdOf(name) ?? ''))
    if (stray.length > 0) await dropFiles(ctx, stray)
    removed += stray.length
    names = []
  }
  for await (const name of ctx.files.list(ATTACHMENTS)) {
    if (signal.aborted) break
    const id = attachmentIdOf(name)
    // A younger one may be an upload in progress: its row is written after its files.
    if (id !== null && idTime(id) < before) names.push(name)
    if (names.length === BATCH) await removeStray()
  }
  await removeStray()
  return removed
}
