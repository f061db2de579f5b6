import type { CompletedOf, NewDocumentOf, PagePosition, PlaceOf } from '../model/declared/content-input.ts'
import type { PatchOf } from '../model/declared/content-patch.ts'
import type { ContentList, QueryOf } from '../model/declared/content-query.ts'
import type { NavigationPage, ShownDocumentOf } from '../model/declared/shown.ts'
import type { ModelOf, PageName, PieceName, SiteDeclaration } from '../model/declared/site-model.ts'
import type { Locale, Mode } from '../model/terms/document-id.ts'
import type { Role } from '../model/terms/roles.ts'
import type { Context } from './context.ts'
import type { Actor } from './permissions.ts'

declare module './context.ts' {
  interface Context {
    /**
     * The site's content, for one who acts: `ctx.as({ role: 'editor', name: 'Import' })`, `ctx.as({ user: id })`, or
     * with the rights of the caller `ctx.as(ctx.actor)`; in the locale of this context, published, unless `defaults`
     * say otherwise. In a transaction (`beforeSave`) it is part of that. `ctx.as<typeof site>(…)` knows the site's
     * types.
     */
    as<Site extends SiteDeclaration = SiteDeclaration>(
      acting: Acting,
      defaults?: ContentOptions<ModelOf<Site>['locale']>,
    ): Content<Site>
  }
}

/**
 * The caller of operations in process: a program with a role, under the name that versions show; a user, who is looked
 * up for each operation; or an actor, as `ctx.actor`.
 */
export type Acting =
  | { readonly role: Role; readonly name: string; readonly ai?: boolean }
  | { readonly user: string }
  | Actor

/** The locale and mode of an operation. Those of a single operation outweigh ids, as a query does (§2.10). */
export interface ContentOptions<Name extends Locale = Locale> {
  readonly locale?: Name
  readonly mode?: Mode
}

/** The options of localizing (§3.4). */
export interface LocalizeOptions<Name extends Locale = Locale> {
  readonly toLocale: Name
  /** Copies over a document that is there already. */
  readonly update?: boolean
  readonly publish?: boolean
  readonly related?: boolean | readonly string[]
  /** Pages: with everything below. */
  readonly subtree?: boolean
}

/** Selects pages of the tree (§4.2). */
export interface TreeOptions {
  /** The whole tree, and not only two levels. */
  readonly all?: boolean
  readonly archived?: boolean | 'any'
  readonly project?: { readonly [name: string]: unknown }
  readonly withRelationships?: string | readonly string[]
}

type AnyName<Site> = PieceName<ModelOf<Site>> | PageName<ModelOf<Site>>
type Options<Site> = ContentOptions<ModelOf<Site>['locale']>
type Answer<Site, Name> = ShownDocumentOf<Name, ModelOf<Site>>

/** A context in which the content of a site is known by its types. */
export type SiteContext<Site extends SiteDeclaration> = {
  as(acting: Acting, defaults?: Options<Site>): Content<Site>
  /** For type checking only. */
  readonly declaration?: Site
} & Context

/**
 * The content of the site, read and changed in this process by one who acts: with the permissions, hooks, versions,
 * limits and errors (`CmsError`) of the interface, since each operation is the work of its route. Ids are `_id`, the
 * plain `aposDocId`, or for pages `_home` and `_archive`. Values go in and out as JSON: nothing is shared.
 */
export interface Content<Site extends SiteDeclaration = SiteDeclaration> {
  /** Returns one page of the pieces of a type (§4.1 GET list). */
  find<Name extends PieceName<ModelOf<Site>>>(
    type: Name,
    query?: QueryOf<Name, ModelOf<Site>>,
    options?: Options<Site>,
  ): Promise<ContentList<Answer<Site, Name>>>
  /** The document of an id, or the first piece that a query finds; null when there is none that may be seen. */
  findOne<Name extends AnyName<Site>>(
    type: Name,
    wanted: string | QueryOf<Name, ModelOf<Site>>,
    options?: Options<Site>,
  ): Promise<Answer<Site, Name> | null>
  /** Counts the pieces that a query finds. */
  count<Name extends PieceName<ModelOf<Site>>>(
    type: Name,
    query?: QueryOf<Name, ModelOf<Site>>,
    options?: Options<Site>,
  ): Promise<number>
  /** The home page with what is below it (§4.2); with `archived: true` the archive. */
  tree(query?: TreeOptions, options?: Options<Site>): Promise<NavigationPage<ModelOf<Site>>>
  /** Makes a document: published at once, but with mode `draft` (§4.1 POST). Pages need a position. */
  insert<Name extends AnyName<Site>>(
    type: Name,
    copy: CompletedOf<Name, ModelOf<Site>, '_copyingId'> & PlaceOf<Name, ModelOf<Site>>,
    options?: Options<Site>,
  ): Promise<Answer<Site, Name>>
  insert<Name extends AnyName<Site>>(
    type: Name,
    document: NewDocumentOf<Name, ModelOf<Site>> & PlaceOf<Name, ModelOf<Site>>,
    options?: Options<Site>,
  ): Promise<Answer<Site, Name>>
  /** Makes pieces of one type, all or none, in a number of statements that does not grow with them. */
  insertMany<Name extends PieceName<ModelOf<Site>>>(
    type: Name,
    pieces: readonly NewDocumentOf<Name, ModelOf<Site>>[],
    options?: Options<Site>,
  ): Promise<Answer<Site, Name>[]>
  /** Replaces the fields of a document (§4.1 PUT): what is left out becomes blank or its default. */
  replace<Name extends AnyName<Site>>(
    type: Name,
    id: string,
    restored: CompletedOf<Name, ModelOf<Site>, '_restoreVersion'> & Partial<PagePosition>,
    options?: Options<Site>,
  ): Promise<Answer<Site, Name>>
  replace<Name extends AnyName<Site>>(
    type: Name,
    id: string,
    document: NewDocumentOf<Name, ModelOf<Site>> & Partial<PagePosition>,
    options?: Options<Site>,
  ): Promise<Answer<Site, Name>>
  /** Changes some fields of a document, moves a page, or both (§4.1 PATCH, §4.2). */
  patch<Name extends AnyName<Site>>(
    type: Name,
    id: string,
    patch: PatchOf<Name, ModelOf<Site>>,
    options?: Options<Site>,
  ): Promise<Answer<Site, Name>>
  /** Copies the draft over the published copy (§4.1 publish). */
  publish<Name extends AnyName<Site>>(type: Name, id: string, options?: Options<Site>): Promise<Answer<Site, Name>>
  /** Takes the published copy away; the draft stays. */
  unpublish<Name extends AnyName<Site>>(type: Name, id: string, options?: Options<Site>): Promise<Answer<Site, Name>>
  /** Puts a document into the archive (§3.5); a page goes there with all below it. */
  archive<Name extends AnyName<Site>>(type: Name, id: string, options?: Options<Site>): Promise<Answer<Site, Name>>
  /** Takes it out again; a page becomes the last one below home, unless it is patched to another position. */
  restore<Name extends AnyName<Site>>(type: Name, id: string, options?: Options<Site>): Promise<Answer<Site, Name>>
  /** Deletes a document in one locale for good. */
  remove(type: AnyName<Site>, id: string, options?: Options<Site>): Promise<void>
  /** Copies a draft to another locale's draft (§3.4), and returns that. */
  localize<Name extends AnyName<Site>>(
    type: Name,
    id: string,
    localization: LocalizeOptions<ModelOf<Site>['locale']>,
    options?: Options<Site>,
  ): Promise<Answer<Site, Name>>
  /**
   * Runs `work` in one transaction: all of its operations or none. It may be run again, and must not wait for anything
   * but its own `content`. An operation that changes something and fails ends the transaction, caught or not.
   */
  transaction<T>(work: (content: Content<Site>) => Promise<T>): Promise<T>
}
