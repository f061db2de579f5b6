import { CmsError, unauthorized } from '../../base/errors.ts'
import { currentActor } from '../../engine/access/authenticate.ts'
import type { Context } from '../../engine/context.ts'
import { scheduledScope } from '../../engine/lists/not-served.ts'
import { type ScheduledBy, scheduledBy } from '../../engine/operations/schedule.ts'
import { assertNotByAiSince } from '../../engine/operations/words-by-ai.ts'
import { roleOf } from '../../engine/permissions.ts'
import type { Job } from '../../engine/run-jobs.ts'
import { refusalForReaders } from '../../engine/values/readers-refusal.ts'
import { write } from '../../engine/write.ts'
import { stateOf } from '../../model/terms/document.ts'
import type { DocumentSchedule, ScheduledAction } from '../../store/contract/store.ts'
import type { Feature } from '../feature.ts'

/**
 * Scheduled actions are carried out within ten seconds of their time, also where jobs are looked at for the first time
 * five seconds after a start, or another process has to take over from one that died meanwhile. Both may be at it for a
 * while, if one is only silent: each document is changed once, in a transaction that looks again whether it is due.
 */
export const SCHEDULING: Job = {
  name: 'scheduling',
  schedule: { kind: 'interval', ms: 4_000 },
  run: carryOutDue,
}

/** Publishes and archives documents at their scheduled times (§3.9), for types that have `scheduling`. */
export const scheduling: Feature = {
  name: 'scheduling',
  jobs: ({ types }) => ([...types.values()].some((type) => type.scheduling) ? [SCHEDULING] : []),
}

const BATCH = 50
const MOST_MESSAGE = 500
const FIRST_DELAY_MS = 10_000
/** For so long after its first failure something is tried again. */
const LONGEST_MS = 6 * 3_600_000
const NAMES = { publish: 'publishAt', archive: 'archiveAt' } as const satisfies Record<
  ScheduledAction,
  keyof DocumentSchedule
>
const ACTIONS = ['publish', 'archive'] as const satisfies readonly ScheduledAction[]

/**
 * Publishes and archives what is due (§3.9), each document in its own transaction, on behalf of the user who scheduled
 * it.
 */
export async function carryOutDue(ctx: Context, signal: AbortSignal): Promise<void> {
  for (;;) {
    const now = ctx.now().getTime()
    const due = await ctx.store.schedules.due(now, BATCH, scheduledScope(ctx.site))
    for (const schedule of due) {
      for (const action of ACTIONS) {
        const moment = schedule[NAMES[action]]
        if (signal.aborted) return
        if (moment !== null && moment <= now) await carryOut(ctx, schedule, action)
      }
    }
    if (due.length < BATCH) return
  }
}

async function carryOut(ctx: Context, schedule: DocumentSchedule, action: ScheduledAction): Promise<void> {
  try {
    const { actor, setAt } = await actorOf(ctx, schedule, action)
    await write(ctx, async (ctx) => {
      const schedules = ctx.tx.read.schedules
      if ((await stillDue(schedules, schedule, action)) === null) return
      const { docId, locale } = schedule
      const { draft, published } = await ctx.tx.read.documents.copies(docId, locale)
      const document = draft ?? published
      // It may have been archived meanwhile.
      if (document === null || stateOf(document).isArchived) return
      const { type } = document
      // A page may have become one of another type.
      if (ctx.site.types.get(type)?.scheduling !== true) return
      await ctx.as(actor)[action](type, docId, { locale })
      // Now that the draft is locked, no agent can save it any more.
      if (action === 'publish' && setAt !== null) await assertNotByAiSince(ctx, schedule, { actor, setAt })
      // After the document, in the order in which saves lock both. A hook may have set another time.
      const present = await stillDue(schedules, schedule, action)
      if (present !== null) await ctx.tx.schedules.put(withDone(present, action))
    })
  } catch (error) {
    const { docId, locale } = schedule
    ctx.log.warn({ error, docId, locale, action }, 'A scheduled change of a document could not be made.')
    await recordFailure(ctx, schedule, action, await asReadersSee(ctx, schedule, error))
  }
}

/** The failure as all may read it who read the draft: it was met by somebody who may see more. */
async function asReadersSee(ctx: Context, { docId, locale }: DocumentSchedule, error: unknown): Promise<unknown> {
  const draft = await ctx.store.documents.get({ docId, locale, mode: 'draft' })
  return draft === null ? error : refusalForReaders(ctx, draft, error)
}

/** The user who scheduled it must still exist; the operation checks what they may do. */
async function actorOf(ctx: Context, schedule: DocumentSchedule, action: ScheduledAction): Promise<ScheduledBy> {
  const then = scheduledBy(schedule, action)
  const actor = then && (await currentActor(ctx, then.actor))
  if (actor === null || roleOf(actor) === null) throw unauthorized('The user who scheduled this can no longer sign in.')
  return { actor, setAt: then?.setAt ?? null }
}

/** Reads the document; null where the time of the action was changed meanwhile. */
async function stillDue(
  read: Context['store']['schedules'],
  { docId, locale, ...before }: DocumentSchedule,
  action: ScheduledAction,
): Promise<DocumentSchedule | null> {
  const [present] = await read.of([docId], locale)
  return present?.[NAMES[action]] === before[NAMES[action]] ? present : null
}

/** Returns the schedule after an action. A document that was archived is not published by a late attempt. */
function withDone(present: DocumentSchedule, action: ScheduledAction): DocumentSchedule {
  const { [action]: _, ...failures } = present.failures
  const isTooLate = action === 'archive' && present.failures.publish !== undefined
  return { ...present, ...(isTooLate && { publishAt: null }), [NAMES[action]]: null, failures }
}

/**
 * A refusal stays on the draft until its schedule is changed, and is not tried again. Other failures, as
 * while the database was away, gets a later time, after delays that double, until it is given up.
 */
function recordFailure(
  ctx: Context,
  schedule: DocumentSchedule,
  action: ScheduledAction,
  error: unknown,
): Promise<void> {
  const now = ctx.now().getTime()
  return ctx.store.transaction(async (tx) => {
    const present = await stillDue(tx.read.schedules, schedule, action)
    if (present === null) return
    const { [action]: former, ...others } = present.failures
    const { at, since } = former ?? { at: present[NAMES[action]] ?? now, since: now }
    const again = isRefusal(error) ? null : nextAttempt(since, now)
    const failures = { ...others, [action]: { at, since, message: messageOf(error) } }
    await tx.schedules.put({ ...present, [NAMES[action]]: again, failures })
  })
}

/** Returns the time of the next attempt; null to give up. */
function nextAttempt(since: number, now: number): number | null {
  const last = since + LONGEST_MS
  return now >= last ? null : Math.min(now + (now - since) + FIRST_DELAY_MS, last)
}

/** Whether it would be refused again: what the database or a hook could not do may pass. */
function isRefusal(error: unknown): boolean {
  return error instanceof CmsError && !['error', 'unavailable', 'toomany'].includes(error.name)
}

function messageOf(error: unknown): string {
  return (error instanceof CmsError ? error.message : 'This failed. The log says why.').slice(0, MOST_MESSAGE)
}
