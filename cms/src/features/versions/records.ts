import { type JsonObject, sameJson } from '../../base/json.ts'
import type { Context } from '../../engine/context.ts'
import { seenContent } from '../../engine/values/seen-content.ts'
import { countChangesOf } from '../../engine/versions/count-changes.ts'
import type { EditableDocument } from '../../engine/versions/editable.ts'
import { withContents } from '../../engine/versions/open-contents.ts'
import type { Entry } from '../../engine/versions/timeline.ts'
import type { Type } from '../../model/declared/types.ts'
import type { ListedVersion, Version } from '../../store/contract/store.ts'

/** A version as it is answered (§2.4). */
export type VersionRecord = JsonObject

/** Entries of lists as they are answered, each with the number of its changes. At most one statement. */
export async function recordsOf(ctx: Context, entries: readonly Entry[]): Promise<VersionRecord[]> {
  const counts = await countChangesOf(
    ctx,
    entries.map(({ newest, older }) => older && { older: older.content, newer: newest.content }),
  )
  return entries.map((entry, index) => recordOf(entry, counts[index] ?? 0))
}

function recordOf({ newest, saves }: Entry, changeCount: number): VersionRecord {
  const record = { ...recordOfVersion(newest), changeCount }
  if (saves.length === 1) return record
  return { ...record, ai: true, versionIds: saves.map(({ id }) => id) }
}

/** The properties of a version itself. */
function recordOfVersion(version: Version): VersionRecord {
  const { id, createdAt, updatedAt, mode, locale, author, authorId, ai, restoredFrom, label, data, proposal } = version
  return {
    _id: id,
    createdAt,
    ...(updatedAt !== null && { updatedAt }),
    mode,
    locale: locale === '' ? null : locale,
    author,
    authorId,
    ai,
    ...(restoredFrom !== null && { restoredFrom }),
    ...(label !== null && { label }),
    ...(data !== null && { data }),
    ...(proposal && { proposal: { _id: proposal.id, author: proposal.author, authorId: proposal.authorId } }),
  }
}

/** True when the draft holds what a version holds, as far as the caller sees it. One statement. */
export async function isLive(ctx: Context, { current }: EditableDocument, version: ListedVersion): Promise<boolean> {
  if (version.type !== current.type) return false
  const now = seenContent(ctx, current.type, current.fields)
  let isSame = false
  await withContents(ctx, [{ older: version.content, newer: version.content }], ({ newer }, open) => {
    const then = open(newer)
    isSame =
      now !== null && then !== null && sameJson(rolledBack(now.type, now.fields), rolledBack(then.type, then.fields))
  })
  return isSame
}

/** The content that restoring a version brings back: of a page's slug only its last step. */
function rolledBack({ family }: Type, fields: JsonObject): JsonObject {
  return family === 'page' ? { ...fields, slug: String(fields.slug).replace(/^.*\//, '') } : fields
}
