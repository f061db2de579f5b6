import { invalid } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { seesLocale } from '../../engine/permissions.ts'
import { editableTypes } from '../../engine/versions/editable.ts'
import { listParameter } from '../../http/requests/read-parameters.ts'
import type { RouteRequest } from '../../http/requests/route.ts'
import { DocumentId } from '../../model/terms/document-id.ts'

/** Lists those of some documents in which AI has written since a person published them last (§4.4). */
export async function listAiMarks(ctx: Context, { query }: RouteRequest): Promise<object> {
  const ids = listParameter(query, '_ids') ?? []
  const { limits } = ctx.site
  if (ids.length > limits.ids) throw invalid(`_ids takes at most ${limits.ids} ids.`)
  const locale = ctx.explicit.locale ?? ctx.locale
  if (!seesLocale(ctx, locale)) return { results: [] }
  const docIds = [...new Set(ids.flatMap((id) => DocumentId.parse(id)?.docId ?? []))]
  const types = editableTypes(ctx).map(({ name }) => name)
  const marks = await ctx.store.versions.aiMarks(docIds, { locales: [locale, ''], types })
  return { results: [...marks].map(([aposDocId, ai]) => ({ aposDocId, ai })) }
}
