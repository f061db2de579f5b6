import { invalidFields, invalidValue, type Problem } from '../../base/errors.ts'
import { own, type UnknownObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import { toInstant } from '../../model/fields/date-fields.ts'
import type { DocumentId } from '../../model/terms/document-id.ts'
import type { DocumentSchedule, ScheduledAction, ScheduleFailures } from '../../store/contract/store.ts'
import type { WriteContext } from '../context.ts'
import { type Actor, assertMay } from '../permissions.ts'

/** The properties in which drafts show their schedule, and what happens at these times. */
const TIMES = { publishAt: 'publish', archiveAt: 'archive' } as const satisfies Record<string, ScheduledAction>
type TimeName = keyof typeof TIMES
// `as`: keys of an object that has no others.
const NAMES = Object.keys(TIMES) as readonly TimeName[]

/** A moment with its time zone: a time of the day means nothing without one. */
const WITH_ZONE = /t.*(z|[+-]\d{2}:?\d{2})$/i

/**
 * Stores the schedule in a body (§3.9): `publishAt` and `archiveAt`, null to cancel. A schedule is not content: it is
 * in no version, and only a body can set it. The caller needs the right to what the schedule will do.
 */
export async function storeSchedule(
  ctx: WriteContext,
  { type, docId, locale }: Pick<DocumentId, 'docId' | 'locale'> & { readonly type: Type },
  body: UnknownObject,
): Promise<void> {
  if (!type.scheduling || NAMES.every((name) => own(body, name) === undefined)) return
  const given = readTimes(body)
  const [before] = await ctx.tx.read.schedules.of([docId], locale)
  const times = { publishAt: before?.publishAt ?? null, archiveAt: before?.archiveAt ?? null, ...given }
  const changed = NAMES.filter((name) => times[name] !== (before?.[name] ?? null))
  if (changed.length === 0) return
  for (const name of changed) assertMay(ctx.actor, TIMES[name], type)
  if (times.publishAt !== null && times.archiveAt !== null && times.archiveAt <= times.publishAt) {
    throw invalidFields([{ path: 'archiveAt', name: 'min', message: 'This must be later than publishAt.' }])
  }
  const setter: Setter = { ...ctx.actor, setAt: ctx.now().getTime() }
  const setters = Object.fromEntries(changed.map((name) => [TIMES[name], setter]))
  const actor = JSON.stringify({ ...(before && actorsOf(before)), ...setters })
  await ctx.tx.schedules.put({ docId, locale, ...times, actor, failures: stillTried(before, changed) })
}

/** The failures of actions whose time was not changed: these are still tried, and have failed until they succeed. */
function stillTried(before: DocumentSchedule | undefined, changed: readonly TimeName[]): ScheduleFailures {
  const same = NAMES.filter((name) => (before?.[name] ?? null) !== null && !changed.includes(name)).map(
    (name) => TIMES[name],
  )
  const failures = Object.entries(before?.failures ?? {})
  return Object.fromEntries(failures.filter(([action]) => same.some((one) => one === action)))
}

/** The actor who set a time, and when, in milliseconds since 1970; earlier builds did not store that. */
type Setter = Actor & { readonly setAt?: number }
type Actors = { readonly [action in ScheduledAction]?: Setter }

/** Returns the actor who set each time. Earlier versions stored one for both. */
function actorsOf({ actor }: DocumentSchedule): Actors {
  // `as`: written by `storeSchedule`.
  const stored = JSON.parse(actor) as Setter | Actors
  return 'kind' in stored ? { publish: stored, archive: stored } : stored
}

/** Who set a time, and when, in milliseconds since 1970; null where an earlier build stored it. */
export interface ScheduledBy {
  readonly actor: Actor
  readonly setAt: number | null
}

/** Returns the actor for whom a document is published or archived at its time; null when it has none. */
export function scheduledBy(schedule: DocumentSchedule, action: ScheduledAction): ScheduledBy | null {
  const stored = actorsOf(schedule)[action]
  if (stored === undefined) return null
  const { setAt = null, ...actor } = stored
  return { actor, setAt }
}

const NEEDS_ZONE = 'Write a date and time with its time zone, for example 2026-05-04T10:00:00+02:00, or null.'

function readTimes(body: UnknownObject): { [name in TimeName]?: number | null } {
  const problems: Problem[] = []
  const times: { [name in TimeName]?: number | null } = {}
  for (const name of NAMES) {
    const value = own(body, name)
    if (value === undefined) continue
    const instant = typeof value === 'string' && WITH_ZONE.test(value) ? toInstant(value) : null
    if (instant !== null) times[name] = Date.parse(instant)
    else if (value === null || value === '') times[name] = null
    else problems.push(invalidValue(name, NEEDS_ZONE))
  }
  if (problems.length > 0) throw invalidFields(problems)
  return times
}
