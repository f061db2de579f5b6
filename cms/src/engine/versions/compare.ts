import { invalid } from '../../base/errors.ts'
import type { ChangeRow } from '../../model/changes/content-change.ts'
import type { Content } from '../../model/declared/types.ts'
import type { Document, Locale } from '../../model/terms/document.ts'
import type { Context } from '../context.ts'
import { seesLocale } from '../permissions.ts'
import { seenContent } from '../values/seen-content.ts'
import { changesBetween, listChanges } from './changes-of.ts'

/** What has changed in another locale since a document was saved (§4.5). */
interface ComparedLocale {
  readonly locale: Locale
  readonly since: string
  readonly rows: readonly ChangeRow[]
}

function comparedLocale(ctx: Context, name: string): Locale {
  if (seesLocale(ctx, name)) return name
  const known = [...ctx.site.locales.keys()].filter((one) => seesLocale(ctx, one))
  throw invalid(`compare must be one of ${known.join(', ')}.`)
}

/**
 * What was changed in another locale since this copy of a document was saved, as the versions tell; of what the caller
 * sees. Null when the document is not in that locale. The caller must be one who may edit it. Throws `invalid` for
 * unknown locales.
 */
export async function compareLocale(
  ctx: Context,
  document: Pick<Document, 'id' | 'updatedAt'>,
  compared: string,
): Promise<ComparedLocale | null> {
  const locale = comparedLocale(ctx, compared)
  const { id, updatedAt: since } = document
  const now = await ctx.store.documents.get({ ...id, locale })
  const newer = now && seenContent(ctx, now.type, now.fields)
  if (!newer) return null
  const found = await ctx.store.versions.newestUntil(id.docId, locale, { until: since, mode: id.mode })
  const older = found && seenContent(ctx, found.version.type, found.content)
  const changes = changesBetween(ctx, { older: older ?? nothing(newer), newer })
  const { rows } = await listChanges(ctx, { locale, mode: id.mode }, changes)
  return { locale, since, rows }
}

/** Where nothing is known of that time, everything is new. */
function nothing({ type }: Content): Content {
  return { type, fields: {} }
}
