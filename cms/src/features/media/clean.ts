import { idTime } from '../../base/ids.ts'
import type { Context } from '../../engine/context.ts'
import { ATTACHMENTS, attachmentIdOf, cleanTemporaryFiles, dropFiles } from '../../engine/media/attachment-files.ts'
import { removeUnused } from './removed-files.ts'

/** How long what nobody names is kept, and how often it is looked for, in milliseconds. */
export const DAY_MS = 24 * 60 * 60 * 1000
const BATCH = 200

/** What a cleaning removed. */
export interface Cleaned {
  /** Uploads that nothing named. */
  readonly unused: number
  /** Files that belong to no upload. */
  readonly stray: number
}

/** Hears how far a long piece of work is. */
export type Said = (done: number, total: number) => void

/**
 * Removes uploads that are older than a day and that no document and no version names, and files that no upload of the
 * last day left behind (decisions 4.3). A database that knows of no upload at all is hardly the one that the files belong
 * to: then they stay. May run beside services, and be stopped and begun again at any moment.
 */
export async function cleanUploads(
  ctx: Context,
  said: Said = () => {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Cleaned> {
  const before = ctx.now().getTime() - DAY_MS
  await cleanTemporaryFiles()
  const isTheirs = (await ctx.store.attachments.count()) > 0
  const unused = await cleanUnused(ctx, { before, said, signal })
  const stray = isTheirs ? await cleanStray(ctx, { before, signal }) : 0
  return { unused, stray }
}

interface Run {
  /** What is younger stays: milliseconds since 1970. */
  readonly before: number
  readonly signal: AbortSignal
}

async function cleanUnused(ctx: Context, { before, signal, said }: Run & { readonly said: Said }): Promise<number> {
  const total = await ctx.store.attachments.count()
  let removed = 0
  let done = 0
  for (let after = ''; !signal.aborted; ) {
    const batch = await ctx.store.attachments.following(after, BATCH)
    const old = batch.filter(({ createdAt }) => Date.parse(createdAt) < before).map(({ id }) => id)
    removed += await removeUnused(ctx, [...(await ctx.store.attachments.unused(old))])
    done += batch.length
    said(Math.min(done, total), total)
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
    // A younger one may be on its way: its row comes after its files.
    if (id !== null && idTime(id) < before) names.push(name)
    if (names.length === BATCH) await removeStray()
  }
  await removeStray()
  return removed
}
