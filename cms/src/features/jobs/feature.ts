import type { Context } from '../../engine/context.ts'
import type { Job } from '../../engine/run-jobs.ts'
import type { SiteJob } from '../../model/declared/job-schedules.ts'
import type { Feature } from '../feature.ts'

/** The jobs that a site declares (§6.4). */
export const jobs: Feature = {
  name: 'jobs',
  jobs: (site) => site.jobs.map(jobOf),
}

function jobOf({ name, schedule, as, run }: SiteJob): Job {
  // `as`: the model carries the function without knowing what it is given; `DeclaredJob` says it.
  const work = run as (job: object) => unknown
  const acting = 'user' in as ? as : { role: as.role, name: as.name, ai: as.ai ?? false }
  return {
    name,
    schedule,
    run: async (ctx: Context, signal) => work({ name, content: ctx.as(acting), log: ctx.log, signal }),
  }
}
