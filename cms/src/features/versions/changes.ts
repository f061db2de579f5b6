import { notFound } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { type Attributed, attributed } from '../../engine/versions/ai-marks.ts'
import { type ListedChanges, listChanges } from '../../engine/versions/changes-of.ts'
import { type EditableDocument, findEditableVersion } from '../../engine/versions/editable.ts'
import { coveredBy } from '../../engine/versions/timeline.ts'
import { flag, textParameter } from '../../http/input.ts'
import type { RouteRequest } from '../../http/route.ts'
import type { ListedVersion, VersionPosition } from '../../store/store.ts'
import { coveredChanges } from './covered-changes.ts'
import { versionId } from './parameters.ts'

const NOTHING: ListedChanges = { rows: [], counts: { added: 0, modified: 0, deleted: 0, ai: 0 } }

/** What a version, or the run of which it is the newest, has changed (§4.4); or what is changed since another one. */
export async function listVersionChanges(ctx: Context, { params, query }: RouteRequest): Promise<object> {
  const id = versionId(params.versionId)
  const against = textParameter(query, 'against')
  const olderId = against === undefined ? null : versionId(against, 'against')
  const consolidate = flag(query, 'consolidate')
  const { version, document } = await findEditableVersion(ctx, id)
  const covered = olderId
    ? await comparedWith(ctx, version, olderId)
    : attributed(await coveredBy(ctx.store.versions, version, { consolidate }), { consolidate })
  const found = await coveredChanges(ctx, covered)
  return {
    ...(found ? await listChanges(ctx, scopeOf(document), found.changes, found.aiOf) : NOTHING),
    versionIds: covered.versions.map((one) => one.id),
    compared: found !== null,
  }
}

async function comparedWith(ctx: Context, version: ListedVersion, olderId: string): Promise<Attributed> {
  const older = await ctx.store.versions.listed(olderId)
  if (older?.docId !== version.docId || older.locale !== version.locale) throw notFound()
  const saves = isBefore(older, version) ? [version, ...(await savesBetween(ctx, version, older))] : []
  return { versions: [version], older, saves, before: null }
}

/** As many saves of AI and people, and then of AI alone, are looked at for how AI took part in changes. */
const MOST_SAVES = 500

async function savesBetween(ctx: Context, version: ListedVersion, older: ListedVersion): Promise<ListedVersion[]> {
  const { versions } = ctx.store
  const query = { after: older, limit: MOST_SAVES }
  const newest = await versions.list(version, { ...query, before: version })
  const last = newest.at(-1)
  const isWhole = last === undefined || newest.length < MOST_SAVES
  return isWhole ? newest : [...newest, ...(await versions.list(version, { ...query, before: last, ai: true }))]
}

function isBefore(one: VersionPosition, other: VersionPosition): boolean {
  return one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.id < other.id)
}

function scopeOf({ current: { id } }: EditableDocument) {
  return { locale: id.locale, mode: id.mode }
}
