import { notFound } from '../../base/errors.ts'
import { waitForTurn } from '../../base/turns.ts'
import type { Context } from '../../engine/context.ts'
import { type AiOf, type Attributed, aiMarksOf } from '../../engine/versions/ai-marks.ts'
import { changesBetween, listChanges, NO_CHANGES } from '../../engine/versions/changes-of.ts'
import { oneAtATime } from '../../engine/versions/comparisons.ts'
import { type EditableDocument, findEditableVersion } from '../../engine/versions/editable.ts'
import { withContents } from '../../engine/versions/open-contents.ts'
import { coveredBy } from '../../engine/versions/timeline.ts'
import { flag, textParameter } from '../../http/requests/read-parameters.ts'
import type { RouteRequest } from '../../http/requests/route.ts'
import type { Change } from '../../model/changes/content-change.ts'
import type { ListedVersion, VersionPosition } from '../../store/contract/store.ts'
import { versionId } from './version-parameters.ts'

/** Lists the changes of a version, or of the run of which it is the newest (§4.4); or those since another version. */
export async function listVersionChanges(ctx: Context, { params, query }: RouteRequest): Promise<object> {
  const id = versionId(params.versionId)
  const against = textParameter(query, 'against')
  const olderId = against === undefined ? null : versionId(against, 'against')
  const consolidate = flag(query, 'consolidate')
  const { version, document } = await findEditableVersion(ctx, id)
  const covered = olderId
    ? await comparedWith(ctx, version, olderId)
    : { ...(await coveredBy(ctx.store.versions, version, { consolidate })), before: { consolidate } }
  return oneAtATime(ctx, async () => {
    const found = await coveredChanges(ctx, covered)
    return {
      ...(found ? await listChanges(ctx, scopeOf(document), found.changes, found.aiOf) : NO_CHANGES),
      versionIds: olderId ? [id] : covered.saves.map((one) => one.id),
      compared: found !== null,
      ...(found !== null && covered.older !== null && { olderId: covered.older.id }),
    }
  })
}

async function comparedWith(ctx: Context, version: ListedVersion, olderId: string): Promise<Attributed> {
  const older = await ctx.store.versions.listed(olderId)
  if (older?.docId !== version.docId || older.locale !== version.locale) throw notFound()
  const between = isBefore(older, version)
    ? await ctx.store.versions.saves(version, { after: older, before: version })
    : null
  return { newest: version, older, saves: between ? [version, ...between] : [], before: null }
}

function isBefore(one: VersionPosition, other: VersionPosition): boolean {
  return one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.id < other.id)
}

function scopeOf({ current: { id } }: EditableDocument) {
  return { locale: id.locale, mode: id.mode }
}

/** Changes, and how AI took part in each. */
interface AttributedChanges {
  readonly changes: readonly Change[]
  readonly aiOf: AiOf
}

/**
 * The changes of what a request covers. Null where there is nothing to compare with; `notfound` for a version whose
 * type the caller may not see.
 */
export async function coveredChanges(ctx: Context, covered: Attributed): Promise<AttributedChanges | null> {
  const { newest, older } = covered
  let changes: readonly Change[] | null = null
  const pair = { newer: newest.content, older: older?.content ?? newest.content }
  await withContents(ctx, [pair], async (contents, open) => {
    await waitForTurn()
    const newer = open(contents.newer)
    if (newer === null) throw notFound()
    const former = older && open(contents.older)
    if (former) changes = await changesBetween(ctx, { older: former, newer })
  })
  return changes && { changes, aiOf: await aiMarksOf(ctx, covered, changes) }
}
