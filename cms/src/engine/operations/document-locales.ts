import { DocumentId, type Locale } from '../../model/terms/document.ts'
import type { CopySummary } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { may, readAccess, seesLocale, visibleField } from '../permissions.ts'

/** The locales that a document is in and is not in, as far as the caller may know of it (§4.5). */
export interface LocatedIn {
  readonly results: readonly object[]
  readonly missing: readonly Locale[]
}

/**
 * The locales that the document with this id is in, and those that it is not in, in the mode of the id. Callers who may
 * read drafts also get what shows which translations are outdated. One statement.
 */
export async function locatedIn(ctx: Context, id: DocumentId): Promise<LocatedIn> {
  const copies = await ctx.store.documents.everywhere(id.docId)
  const byLocale = Map.groupBy(copies, (copy) => copy.id.locale)
  const source = byLocale.get(id.locale) ?? []
  const locales = id.locale === '' ? [''] : [...ctx.site.locales.keys()].filter((name) => seesLocale(ctx, name))
  const results: object[] = []
  const missing: Locale[] = []
  for (const locale of locales) {
    const translation = byLocale.get(locale) ?? []
    const copy = translation.find((one) => one.id.mode === id.mode && isSeen(ctx, one))
    if (copy) results.push(entryOf(ctx, copy, { source, translation }))
    else missing.push(locale)
  }
  return { results, missing }
}

function isSeen({ site, actor }: Context, { type: name, visibility, isArchived }: CopySummary): boolean {
  const type = site.types.get(name)
  const access = type && readAccess(actor, type)
  if (!access || (isArchived && !may(actor, 'editDraft', type))) return false
  return access.visibility === null || access.visibility === visibility
}

type Compared = { readonly source: readonly CopySummary[]; readonly translation: readonly CopySummary[] }

function entryOf({ site, actor }: Context, copy: CopySummary, { source, translation }: Compared): object {
  const { id, title, updatedAt, lastPublishedAt } = copy
  const known = { _id: DocumentId.format(id), ...(id.locale !== '' && aposNames(id)) }
  const type = site.types.get(copy.type)
  const access = type && readAccess(actor, type)
  if (!access || !may(actor, 'readDraft', type)) return known
  const published = latest(source.map((one) => one.lastPublishedAt ?? ''))
  // The draft's time: publishing what was saved before is not a save.
  const saved = (translation.find((one) => one.id.mode === 'draft') ?? copy).updatedAt
  const isOutdated = source !== translation && published > saved
  const seenTitle = visibleField(actor, access, type, 'title') ? { title } : {}
  return { ...known, ...seenTitle, archived: copy.isArchived, updatedAt, lastPublishedAt, isOutdated }
}

function aposNames({ locale, mode }: DocumentId) {
  return { aposLocale: `${locale}:${mode}`, aposMode: mode }
}

function latest(times: readonly string[]): string {
  return times.reduce((one, other) => (one > other ? one : other), '')
}
