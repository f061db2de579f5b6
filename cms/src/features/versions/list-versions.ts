import type { Context } from '../../engine/context.ts'
import { type EditableDocument, findEditable } from '../../engine/versions/editable.ts'
import { timelinePage } from '../../engine/versions/timeline.ts'
import { flag } from '../../http/requests/read-parameters.ts'
import type { RouteRequest } from '../../http/requests/route.ts'
import type { VersionFilter } from '../../store/contract/store.ts'
import { isLive, recordsOf } from './records.ts'
import { dateParameter, documentParameter, filterOf } from './version-parameters.ts'

/** The versions of a document, newest first (§4.4). */
export async function listVersions(ctx: Context, { query }: RouteRequest): Promise<object> {
  const given = documentParameter(query)
  const before = dateParameter(query, 'before')
  const filter = filterOf(query)
  const consolidate = flag(query, 'consolidate')
  const document = await findEditable(ctx, given)
  const { versions } = ctx.store
  const { items, next } = await timelinePage(versions, document.timeline, { ...filter, before, consolidate })
  const total = await countOf(ctx, document, filter)
  const results = await recordsOf(ctx, items)
  const isFirst = before === undefined && Object.values(filter).every((value) => value === undefined)
  const [first] = items
  if (isFirst && first && (await isLive(ctx, document, first.newest))) Object.assign(results[0] ?? {}, { live: true })
  return { results, next, total }
}

/** Of a long history counting takes longer than listing, so the count is cached while the content is unchanged. */
function countOf({ store, caches }: Context, { timeline }: EditableDocument, filter: VersionFilter): Promise<number> {
  const count = () => store.versions.count(timeline, filter)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  return isFiltered ? count() : caches.parts.fill(`versions of ${timeline.docId} ${timeline.locale}`, count)
}
