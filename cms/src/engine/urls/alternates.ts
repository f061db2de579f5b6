import type { DocId, Locale } from '../../model/document.ts'
import type { CopyOutline } from '../../store/store.ts'
import type { Context } from '../context.ts'
import { joinSlug } from '../documents/slug.ts'
import { readAccess, seesLocale } from '../permissions.ts'
import { absoluteUrl } from './absolute.ts'
import { type ListedPages, listedPages } from './listed-pages.ts'

/** Where documents are in each public locale, by aposDocId. */
export type Alternates = ReadonlyMap<DocId, readonly { readonly locale: Locale; readonly url: string }[]>

/** The index pages of each piece type in a locale. */
type Indexes = ListedPages['indexes']

/**
 * Looks up where documents are in the public locales of the site, as visitors see them: one statement for each locale
 * now, and one each time that it is asked.
 */
export async function alternatesIn(ctx: Context): Promise<(docIds: readonly DocId[]) => Promise<Alternates>> {
  const locales = [...ctx.site.locales.keys()].filter((locale) => seesLocale(ctx, locale))
  if (locales.length < 2) return async () => new Map()
  const indexes = new Map<Locale, Indexes>()
  for (const locale of locales) indexes.set(locale, (await listedPages({ ...ctx, locale })).indexes)
  return async (docIds) => {
    const copies = (await ctx.store.documents.outlines(docIds, { mode: 'published' })).filter(isVisible(ctx))
    const found = Map.groupBy(copies, ({ id }) => id.docId)
    return new Map([...found].map(([docId, some]) => [docId, urlsOf(ctx, locales, indexes, some)]))
  }
}

function isVisible({ site, actor }: Context): (copy: CopyOutline) => boolean {
  return ({ type: name, visibility }) => {
    const type = site.types.get(name)
    const access = type && readAccess(actor, type)
    return access ? access.visibility === null || access.visibility === visibility : false
  }
}

function urlsOf(
  ctx: Context,
  locales: readonly Locale[],
  indexes: ReadonlyMap<Locale, Indexes>,
  copies: readonly CopyOutline[],
): { locale: Locale; url: string }[] {
  return locales.flatMap((locale) => {
    // A piece without locales is the same in all of them.
    const copy = copies.find(({ id }) => id.locale === locale || id.locale === '')
    const slug = copy && slugIn(ctx, copy, indexes.get(locale))
    if (slug === undefined) return []
    return [{ locale, url: absoluteUrl(ctx, locale, (ctx.site.locales.get(locale)?.prefix ?? '') + slug) }]
  })
}

function slugIn({ site }: Context, { type, slug }: CopyOutline, indexes: Indexes | undefined): string | undefined {
  if (site.types.get(type)?.family === 'page') return slug
  const page = indexes?.get(type)
  return page && joinSlug(page.slug, slug)
}
