import type { DocId, Locale } from '../../model/terms/document.ts'

/** What a schedule does with a document. */
export type ScheduledAction = 'publish' | 'archive'

/** When a document of one locale is published and archived by itself. Moments are milliseconds since 1970. */
export interface DocumentSchedule {
  readonly docId: DocId
  readonly locale: Locale
  readonly publishAt: number | null
  readonly archiveAt: number | null
  /** Who has set each time, as JSON. */
  readonly actor: string
  /** What could not be done, the latest last. */
  readonly failures: ScheduleFailures
}

/** By what was to be done, why it was not. */
export type ScheduleFailures = { readonly [action in ScheduledAction]?: ScheduleFailure }

/** Why something could not be done. */
export interface ScheduleFailure {
  /** The time that was set for it. */
  readonly at: number
  /** When it failed first. */
  readonly since: number
  /** As it failed last. */
  readonly message: string
}

/** The documents whose schedules a site carries out. */
export interface ScheduledScope {
  readonly types: readonly string[]
  readonly locales: readonly Locale[]
}

/** How many documents of a type and a locale have a time. */
export interface ScheduledCount {
  readonly type: string
  readonly locale: Locale
  readonly documents: number
}

/** Reads schedules. */
export interface ScheduleReader {
  of(docIds: readonly DocId[], locale: Locale): Promise<DocumentSchedule[]>
  /** Some of the scope that are due, those due first before others. */
  due(now: number, limit: number, scope: ScheduledScope): Promise<DocumentSchedule[]>
  /** How many documents outside of the scope have a time at which they would be published or archived. */
  outside(scope: ScheduledScope): Promise<ScheduledCount[]>
}

/** Changes schedules. */
export interface ScheduleWriter {
  /** An empty schedule is removed. */
  put(schedule: DocumentSchedule): Promise<void>
  remove(docId: DocId, locale: Locale): Promise<void>
}
