import type { JsonObject } from '../../base/json.ts'
import type { Site, Type } from '../../model/declared/types.ts'
import { type Document, slugOf, stateOf } from '../../model/terms/document.ts'
import type { DocumentId } from '../../model/terms/document-id.ts'
import type { TypedPage } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { visitor } from '../permissions.ts'
import { viewsOf } from '../view.ts'
import { pageUrl, pieceUrl } from './document-url.ts'

/** The locale and mode of a document: its index page is looked up in the same ones. */
type CopyScope = Pick<DocumentId, 'locale' | 'mode'>

/** The URLs of a piece, `_url`, `_parentUrl` and `_parentSlug`; nothing where it has none. */
type PieceUrls = (document: Document) => JsonObject

const NO_URLS: PieceUrls = () => ({})

/**
 * The URLs of the pieces of a type in a locale and mode: below the first index page of the type that the caller may
 * visit (§4.2b). Where they are is cached until the content changes.
 */
export async function pieceUrls(ctx: Context, type: Type, scope: CopyScope): Promise<PieceUrls> {
  const index = await indexPageOf(ctx, type, scope)
  if (index === null) return NO_URLS
  const { locale } = scope.locale === '' ? ctx : scope
  const _parentUrl = pageUrl(ctx, locale, index.slug)
  return (document) => {
    if (stateOf(document).isArchived) return {}
    const _url = pieceUrl(ctx, locale, index.slug, slugOf(document))
    return { _url, _parentUrl, _parentSlug: index.slug }
  }
}

/** The first index page of a piece type that the caller may visit; null when there is none. */
export async function indexPageOf(ctx: Context, type: Type, scope: CopyScope): Promise<TypedPage | null> {
  const { locale, mode } = scope.locale === '' ? ctx : scope
  const indexTypes = indexTypesOf(ctx.site, type)
  if (indexTypes.length === 0) return null
  const pages = await indexPages(ctx, { locale, mode })
  return pages.find((page) => indexTypes.some(({ name }) => name === page.type) && mayVisit(ctx, page)) ?? null
}

/** Whether the site has a type of pages that list pieces of this type, which then can have a URL. */
export function hasUrls(site: Pick<Site, 'types'>, type: Type): boolean {
  return indexTypesOf(site, type).length > 0
}

function indexTypesOf({ types }: Pick<Site, 'types'>, { name }: Type): Type[] {
  return [...types.values()].filter(({ index }) => index?.piecesType === name)
}

/** Returns all index pages of a locale and mode, in the order of the tree. */
function indexPages(ctx: Context, scope: CopyScope): Promise<readonly TypedPage[]> {
  const types = [...ctx.site.types.values()].filter(({ index }) => index !== null).map(({ name }) => name)
  return ctx.caches.parts.fill(`index pages ${scope.locale} ${scope.mode}`, () => ctx.store.tree.ofTypes(scope, types))
}

/** True when the caller may see a page at its URL, whatever the interface shows of it. */
function mayVisit(ctx: Context, page: TypedPage): boolean {
  const { site, actor } = ctx
  return (
    viewsOf({ site, actor: visitor(actor) })
      .of(page.type)
      ?.includes(page.visibility) === true
  )
}
