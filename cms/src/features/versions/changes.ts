import { notFound } from '../../base/errors.ts'
import { turnToBlock } from '../../base/turns.ts'
import type { Context } from '../../engine/context.ts'
import { changesBetween, type ListedChanges, listChanges } from '../../engine/versions/changes-of.ts'
import { type EditableDocument, findEditableVersion } from '../../engine/versions/editable.ts'
import { withContents } from '../../engine/versions/open-contents.ts'
import { type Covered, coveredBy } from '../../engine/versions/timeline.ts'
import { flag, textParameter } from '../../http/input.ts'
import type { RouteRequest } from '../../http/route.ts'
import type { Change, Content } from '../../model/changes/change.ts'
import type { ListedVersion } from '../../store/store.ts'
import { versionId } from './parameters.ts'

const NOTHING: ListedChanges = { rows: [], counts: { added: 0, modified: 0, deleted: 0, ai: 0 } }

/** What a version, or the run of which it is the newest, has changed (§4.4); or what is changed since another one. */
export async function listVersionChanges(ctx: Context, { params, query }: RouteRequest): Promise<object> {
  const id = versionId(params.versionId)
  const against = textParameter(query, 'against')
  const olderId = against === undefined ? null : versionId(against, 'against')
  const { version, document } = await findEditableVersion(ctx, id)
  const covered = olderId
    ? await comparedWith(ctx, version, olderId)
    : await coveredBy(ctx.store.versions, version, { consolidate: flag(query, 'consolidate') })
  const changes = await changesOf(ctx, covered)
  return {
    ...(changes ? await listChanges(ctx, scopeOf(document), changes) : NOTHING),
    versionIds: covered.versions.map((one) => one.id),
    compared: changes !== null,
  }
}

async function comparedWith(ctx: Context, version: ListedVersion, olderId: string): Promise<Covered> {
  const older = await ctx.store.versions.listed(olderId)
  if (older?.docId !== version.docId || older.locale !== version.locale) throw notFound()
  return { versions: [version], older }
}

/** Null where there is nothing to compare with. `notfound` for a version whose type the caller may not see. */
async function changesOf(ctx: Context, { versions: [newest], older }: Covered): Promise<Change[] | null> {
  let changes: Change[] | null = null
  const pair = { newer: newest.content, older: older?.content ?? newest.content }
  await withContents(ctx, [pair], async (pair, open) => {
    await turnToBlock()
    const newer: Content | null = open(pair.newer)
    if (newer === null) throw notFound()
    const former = older && open(pair.older)
    if (former) changes = changesBetween(ctx, { older: former, newer })
  })
  return changes
}

function scopeOf({ current: { id } }: EditableDocument) {
  return { locale: id.locale, mode: id.mode }
}
