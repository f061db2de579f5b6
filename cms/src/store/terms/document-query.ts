import type { DocId, Locale, Mode, PublishingState, Visibility } from '../../model/terms/document-id.ts'
import type { DateName, ScheduleTime } from '../../model/terms/document-times.ts'
import type { SearchQuery } from './search-query.ts'

/**
 * Identifies a list: all documents of one type in one locale and mode. The locale of types without locales is empty.
 */
export interface Scope {
  readonly type: string
  readonly locale: Locale
  readonly mode: Mode
}

/** The documents of a list that a caller may see. */
export interface View extends Scope {
  readonly archived: boolean | 'any'
  /** Null for all. */
  readonly visibility: Visibility | null
}

/** Documents that others point to. */
export interface Pointing {
  /** The relationship, by the name of its index. */
  readonly name: string
  readonly docIds: readonly DocId[]
  /** The most documents for each of them. */
  readonly limit: number
}

/** Selects the documents of a list, and their order. */
export interface Query extends View {
  /** Only these documents, and in this order when `sort` is empty. */
  readonly docIds?: readonly DocId[]
  /** All must hold. */
  readonly conditions: readonly Condition[]
  readonly search?: SearchQuery
  /** Ties are broken by row number. Empty with `search`: by relevance. */
  readonly sort: readonly Sort[]
  readonly offset: number
  readonly limit: number
}

/** The conditions of a query, without order and page. */
export type Filter = Omit<Query, 'sort' | 'offset' | 'limit'>

/** Selects documents of several lists: each filter finds those of one. */
export interface AcrossQuery {
  readonly filters: readonly Filter[]
  readonly sort: CommonSort
  readonly offset: number
  readonly limit: number
}

/** A name by which documents of a list may have references in the index. */
export interface ReferenceName extends Omit<Scope, 'mode'> {
  readonly kind: 'document' | 'attachment'
  readonly name: string
  /** Whether archived documents count. */
  readonly isOfArchived: boolean
}

/** Such a reference, and what it leads to. */
export interface IndexedReference extends ReferenceName {
  readonly id: string
}

/** Selects the documents that have one of these references in either copy, but one. */
export interface UsesQuery {
  readonly references: readonly IndexedReference[]
  readonly except: DocId
  readonly offset: number
  readonly limit: number
}

/** Bounds of a range: `min` and `max` belong to it, `above` and `below` do not. */
export interface Bounds<Value> {
  readonly min?: Value
  readonly max?: Value
  readonly above?: Value
  readonly below?: Value
}

/** Related documents of one type that count, and how they are named. */
export interface RelatedTarget {
  readonly view: View
  readonly by: 'id' | 'slug'
}

/** A relationship, and the documents of each type that it is compared with. */
interface Targets {
  readonly name: string
  readonly targets: readonly RelatedTarget[]
}

/** A condition on the documents of a list. */
export type Condition =
  /** One of the values. Texts folded by `foldText`. */
  | { readonly kind: 'equals'; readonly name: string; readonly anyOf: readonly (string | number)[] }
  | ({ readonly kind: 'range'; readonly name: string } & Bounds<number | string>)
  /** A value that begins with a text, or contains it; folded by `foldText`. */
  | { readonly kind: 'text'; readonly name: string; readonly is: TextMatch; readonly text: string }
  /** Any value. */
  | { readonly kind: 'filled'; readonly name: string }
  | { readonly kind: 'column'; readonly column: Column; readonly anyOf: readonly string[] }
  | ({ readonly kind: 'columnRange'; readonly column: Column } & Bounds<string>)
  | { readonly kind: 'columnText'; readonly column: 'title' | 'slug'; readonly is: TextMatch; readonly text: string }
  | { readonly kind: 'visibility'; readonly anyOf: readonly Visibility[] }
  | { readonly kind: 'state'; readonly anyOf: readonly PublishingState[] }
  /** Saved last by one of these users or keys. */
  | { readonly kind: 'updatedBy'; readonly anyOf: readonly string[] }
  /** A time of its schedule, in milliseconds since 1970: any, one of some, or one within bounds. */
  | ({ readonly kind: 'scheduled'; readonly time: ScheduleTime; readonly anyOf?: readonly number[] } & Bounds<number>)
  /** Points by `name` to one of the named documents among the targets, or (`orNone`) to nothing that they show. */
  | ({ readonly kind: 'related'; readonly anyOf: readonly string[]; readonly orNone?: boolean } & Targets)
  /** Points by `name` to all of the named documents; never holds when the targets do not show one of them. */
  | ({ readonly kind: 'relatedToAll'; readonly allOf: readonly string[] } & Targets)
  /** Points by `name` to nothing that the targets show. */
  | ({ readonly kind: 'unrelated' } & Targets)
  /** A document has a reference of these names to it, or another one to the file in its field `attachment`. */
  | { readonly kind: 'used'; readonly references: readonly ReferenceName[] }
  /** Another locale has no copy of it, or one that was saved before it was last published. */
  | (Omit<Scope, 'mode'> & { readonly kind: 'missingIn' | 'outdatedIn'; readonly isOfArchived: boolean })
  /** The file in the attachment field `name` has one of these extensions. */
  | { readonly kind: 'extension'; readonly name: string; readonly anyOf: readonly string[] }
  /** The image in the attachment field `name` has so many pixels. */
  | ({ readonly kind: 'pixels'; readonly name: string; readonly side: 'width' | 'height' } & Bounds<number>)
  | Through
  | { readonly kind: 'all' | 'any'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }
  | { readonly kind: 'never' }

/**
 * Holds for a document when `of` holds for one that it points to by `name`, or (`backward`) one that points to it, among
 * those that `target` shows.
 */
export interface Through {
  readonly kind: 'through'
  readonly direction: 'forward' | 'backward'
  readonly name: string
  readonly target: View
  readonly of: Condition
}

/** How a text is found in a value: at its beginning, or anywhere. */
export type TextMatch = 'beginning' | 'part'

/** Columns that every document has. `title` and `slug` compare folded. */
export type Column = DateName | 'title' | 'slug'
/** Columns that lists are sorted by. Documents that are not published come last by `lastPublishedAt`. */
export type SortColumn = Column | 'lastPublishedAt'

/** The orders in which documents of all types are listed together. */
type CommonSort =
  | { readonly by: 'column'; readonly column: 'updatedAt' | 'title' | 'lastPublishedAt'; readonly direction: 1 | -1 }
  | ScheduleSort

/** By a time of the schedule; documents without one come last. */
interface ScheduleSort {
  readonly by: 'schedule'
  readonly time: ScheduleTime
  readonly direction: 1 | -1
}
/** One step of a sort order. */
export type Sort =
  | ScheduleSort
  | { readonly by: 'column'; readonly column: SortColumn; readonly direction: 1 | -1 }
  | {
      readonly by: 'field'
      readonly name: string
      readonly value: 'text' | 'number'
      readonly direction: 1 | -1
    }
