import { late } from '../../base/late.ts'
import type { Job } from '../../engine/jobs.ts'
import type { Feature } from '../feature.ts'

/**
 * What is due is carried out within ten seconds of its time, also where jobs are looked at for the first time five seconds
 * after a start; if the process dies meanwhile, a minute later.
 */
export const SCHEDULING: Job = {
  name: 'scheduling',
  schedule: { kind: 'interval', ms: 4_000 },
  run: late(() => import('./carry-out.ts'), 'carryOutDue'),
}

/** Publishes and archives documents at their scheduled times (§3.9), for types that have `scheduling`. */
export const scheduling: Feature = {
  name: 'scheduling',
  jobs: ({ types }) => ([...types.values()].some((type) => type.scheduling) ? [SCHEDULING] : []),
}
