import { text } from 'node:stream/consumers'
import { inBatches } from '../../base/batches.ts'
import { newId } from '../../base/ids.ts'
import type { Context } from '../../engine/context.ts'
import { ATTACHMENTS, attachmentIdOf } from '../../engine/media/file-names.ts'

/** The file in the folder or bucket that holds the same random id as the setting of the database. */
export const LINK_FILE = 'quire-database.txt'
/** The setting of the database that holds it. */
export const LINK = 'uploads link'
const BATCH = 200

/**
 * True when the uploads and the database belong together: both hold the same id (§4.3). Where neither the folder or
 * bucket has one, nor files that this database does not know, they are linked now.
 */
export async function areUploadsLinked(ctx: Context): Promise<boolean> {
  const id = await readLinkFile(ctx)
  if (id !== null) return id === (await ctx.store.settings.get(LINK))
  if (await hasUnknownFiles(ctx)) return false
  await linkUploads(ctx)
  // Another database may have done the same at the same moment.
  return (await readLinkFile(ctx)) === (await ctx.store.settings.get(LINK))
}

/**
 * Links the uploads with this database, whatever they were linked with before: for an operator who knows that they
 * belong together.
 */
export async function linkUploads(ctx: Context): Promise<void> {
  const inFiles = await readLinkFile(ctx)
  const id = inFiles ?? (await ctx.store.settings.get(LINK)) ?? newId()
  await ctx.store.transaction((tx) => tx.settings.set(LINK, id))
  if (inFiles === null) await ctx.files.put(LINK_FILE, { source: Buffer.from(`${id}\n`), mayChange: true })
}

/** The id in that file; null where there is none. */
export async function readLinkFile({ files }: Pick<Context, 'files'>): Promise<string | null> {
  const file = await files.open(LINK_FILE)
  return file === null ? null : (await text(file.stream)).trim()
}

/** True when there are files of attachments that this database neither has nor ever recorded. */
async function hasUnknownFiles(ctx: Context): Promise<boolean> {
  for await (const names of fileBatches(ctx)) {
    const ids = names.map((name) => attachmentIdOf(name) ?? '')
    const known = await ctx.store.attachments.existing(ids)
    const recorded = await ctx.store.attachments.leftOver(ids)
    if (ids.some((id) => !known.has(id) && !recorded.has(id))) return true
  }
  return false
}

/** The names of all files of attachments, some at a time. */
export async function* fileBatches(ctx: Context): AsyncGenerator<readonly string[]> {
  for await (const names of inBatches(ctx.files.list(ATTACHMENTS), BATCH)) {
    yield names.filter((name) => attachmentIdOf(name) !== null)
  }
}
