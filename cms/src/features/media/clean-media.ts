import { DAY_MS } from '../../base/durations.ts'
import { idTime } from '../../base/ids.ts'
import { isObject } from '../../base/json.ts'
import type { Context } from '../../engine/context.ts'
import type { RemovedEvent } from '../../engine/events.ts'
import { cleanTemporaryFiles, dropFiles } from '../../engine/media/attachment-files.ts'
import { attachmentIdOf, fileNames } from '../../engine/media/file-names.ts'
import { areFilesHeld } from '../../engine/media/held-files.ts'
import { storedValue, walk } from '../../model/values/walk.ts'
import { areUploadsLinked, fileBatches } from './uploads-link.ts'

/** The age at which unused uploads are removed, and how often that is checked, in milliseconds. */
const BATCH = 200
/** How many unknown files are listed. */
const MAX_NAMED = 1000

/** The message to an operator when nothing could be cleaned. */
export const NOT_LINKED =
  'The uploads may belong to another database: they are linked with another one, or hold files that this one never ' +
  'knew. Nothing was removed. If they belong to this database alone, run: quire media link'

/** The result of a cleaning. */
interface Cleaned {
  /** False when the uploads may belong to another database: then nothing was removed. */
  readonly isLinked: boolean
  /** Uploads that no document and no version names, which were removed. */
  readonly unused: number
  /** Files that were removed without being part of an upload any more. */
  readonly leftOver: number
  /** Files that this database never knew: how many, and the names of the first thousand. */
  readonly unknown: { readonly count: number; readonly names: readonly string[] }
}

/** Called with the progress of long work. */
export type OnProgress = (done: number, total: number) => void

/** How a cleaning runs. */
interface CleaningOptions {
  readonly onProgress?: OnProgress
  /** Stops the cleaning where it is. */
  readonly signal?: AbortSignal
  /** True to remove also files that this database never knew, when they are older than a day. */
  readonly removesUnknown?: boolean
}

/**
 * Removes uploads older than a day that no document and no version names, and files that this database recorded as left
 * over (§4.3), provided that the uploads and the database belong together. Unknown files are counted, and
 * removed only on request. May run alongside services, and be stopped at any moment.
 */
export async function cleanUploads(ctx: Context, options: CleaningOptions = {}): Promise<Cleaned> {
  await cleanTemporaryFiles()
  await ctx.files.clean()
  const isLinked = await areUploadsLinked(ctx)
  if (!isLinked) return { isLinked, unused: 0, leftOver: 0, unknown: { count: 0, names: [] } }
  const unused = await cleanUnused(ctx, options)
  return { isLinked, unused, ...(await new FileCleaning(ctx, options).run()) }
}

/**
 * Removes what uploads have left that were cut off when a process was killed: temporary files, half-written ones, and
 * files whose upload was never recorded; all of it older than an hour.
 */
export async function cleanKilled(ctx: Context, signal: AbortSignal): Promise<void> {
  await cleanTemporaryFiles()
  await ctx.files.clean()
  if (!(await ctx.store.attachments.hasLeftOver(ctx.now().toISOString())) || !(await areUploadsLinked(ctx))) return
  const { leftOver } = await new FileCleaning(ctx, { signal }).run()
  if (leftOver > 0) ctx.log.info({ leftOver }, 'Files of uploads that were cut off were removed.')
}

async function cleanUnused(ctx: Context, { onProgress, signal }: CleaningOptions): Promise<number> {
  const before = ctx.now().getTime() - DAY_MS
  const total = await ctx.store.attachments.count()
  let removed = 0
  let done = 0
  for (let after = ''; !signal?.aborted; ) {
    // An import may name them yet.
    if (await areFilesHeld(ctx)) break
    const batch = await ctx.store.attachments.following(after, BATCH)
    const old = batch.filter(({ createdAt }) => Date.parse(createdAt) < before).map(({ id }) => id)
    removed += await removeUnused(ctx, [...(await ctx.store.attachments.unused(old))])
    done += batch.length
    onProgress?.(Math.min(done, total), total)
    after = batch.at(-1)?.id ?? ''
    if (batch.length < BATCH) break
  }
  return removed
}

/** One walk through all files: those left over are removed, unknown ones are counted. */
class FileCleaning {
  readonly #ctx: Context
  readonly #options: CleaningOptions
  readonly #now: string
  readonly #names: string[] = []
  #leftOver = 0
  #unknown = 0
  #isComplete = true

  constructor(ctx: Context, options: CleaningOptions) {
    this.#ctx = ctx
    this.#options = options
    this.#now = ctx.now().toISOString()
  }

  async run(): Promise<Pick<Cleaned, 'leftOver' | 'unknown'>> {
    const { store } = this.#ctx
    for await (const names of fileBatches(this.#ctx)) {
      if (this.#options.signal?.aborted) this.#isComplete = false
      if (!this.#isComplete) break
      const ids = names.map((name) => attachmentIdOf(name) ?? '')
      const known = await store.attachments.existing(ids)
      const others = names.filter((_name, index) => !known.has(ids[index] ?? ''))
      // A backup may still read them.
      if (await areFilesHeld(this.#ctx)) this.#isComplete = false
      else await this.#clean(others, await store.attachments.leftOver(ids))
    }
    if (this.#isComplete) await store.transaction((tx) => tx.attachments.forgetLeftOverUntil(this.#now))
    return { leftOver: this.#leftOver, unknown: { count: this.#unknown, names: this.#names } }
  }

  /** Cleans files that belong to no upload. */
  async #clean(names: readonly string[], recorded: ReadonlyMap<string, string>): Promise<void> {
    const isDue = (name: string) => {
      const due = recorded.get(attachmentIdOf(name) ?? '')
      return due === undefined ? this.#mayRemoveUnknown(name) : due <= this.#now
    }
    const due = names.filter(isDue)
    if (due.length > 0 && (await dropFiles(this.#ctx, due))) this.#leftOver += due.length
    else if (due.length > 0) this.#isComplete = false
    const unknown = names.filter((name) => !recorded.has(attachmentIdOf(name) ?? '') && !isDue(name))
    this.#unknown += unknown.length
    this.#names.push(...unknown.slice(0, Math.max(0, MAX_NAMED - this.#names.length)))
  }

  /** Younger ones may be uploads in progress. */
  #mayRemoveUnknown(name: string): boolean {
    const isOld = idTime(attachmentIdOf(name) ?? '') < Date.parse(this.#now) - DAY_MS
    return this.#options.removesUnknown === true && isOld
  }
}

/** Removes the files of a deleted document and its versions, except those that something else names. */
export async function removeFilesWith({ type, removed, attachments }: RemovedEvent, ctx: Context): Promise<void> {
  const ids = new Set(attachments)
  for (const { fields } of removed) {
    for (const { field, values } of walk(type.fields, fields)) {
      const value = field.type.file ? storedValue(field, values) : null
      if (isObject(value)) ids.add(String(value._id))
    }
  }
  await removeUnused(ctx, [...ids])
}

/** Removes those of these attachments that nothing names, with their files. Returns how many. */
export async function removeUnused(ctx: Context, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const now = ctx.now().toISOString()
  const removed = await ctx.store.transaction((tx) => tx.attachments.removeUnused(ids, now))
  // Rows first: files left over by a crash in between are recorded, and go with the next cleaning.
  // They stay as well while a backup is made.
  if (removed.length === 0 || (await areFilesHeld(ctx))) return removed.length
  if (await dropFiles(ctx, removed.flatMap(fileNames))) {
    await ctx.store.transaction((tx) => tx.attachments.forgetLeftOver(removed.map(({ id }) => id)))
  }
  return removed.length
}
