import { html } from '../../base/html.ts'
import { joinSlug, languageTag } from '../../base/text.ts'
import type { Context } from '../../engine/context.ts'
import { seenVisibility, seesLocale } from '../../engine/permissions.ts'
import { absoluteFor, pageUrl, pieceUrl } from '../../engine/presentation/document-url.ts'
import { viewsOf } from '../../engine/view.ts'
import type { PageLocalization } from '../../model/declared/page-data-types.ts'
import type { DocId, Locale } from '../../model/terms/document-id.ts'
import type { CopyOutline } from '../../store/contract/store.ts'
import { cached } from './cached.ts'

/** The content of a page, or a piece on its index page. */
interface LocalizedContent {
  readonly page: DocId
  readonly piece: DocId | null
}

/**
 * Returns the URLs of this page in each locale, for language switches (§4.2b). Private locales are left out for
 * visitors. One statement, for a piece another for each locale that has it; cached until the content changes.
 */
export function localizations(ctx: Context, shown: LocalizedContent | null): Promise<PageLocalization[]> {
  return cached(ctx, `in locales ${shown?.page} ${shown?.piece}`, async () => {
    const ids = shown === null ? [] : [shown.page, ...(shown.piece === null ? [] : [shown.piece])]
    const copies = (await ctx.store.documents.outlines(ids, { mode: ctx.mode })).filter((copy) => isVisible(ctx, copy))
    const locales = [...ctx.site.locales.values()].filter(({ name }) => seesLocale(ctx, name))
    const hidden = shown === null ? new Set<Locale>() : await localesWherePageHides(ctx, shown, copies)
    return locales.map(({ name, label, direction }) => {
      const homePageUrl = pageUrl(ctx, name, '/')
      const url = shown === null || hidden.has(name) ? null : urlIn(ctx, name, shown, copies)
      return {
        locale: name,
        label,
        direction,
        homePageUrl,
        available: url !== null,
        current: name === ctx.locale,
        _url: url ?? homePageUrl,
      }
    })
  })
}

/** The other locales in which a page is at the path of the piece: its URL there leads to another document. */
async function localesWherePageHides(
  ctx: Context,
  { page, piece }: LocalizedContent,
  copies: readonly CopyOutline[],
): Promise<Set<Locale>> {
  const hidden = new Set<Locale>()
  if (piece === null) return hidden
  const view = { mode: ctx.mode, archived: false, visibility: seenVisibility(ctx.actor) } as const
  for (const locale of ctx.site.locales.keys()) {
    const [index, own] = [copyIn(copies, locale, page), copyIn(copies, locale, piece)]
    if (locale === ctx.locale || !index || !own) continue
    const found = await ctx.store.tree.bySlugs({ ...view, locale }, [joinSlug(index.slug, own.slug)])
    if (found !== null) hidden.add(locale)
  }
  return hidden
}

/** A piece without locales is the same in all of them. */
function copyIn(copies: readonly CopyOutline[], locale: Locale, docId: DocId): CopyOutline | undefined {
  return copies.find(({ id }) => id.docId === docId && (id.locale === locale || id.locale === ''))
}

function urlIn(ctx: Context, locale: Locale, shown: LocalizedContent, copies: readonly CopyOutline[]): string | null {
  const page = copyIn(copies, locale, shown.page)
  if (page === undefined) return null
  if (shown.piece === null) return pageUrl(ctx, locale, page.slug)
  const piece = copyIn(copies, locale, shown.piece)
  return piece === undefined ? null : pieceUrl(ctx, locale, page.slug, piece.slug)
}

function isVisible(ctx: Context, { type, visibility }: CopyOutline): boolean {
  return viewsOf(ctx).of(type)?.includes(visibility) === true
}

/** The links that name this page in the public locales for search engines (§4.2b); empty where it is in one only. */
export function alternateLinks(ctx: Context, localizations: readonly PageLocalization[]): string {
  const viewer = { site: ctx.site, actor: { kind: 'anonymous' } } as const
  const pages = localizations.filter(({ available, locale }) => available && seesLocale(viewer, locale))
  if (pages.length < 2) return ''
  const link = (language: string, url: string) =>
    html`<link rel="alternate" hreflang="${language}" href="${absoluteFor(ctx, url) ?? url}">`
  const links = pages.map(({ locale, _url }) => link(languageTag(locale), _url))
  const fallback = pages.find(({ locale }) => locale === ctx.site.defaultLocale)
  return html`${links}${fallback ? link('x-default', fallback._url) : null}`.text
}
