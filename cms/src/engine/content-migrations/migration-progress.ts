import { invalid } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { DocId, Locale } from '../../model/terms/document-id.ts'
import type { StoredMigration } from '../../store/contract/store.ts'
import type { WriteContext } from '../context.ts'

/** How far a migration has come. */
export interface MigrationProgress {
  /** Its steps, as far as they were called. */
  readonly steps: readonly StepProgress[]
  /** How many of them are finished: all that was called since is done in one pass through the documents. */
  readonly finished: number
  readonly pass: PassProgress | null
}

/** A step: what it was called with, and what it has changed so far. */
export interface StepProgress {
  readonly title: string
  /** The epoch of declarations that began with it; 0 where it moves nothing. */
  readonly since: number
  /** How many documents it has changed, counted in each locale. */
  readonly changed: number
}

/** Where a pass through the documents is. */
export interface PassProgress {
  /** How many steps are finished with it. */
  readonly until: number
  readonly locale: Locale
  /** The last document that was looked at. */
  readonly after: DocId
  /** How many were looked at, and how many there were when it began. */
  readonly seen: number
  readonly total: number
}

export const NOT_BEGUN: MigrationProgress = { steps: [], finished: 0, pass: null }

/**
 * Returns how many known steps still hold when the step at `index` is called by this title. Throws `invalid` when it
 * replaces a step that has begun.
 */
export function knownUntil({ steps, finished, pass }: MigrationProgress, index: number, title: string): number {
  const known = steps[index]
  if (known === undefined || known.title === title) return steps.length
  const isBegun = index < (pass !== null && pass.seen > 0 ? pass.until : finished)
  if (!isBegun && steps.slice(index).every(({ since }) => since === 0)) return index
  throw invalid(
    `"${known.title}" was begun already, and cannot become "${title}". Leave it, and add other steps after it.`,
  )
}

/** Returns the stored progress of a migration. */
export function progressOf(stored: Pick<StoredMigration, 'progress'> | null): MigrationProgress {
  // `as`: only `recordProgress` writes it.
  return stored === null ? NOT_BEGUN : (stored.progress as unknown as MigrationProgress)
}

/** The progress of a migration to record, and what is recorded of it. */
interface Recording {
  readonly stored: StoredMigration | null
  readonly progress: MigrationProgress
  readonly isFinished: boolean
}

/** Records how far a migration has come. */
export async function recordProgress(
  { tx, now }: WriteContext,
  { name, checksum = '' }: Pick<StoredMigration, 'name'> & Partial<Pick<StoredMigration, 'checksum'>>,
  { stored, progress, isFinished }: Recording,
): Promise<void> {
  const time = now().toISOString()
  const { startedAt = time } = stored ?? {}
  const finishedAt = isFinished ? time : null
  // `as`: progress is JSON.
  const json = progress as unknown as JsonObject
  await tx.contentMigrations.put({ name, checksum, startedAt, finishedAt, progress: json })
}
