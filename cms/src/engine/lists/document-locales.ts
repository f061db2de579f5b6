import { DocumentId, type Locale } from '../../model/terms/document-id.ts'
import type { CopySummary } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { seenLocales } from '../permissions.ts'
import { viewsOf } from '../view.ts'

/** The locales that a document is in and is not in, as far as the caller may know of it (§4.5). */
interface LocatedIn {
  readonly results: readonly object[]
  readonly missing: readonly Locale[]
}

/**
 * The locales that the document with this id is in, in the mode of the id, and those that it is not in. Callers who may
 * read drafts get drafts that are not published, too, and what shows which translations are outdated. One statement.
 */
export async function locatedIn(ctx: Context, id: DocumentId): Promise<LocatedIn> {
  const copies = await ctx.store.documents.everywhere(id.docId)
  const byLocale = Map.groupBy(copies, (copy) => copy.id.locale)
  const source = byLocale.get(id.locale) ?? []
  const locales = id.locale === '' ? [''] : seenLocales(ctx)
  const results: object[] = []
  const missing: Locale[] = []
  for (const locale of locales) {
    const translation = byLocale.get(locale) ?? []
    const seen = translation.filter((one) => isSeen(ctx, one))
    const copy = seen.find((one) => one.id.mode === id.mode) ?? seen.find((one) => isSeenDraft(ctx, one))
    if (copy) results.push(entryOf(ctx, copy, { source, translation }))
    else missing.push(locale)
  }
  return { results, missing }
}

function isSeen(ctx: Context, { type, visibility, isArchived }: CopySummary): boolean {
  const view = viewsOf(ctx).of(type)
  return view?.includes(visibility) === true && (!isArchived || view.rights.has('editDraft'))
}

function isSeenDraft(ctx: Context, { id, type }: CopySummary): boolean {
  return id.mode === 'draft' && viewsOf(ctx).of(type)?.rights.has('readDraft') === true
}

type Compared = { readonly source: readonly CopySummary[]; readonly translation: readonly CopySummary[] }

function entryOf(ctx: Context, copy: CopySummary, { source, translation }: Compared): object {
  const { id, title, updatedAt, lastPublishedAt } = copy
  const known = { _id: DocumentId.format(id), ...(id.locale !== '' && aposNames(id)) }
  const view = viewsOf(ctx).of(copy.type)
  if (!view?.rights.has('readDraft')) return known
  const published = latest(source.map((one) => one.lastPublishedAt ?? ''))
  // The draft's time: publishing what was saved before is not a save.
  const saved = (translation.find((one) => one.id.mode === 'draft') ?? copy).updatedAt
  const isOutdated = source !== translation && published > saved
  const seenTitle = view.field('title') ? { title } : {}
  return { ...known, ...seenTitle, archived: copy.isArchived, updatedAt, lastPublishedAt, isOutdated }
}

function aposNames({ locale, mode }: DocumentId) {
  return { aposLocale: `${locale}:${mode}`, aposMode: mode }
}

function latest(times: readonly string[]): string {
  return times.reduce((one, other) => (one > other ? one : other), '')
}
