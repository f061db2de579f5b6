/** Columns that every document has. `title` and `slug` compare folded. */
export type Column = 'createdAt' | 'updatedAt' | 'title' | 'slug'
/** Columns that lists are sorted by. Documents that are not published come last by `lastPublishedAt`. */
export type SortColumn = Column | 'lastPublishedAt'

/** The orders in which documents of all types are listed together. */
export type CommonSort =
  | { readonly by: 'column'; readonly column: 'updatedAt' | 'title' | 'lastPublishedAt'; readonly direction: 1 | -1 }
  | ScheduleSort

/** The times of a schedule. */
export type ScheduleTime = 'publishAt' | 'archiveAt'
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
