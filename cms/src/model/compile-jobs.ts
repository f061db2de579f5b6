import { z } from 'zod'
import type { Report } from './configuration-error.ts'
import { ROLES } from './roles.ts'
import { readDaily, readInterval } from './schedule.ts'
import type { SiteJob } from './types.ts'

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
    name: z.string().regex(/^[a-z\d][a-z\d-]{0,99}$/i, 'must be a word of letters, digits and hyphens'),
    every: z.string().optional(),
    daily: z.string().optional(),
    timeZone: z.string().default('UTC'),
    as: ACTING,
    run: z.custom<SiteJob['run']>(
      (value) => typeof value === 'function',
      'must be a function: async ({ content }) => …',
    ),
  })
  .refine(({ every, daily }) => (every === undefined) !== (daily === undefined), 'needs either every or daily')

/** Checks the jobs of a site: names are unique, times can be read. */
export function compileJobs(declared: readonly z.infer<typeof JOB>[], report: Report): readonly SiteJob[] {
  const names = declared.map(({ name }) => name)
  return declared.flatMap(({ name, every, daily, timeZone, as, run }, index) => {
    if (names.indexOf(name) < index) report(`${index}.name`, `there is a job "${name}" already`)
    const schedule = every === undefined ? readDaily(daily ?? '', timeZone) : readInterval(every)
    if (schedule !== null) return [{ name, schedule, as, run }]
    if (every !== undefined) report(`${index}.every`, 'must be seconds, minutes, hours or days: "10m"')
    else report(`${index}.daily`, 'must be a time of the day, "03:30", in a time zone that is known: "Europe/Berlin"')
    return []
  })
}
