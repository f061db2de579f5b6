import type {
  CompletedOf,
  NewDocumentOf,
  PagePosition,
  PatchOf,
  PieceName,
  QueryOf,
  ShownDocumentOf,
  SiteModel,
} from 'quire-cms/types'
import type { CallOptions, WriteOptions } from '../request.ts'
import type { DocumentLocales, List, Outcome, PublishCheck, SlugCheck, Stored } from './answers.ts'
import type { Changes } from './changes.ts'
import type { Exact } from './exact.ts'
import type { Checked, Projected, Projection } from './projection.ts'

/** How localizing is done (§3.4). */
export interface Localizing<Locale extends string> {
  readonly toLocale: Locale
  /** Copies over a document that is there already. */
  readonly update?: boolean
  readonly publish?: boolean
  readonly related?: boolean | readonly string[]
}

/** Parameters of GET of one document. */
export interface SingleQuery<P extends Projection = Projection> {
  readonly project?: P
  readonly withRelationships?: string | readonly string[]
  readonly archived?: boolean | 'any'
  readonly 'render-areas'?: boolean
}

/** Calls for many documents. */
export interface BulkOptions<Locale extends string = string> extends CallOptions<Locale> {
  /** Called after each request; several are sent, one after the other. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => unknown
}

/** A query with the projection that its results follow. */
export type ListQuery<M extends SiteModel, Name extends PieceName<M>, P> = QueryOf<Name, M> & {
  readonly project?: P & Checked<P, NonNullable<QueryOf<Name, M>['project' & keyof QueryOf<Name, M>]>>
}

/** A question about a slug: which one a title would give, or whether one is free. */
export type SlugQuestion = ({ readonly title: string } | { readonly slug: string }) & {
  /** The document that has it, or will. */
  readonly _id?: string
} & (
    | PagePosition
    /** Of pieces, and of pages that stay where they are. */
    | { readonly _targetId?: never; readonly _position?: never }
  )

type Options<M extends SiteModel> = CallOptions<M['locale']>
type Writing<M extends SiteModel> = WriteOptions<M['locale']>

/** The calls that pieces and pages have in common; `Name` is a type, `Document` its shape in answers. */
export interface DocumentCalls<M extends SiteModel, Name extends string, Document> {
  /** Deletes it in one locale for good. */
  remove(id: string, options?: Writing<M>): Promise<void>
  /** Copies the draft over the published copy. */
  publish(id: string, options?: Writing<M>): Promise<Stored<Document>>
  /** Takes the published copy away; the draft stays. */
  unpublish(id: string, options?: Writing<M>): Promise<Stored<Document>>
  /** Makes the draft what is published. */
  revert(id: string, options?: Writing<M>): Promise<Stored<Document>>
  archive(id: string, options?: Writing<M>): Promise<Stored<Document>>
  restore(id: string, options?: Writing<M>): Promise<Stored<Document>>
  localize(id: string, how: Localizing<M['locale']>, options?: Writing<M>): Promise<Stored<Document>>
  /** The locales that it is in. */
  locales(id: string, options?: Options<M>): Promise<DocumentLocales>
  /** Says what publishing would do; writes nothing. */
  check(id: string, options?: Options<M>): Promise<PublishCheck>
  /** The differences between the draft and the published copy. */
  changes(id: string, options?: Options<M>): Promise<Changes>
  slug(question: SlugQuestion, options?: Options<M>): Promise<SlugCheck>
  /** Applies changes in order, all or none: `[set('title', …), push('body.items', …), { title: … }]`. */
  edit<const Changes extends readonly PatchOf<Name, M>[]>(
    id: string,
    changes: Changes & Exact<Changes, readonly PatchOf<Name, M>[]>,
    options?: Writing<M>,
  ): Promise<Stored<Document>>
}

/** The documents of one type of pieces. */
export interface Documents<
  M extends SiteModel,
  Name extends PieceName<M>,
  Document extends object = ShownDocumentOf<Name, M> & object,
> extends DocumentCalls<M, Name, Document> {
  /** One page of the list (§4.1). */
  list<const P extends Projection = Record<never, never>>(
    query?: ListQuery<M, Name, P>,
    options?: Options<M>,
  ): Promise<List<Projected<Document, P>>>
  /** All documents that a query finds: follows the pages, and fetches one ahead. */
  all<const P extends Projection = Record<never, never>>(
    query?: ListQuery<M, Name, P>,
    options?: Options<M>,
  ): AsyncGenerator<Projected<Document, P>, void, undefined>
  /** The first document that a query finds; null where there is none. */
  first<const P extends Projection = Record<never, never>>(
    query?: ListQuery<M, Name, P>,
    options?: Options<M>,
  ): Promise<Projected<Document, P> | null>
  /** One document; `notfound` where there is none that may be seen. */
  get<const P extends Projection = Record<never, never>>(
    id: string,
    query?: SingleQuery<P>,
    options?: Options<M>,
  ): Promise<Stored<Projected<Document, P>>>
  /** Makes a document: published at once, but with mode `draft`. Sent again where the answer got lost. */
  create(copy: CompletedOf<Name, M, '_copyingId'>, options?: Writing<M>): Promise<Stored<Document>>
  create(document: NewDocumentOf<Name, M>, options?: Writing<M>): Promise<Stored<Document>>
  /** Replaces all fields: what is left out becomes blank or its default. */
  replace(
    id: string,
    restored: CompletedOf<Name, M, '_restoreVersion'>,
    options?: Writing<M>,
  ): Promise<Stored<Document>>
  replace(id: string, document: NewDocumentOf<Name, M>, options?: Writing<M>): Promise<Stored<Document>>
  /** Changes what it names: fields, paths into them, and lists by operators. */
  patch(id: string, patch: PatchOf<Name, M>, options?: Writing<M>): Promise<Stored<Document>>
  /** Each document succeeds or fails on its own; the outcomes are in the order of the ids. */
  publishMany(ids: readonly string[], options?: BulkOptions<M['locale']>): Promise<readonly Outcome[]>
  archiveMany(ids: readonly string[], options?: BulkOptions<M['locale']>): Promise<readonly Outcome[]>
  restoreMany(ids: readonly string[], options?: BulkOptions<M['locale']>): Promise<readonly Outcome[]>
  localizeMany(
    ids: readonly string[],
    how: Omit<Localizing<M['locale']>, 'toLocale'> & { readonly toLocales: readonly M['locale'][] },
    options?: BulkOptions<M['locale']>,
  ): Promise<readonly Outcome[]>
}
