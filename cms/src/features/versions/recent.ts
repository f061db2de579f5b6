import { invalid } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { readAccess, seesLocale, visibleField } from '../../engine/permissions.ts'
import { editableTypes } from '../../engine/versions/editable.ts'
import { pageOf, single } from '../../engine/versions/timeline.ts'
import { textParameter } from '../../http/requests/read-parameters.ts'
import type { RouteRequest } from '../../http/requests/route.ts'
import { DocumentId } from '../../model/terms/document.ts'
import type { RecentVersion } from '../../store/contract/store.ts'
import { recordsOf, type VersionRecord } from './records.ts'
import { dateParameter, filterOf } from './version-parameters.ts'

/** The newest versions of all documents that the caller may edit (§4.4). */
export async function listRecentChanges(ctx: Context, { query }: RouteRequest): Promise<object> {
  const filter = { ...filterOf(query), types: typesOf(ctx, query), locales: localesOf(ctx) }
  const before = dateParameter(query, 'before')
  const { items, next } = await pageOf((query) => ctx.store.versions.recent({ ...filter, ...query }), before)
  const records = await recordsOf(ctx, items.map(single))
  return { results: records.map((record, index) => ({ ...record, ...documentOf(ctx, items[index]) })), next }
}

function typesOf(ctx: Context, query: RouteRequest['query']): string[] {
  const names = editableTypes(ctx).map(({ name }) => name)
  const asked = textParameter(query, 'type')
  if (asked === undefined) return names
  if (names.includes(asked)) return [asked]
  throw invalid(`"type" must be one of ${names.join(', ')}.`)
}

function localesOf(ctx: Context): string[] {
  return ['', ...[...ctx.site.locales.keys()].filter((locale) => seesLocale(ctx, locale))]
}

/** The document that a version is of, with the title that it has now. */
function documentOf({ site, actor }: Context, version: RecentVersion | undefined): VersionRecord {
  if (version === undefined) return {}
  const { docId, locale, mode, type: name, title } = version
  const type = site.types.get(name)
  const access = type && readAccess(actor, type)
  const isSeen = access && visibleField(actor, access, type, 'title') !== null
  return { docId: DocumentId.format({ docId, locale, mode }), type: name, ...(isSeen && { title }) }
}
