import { isObject } from '../../base/json.ts'
import type { Context } from '../../engine/context.ts'
import type { RemovedEvent } from '../../engine/events.ts'
import { dropFiles } from '../../engine/media/attachment-files.ts'
import { fileNames } from '../../engine/media/file-names.ts'
import { areFilesHeld } from '../../engine/media/held-files.ts'
import { storedValue, walk } from '../../model/values/walk.ts'

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
  // So they do when a backup is being made.
  if (removed.length === 0 || (await areFilesHeld(ctx))) return removed.length
  if (await dropFiles(ctx, removed.flatMap(fileNames))) {
    await ctx.store.transaction((tx) => tx.attachments.forgetLeftOver(removed.map(({ id }) => id)))
  }
  return removed.length
}
