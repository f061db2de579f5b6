import { late } from '../../base/late.ts'
import type { Job } from '../../engine/jobs.ts'
import type { Feature } from '../feature.ts'

/** Carried out within ten seconds of its time; if the process dies, a minute later. */
const SCHEDULING: Job = {
  name: 'scheduling',
  schedule: { kind: 'interval', ms: 5_000 },
  run: late(() => import('./carry-out.ts'), 'carryOutDue'),
}

/** Publishes and archives documents at their scheduled times (§3.9), for types that have `scheduling`. */
export const scheduling: Feature = {
  name: 'scheduling',
  jobs: ({ types }) => ([...types.values()].some((type) => type.scheduling) ? [SCHEDULING] : []),
}
