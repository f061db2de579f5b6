import type { Context } from '../../engine/context.ts'
import { findEditable } from '../../engine/versions/editable.ts'
import { timelinePage } from '../../engine/versions/timeline.ts'
import { flag } from '../../http/input.ts'
import type { RouteRequest } from '../../http/route.ts'
import { dateParameter, documentParameter, filterOf } from './parameters.ts'
import { isLive, recordsOf } from './records.ts'

/** The versions of a document, newest first (§4.4). */
export async function listVersions(ctx: Context, { query }: RouteRequest): Promise<object> {
  const given = documentParameter(query)
  const before = dateParameter(query, 'before')
  const filter = filterOf(query)
  const consolidate = flag(query, 'consolidate')
  const document = await findEditable(ctx, given)
  const { versions } = ctx.store
  const { items, next } = await timelinePage(versions, document.timeline, { ...filter, before, consolidate })
  const total = await versions.count(document.timeline, filter)
  const results = await recordsOf(ctx, items)
  const isFirst = before === undefined && Object.values(filter).every((value) => value === undefined)
  const [newest] = items
  if (isFirst && newest && (await isLive(ctx, document, newest.versions[0])))
    Object.assign(results[0] ?? {}, { live: true })
  return { results, next, total }
}
