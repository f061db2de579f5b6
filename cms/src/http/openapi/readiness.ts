import { endsWithin } from '../../base/patience.ts'
import type { Context } from '../../engine/context.ts'
import { describeFailure, NotReady } from '../pipeline/failure-log.ts'

/** How long the database and the storage of uploads may take to answer that they are there. */
const PATIENCE_MS = 3_000

/** Whether requests may be sent here (§0.11); the log is told once when they no longer may, and once when they may again. */
export class Readiness {
  /** Why they may not, as the log was told. */
  #reason: string | null = null

  /** Throws `NotReady` where the database or the storage of uploads does not answer, or takes nothing. */
  async assert({ store, files, log }: Context): Promise<void> {
    const [database, storage] = await Promise.all([failureOf(store.check()), failureOf(files.check())])
    const reason = database ? 'The database cannot be reached.' : storage && 'The storage of uploads takes no files.'
    if (reason !== this.#reason) {
      if (reason === null) log.info({}, 'The service is ready again.')
      else log.error({ reason, error: database ?? storage }, 'The service is not ready.')
    }
    this.#reason = reason
    if (reason !== null) throw new NotReady(reason)
  }
}

/** The reason why a check failed, for the log; null when it went well. */
function failureOf(check: Promise<void>): Promise<string | null> {
  const late = `There was no answer within ${PATIENCE_MS / 1000} seconds.`
  return endsWithin(PATIENCE_MS, check).then((isThere) => (isThere ? null : late), describeFailure)
}
