import { invalid } from '../../base/errors.ts'
import type { Document, Locale } from '../../model/document.ts'
import { type LocatedText, textsOf } from '../../model/texts.ts'
import type { Context } from '../context.ts'
import { readAccess, seesLocale } from '../permissions.ts'
import { visibleTo } from './field-access.ts'

/** What has changed in another locale since a document was saved (§4.5). */
export interface Compared {
  readonly locale: Locale
  readonly since: string
  /** In schema order, then those that are gone; empty texts are as good as none. */
  readonly texts: readonly ChangedText[]
}

/** A text that was changed. Rich text is HTML. */
export interface ChangedText {
  readonly path: string
  readonly label: string
  readonly old: string
  readonly new: string
}

/** The locale that a translation is compared with. Throws `invalid` for unknown ones. */
export function comparedLocale(ctx: Context, name: string): Locale {
  if (seesLocale(ctx, name)) return name
  const known = [...ctx.site.locales.keys()].filter((one) => seesLocale(ctx, one))
  throw invalid(`compare must be one of ${known.join(', ')}.`)
}

/**
 * The texts that were changed in another locale since this copy of a document was saved, as the versions tell; of texts
 * that the caller sees. Null when the document is not in that locale. The caller must be one who may edit it.
 */
export async function compareTexts(ctx: Context, document: Pick<Document, 'id' | 'updatedAt'>, locale: Locale) {
  const { id, updatedAt: since } = document
  const now = await ctx.store.documents.get({ ...id, locale })
  const newer = now && seenTexts(ctx, now.type, now)
  if (!newer) return null
  const found = await ctx.store.versions.newestUntil(id.docId, locale, { until: since, mode: id.mode })
  const older = found && seenTexts(ctx, found.version.type, { fields: found.content })
  return { locale, since, texts: changedTexts(older ?? [], newer) } satisfies Compared
}

function seenTexts({ site, actor }: Context, typeName: string, { fields }: Pick<Document, 'fields'>) {
  const type = site.types.get(typeName)
  if (!type || readAccess(actor, type) === null) return null
  return [...textsOf(type.fields, visibleTo(actor, type.fields, fields))].filter(({ text }) => text !== '')
}

function changedTexts(older: readonly LocatedText[], newer: readonly LocatedText[]): ChangedText[] {
  const before = new Map(older.map((one) => [one.path, one]))
  const after = new Set(newer.map(({ path }) => path))
  const changed = newer.flatMap(({ path, field: { label }, text }) => {
    const old = before.get(path)?.text ?? ''
    return old === text ? [] : [{ path, label, old, new: text }]
  })
  const gone = older
    .filter(({ path }) => !after.has(path))
    .map(({ path, field: { label }, text }) => ({ path, label, old: text, new: '' }))
  return [...changed, ...gone]
}
