import type { ChangeEvent } from '../../model/declared/change-events.ts'
import type { DocId, Locale, Mode } from '../../model/terms/document.ts'
import type { WriteContext } from '../context.ts'
import type { ContentChange, Reason } from '../events.ts'

/** The copies of one document that a transaction changes, and why. */
export interface ChangedCopies {
  readonly reason: Reason | 'removed'
  readonly type: string
  readonly docId: DocId
  readonly locale: Locale
  readonly modes: readonly Mode[]
}

/** Tells `onChange` hooks what a transaction has changed. */
export async function noteChanges(ctx: WriteContext, changes: readonly ChangedCopies[]): Promise<void> {
  if (!ctx.hooks.has('onChange') || changes.length === 0) return
  await ctx.hooks.run('onChange', changes.flatMap(eventsOf), ctx)
}

const STATES: { readonly [reason in Reason | 'removed']?: ChangeEvent } = {
  unpublished: 'document.unpublished',
  archived: 'document.archived',
  restored: 'document.restored',
  moved: 'document.moved',
  carried: 'document.moved',
  removed: 'document.removed',
}

/** A save that writes the published copy also publishes it; publishing a draft is not a save. */
function eventsOf(change: ChangedCopies): ContentChange[] {
  const state = STATES[change.reason]
  if (state !== undefined) return [{ ...change, event: state }]
  const saved: ContentChange[] = change.reason === 'published' ? [] : [{ ...change, event: 'document.saved' }]
  return change.modes.includes('published') ? [...saved, { ...change, event: 'document.published' }] : saved
}
