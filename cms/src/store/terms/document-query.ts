import type { DocId, Locale, Mode, Visibility } from '../../model/terms/document.ts'
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

/** Which documents a list holds, and in what order. */
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

/** Columns that every document has. `title` and `slug` compare folded. */
export type Column = 'createdAt' | 'updatedAt' | 'title' | 'slug'

/** A condition on the documents of a list. */
export type Condition =
  /** One of the values. Texts folded by `foldText`. */
  | { readonly kind: 'equals'; readonly name: string; readonly anyOf: readonly (string | number)[] }
  | { readonly kind: 'range'; readonly name: string; readonly min?: number | string; readonly max?: number | string }
  | { readonly kind: 'column'; readonly column: Column; readonly anyOf: readonly string[] }
  | { readonly kind: 'columnRange'; readonly column: Column; readonly min?: string; readonly max?: string }
  | { readonly kind: 'visibility'; readonly anyOf: readonly Visibility[] }
  /** Points by `name` to one of the documents named by id or slug, of those that `target` shows. */
  | {
      readonly kind: 'related'
      readonly name: string
      readonly target: View
      readonly by: 'id' | 'slug'
      readonly anyOf: readonly string[]
      /** Or to nothing that `target` shows. */
      readonly orNone?: boolean
    }
  /**
   * Points by `name` to all of the documents named by id or slug; never holds when `target` does not show one of them.
   */
  | {
      readonly kind: 'relatedToAll'
      readonly name: string
      readonly target: View
      readonly by: 'id' | 'slug'
      readonly allOf: readonly string[]
    }
  /** Points by `name` to nothing that `target` shows. */
  | { readonly kind: 'unrelated'; readonly name: string; readonly target: View }
  | { readonly kind: 'never' }

/** One step of a sort order. */
export type Sort =
  | { readonly by: 'column'; readonly column: Column; readonly direction: 1 | -1 }
  | {
      readonly by: 'field'
      readonly name: string
      readonly value: 'text' | 'number'
      readonly direction: 1 | -1
    }
