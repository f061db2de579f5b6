import type { Job } from '../../engine/run-jobs.ts'
import type { Feature } from '../feature.ts'
import { carryOutDue } from './carry-out.ts'

/**
 * Scheduled actions are carried out within ten seconds of their time, also where jobs are looked at for the first time
 * five seconds after a start, or another process has to take over from one that died meanwhile. Both may be at it for a
 * while, if one is only silent: each document is changed once, in a transaction that looks again whether it is due.
 */
export const SCHEDULING: Job = {
  name: 'scheduling',
  schedule: { kind: 'interval', ms: 4_000 },
  leaseMs: 5_000,
  run: carryOutDue,
}

/** Publishes and archives documents at their scheduled times (§3.9), for types that have `scheduling`. */
export const scheduling: Feature = {
  name: 'scheduling',
  jobs: ({ types }) => ([...types.values()].some((type) => type.scheduling) ? [SCHEDULING] : []),
}
