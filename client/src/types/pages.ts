import type {
  CompletedOf,
  NavigationPage,
  NewDocumentOf,
  PageName,
  PagePosition,
  PageTypeName,
  PatchOf,
  ShownDocumentOf,
  SiteModel,
} from 'quire-cms/types'
import type { CallOptions, WriteOptions } from '../request.ts'
import type { List, Stored } from './answers.ts'
import type { DocumentCalls, Localizing, SingleQuery } from './documents.ts'
import type { Projected, Projection } from './projection.ts'

/** Selects pages of the tree (§4.2). */
export interface TreeQuery {
  /** The whole tree, and not only two levels. */
  readonly all?: boolean
  readonly archived?: boolean | 'any'
  /** `false` leaves `_children` out. */
  readonly children?: boolean
  readonly project?: Projection
  readonly withRelationships?: string | readonly string[]
}

/** Selects the pages directly below one. */
export interface ChildrenQuery<P extends Projection = Projection> {
  readonly page?: number
  readonly perPage?: number
  readonly project?: P
  readonly archived?: boolean | 'any'
}

/** A document of a page type in answers; of `@cms/page`, a page of whichever type. */
export type PageOf<M extends SiteModel, Name extends string> = ShownDocumentOf<Name, M> & object

type Options<M extends SiteModel> = CallOptions<M['locale']>
type Writing<M extends SiteModel> = WriteOptions<M['locale']>

/**
 * The pages of the site. Ids are also `_home` and `_archive`. A type as argument says what a page is:
 * `pages.get<'landing'>(id)`.
 */
export interface Pages<M extends SiteModel> extends DocumentCalls<M, '@cms/page', PageOf<M, '@cms/page'>> {
  /** The home page, with what is below it. */
  home(query?: TreeQuery, options?: Options<M>): Promise<NavigationPage<M>>
  /** One page of the pages directly below one, without their own: `_childCount` says how many each has. */
  children<Name extends PageName<M> = '@cms/page', const P extends Projection = Record<never, never>>(
    id: string,
    query?: ChildrenQuery<P>,
    options?: Options<M>,
  ): Promise<List<Projected<PageOf<M, Name>, P> & { readonly _childCount: number }>>
  get<Name extends PageName<M> = '@cms/page', const P extends Projection = Record<never, never>>(
    id: string,
    query?: SingleQuery<P> & { readonly children?: boolean },
    options?: Options<M>,
  ): Promise<Stored<Projected<PageOf<M, Name>, P>>>
  /** Makes a page of a type at a position. Sent again where the answer got lost. */
  insert<Name extends PageTypeName<M>>(
    type: Name,
    page: (NewDocumentOf<Name, M> | CompletedOf<Name, M, '_copyingId'>) & PagePosition,
    options?: Writing<M>,
  ): Promise<Stored<PageOf<M, Name>>>
  replace<Name extends PageTypeName<M>>(
    type: Name,
    id: string,
    page: (NewDocumentOf<Name, M> | CompletedOf<Name, M, '_restoreVersion'>) & Partial<PagePosition>,
    options?: Writing<M>,
  ): Promise<Stored<PageOf<M, Name>>>
  patch<Name extends PageName<M> = '@cms/page'>(
    id: string,
    patch: PatchOf<Name, M>,
    options?: Writing<M>,
  ): Promise<Stored<PageOf<M, Name>>>
  /** Moves it, with everything below it; slugs of pages below follow. */
  move(id: string, position: PagePosition, options?: Writing<M>): Promise<Stored<PageOf<M, '@cms/page'>>>
  localize(
    id: string,
    how: Localizing<M['locale']> & { readonly subtree?: boolean },
    options?: Writing<M>,
  ): Promise<Stored<PageOf<M, '@cms/page'>>>
}
