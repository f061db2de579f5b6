import { late } from '../../base/late.ts'
import type { Job } from '../../engine/jobs.ts'
import type { Feature } from '../feature.ts'

/** Done within ten seconds: a process that dies delays it by a minute. */
const SCHEDULING: Job = {
  name: 'scheduling',
  schedule: { kind: 'interval', ms: 5_000 },
  run: late(() => import('./carry-out.ts'), 'carryOutDue'),
}

/** Publishes and archives documents at their times (§3.9), where types of the site have them. */
export const scheduling: Feature = {
  name: 'scheduling',
  jobs: ({ types }) => ([...types.values()].some((type) => type.scheduling) ? [SCHEDULING] : []),
}
