import { z } from 'zod'
import { checkDistinct, type Report } from '../terms/configuration-error.ts'
import { ROLES, type Role } from '../terms/roles.ts'
import { callable, WORD } from './option-schemas.ts'

/** When a job runs: at an interval in milliseconds, or daily at a time in a time zone. */
export type Schedule =
  | { readonly kind: 'interval'; readonly ms: number }
  | { readonly kind: 'daily'; readonly hour: number; readonly minute: number; readonly timeZone: string }

/** A job of the site itself (§6.4). The model only carries what it runs. */
export interface SiteJob {
  readonly name: string
  readonly schedule: Schedule
  /** In whose name it acts. */
  readonly as:
    | { readonly role: Role; readonly name: string; readonly ai?: boolean | undefined }
    | { readonly user: string }
  readonly run: (job: never) => unknown
}

const [SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS] = [1_000, 60_000, 3_600_000, 86_400_000]
const UNITS: { readonly [unit: string]: number } = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS }
const LONGEST_MS = 366 * DAY_MS
/** The schedule of work that is in no hurry. */
export const DAILY: Schedule = { kind: 'interval', ms: DAY_MS }

/** How long the first run after the first start waits at most. */
const FIRST_MS = 10 * MINUTE_MS

/** `10m`, `2h`, `1d`: whole seconds, minutes, hours or days, a year at most; null for anything else. */
export function readInterval(text: string): Schedule | null {
  const [, count = '', unit = ''] = /^([1-9]\d{0,7})([smhd])$/.exec(text) ?? []
  const ms = Number(count) * (UNITS[unit] ?? 0)
  return ms > 0 && ms <= LONGEST_MS ? { kind: 'interval', ms } : null
}

/** `03:30`, and the name of a time zone; null for anything else. */
export function readDaily(text: string, timeZone: string): Schedule | null {
  const [, hour = '', minute = ''] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  return hour === '' || !isTimeZone(timeZone)
    ? null
    : { kind: 'daily', hour: Number(hour), minute: Number(minute), timeZone }
}

/** True for the name of a time zone: `Europe/Berlin`. */
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Returns when a job that began at a moment is due next; moments are milliseconds since 1970. */
export function nextRun(schedule: Schedule, from: number): number {
  return schedule.kind === 'interval' ? from + schedule.ms : nextDaily(schedule, from)
}

/** Returns when a job that never ran is due: soon, unless it has a time of day. */
export function firstRun(schedule: Schedule, from: number): number {
  return schedule.kind === 'interval' ? from + Math.min(schedule.ms, FIRST_MS) : nextDaily(schedule, from)
}

/** A time that a change of clocks skips is the same time after the change; of one that it repeats, the first counts. */
function nextDaily(schedule: Extract<Schedule, { readonly kind: 'daily' }>, from: number): number {
  const { hour, minute, timeZone } = schedule
  const today = Math.floor((from + offsetAt(timeZone, from)) / DAY_MS) * DAY_MS
  for (let day = today; ; day += DAY_MS) {
    const moment = momentOf(timeZone, day + hour * HOUR_MS + minute * MINUTE_MS)
    if (moment > from) return moment
  }
}

/** The moment at which clocks of a time zone show a time, given as if it were UTC. */
function momentOf(timeZone: string, local: number): number {
  const [before, after] = [offsetAt(timeZone, local - DAY_MS), offsetAt(timeZone, local + DAY_MS)]
  const early = local - Math.max(before, after)
  return early + offsetAt(timeZone, early) === local ? early : local - Math.min(before, after)
}

/** Returns how far clocks of a time zone are ahead of UTC at a moment, in milliseconds. */
function offsetAt(timeZone: string, moment: number): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]))
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return shown - Math.floor(moment / SECOND_MS) * SECOND_MS
}

const ACTING = z.union(
  [
    z.strictObject({ role: z.enum(ROLES), name: z.string().trim().min(1).max(200), ai: z.boolean().optional() }),
    z.strictObject({ user: z.string().min(1) }),
  ],
  "must say who acts: { role: 'editor', name: 'Digest' } or { user: id }",
)

/** A job of a site as declared. */
export const JOB = z
  .strictObject({
    name: WORD,
    every: z.string().optional(),
    daily: z.string().optional(),
    timeZone: z.string().default('UTC'),
    as: ACTING,
    run: callable<SiteJob['run']>('must be a function: async ({ content }) => …'),
  })
  .refine(({ every, daily }) => (every === undefined) !== (daily === undefined), 'needs either every or daily')

/** Checks the jobs of a site: names are unique, times can be read. */
export function compileJobs(declared: readonly z.infer<typeof JOB>[], report: Report): readonly SiteJob[] {
  checkDistinct(declared, 'a job', '', report)
  return declared.flatMap(({ name, every, daily, timeZone, as, run }, index) => {
    const schedule = every === undefined ? readDaily(daily ?? '', timeZone) : readInterval(every)
    if (schedule !== null) return [{ name, schedule, as, run }]
    if (every !== undefined) report(`${index}.every`, 'must be seconds, minutes, hours or days, such as "10m"')
    else
      report(
        `${index}.daily`,
        'must be a time of the day, such as "03:30", in a known time zone, such as "Europe/Berlin"',
      )
    return []
  })
}
