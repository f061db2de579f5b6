import { object } from '../../base/json-schema.ts'
import { METRICS_TYPE, metricsText } from '../../base/metrics.ts'
import { endsWithin } from '../../base/patience.ts'
import type { Context } from '../../engine/context.ts'
import { assertAdmin, isAdmin } from '../../engine/permissions.ts'
import { describeFailure, NotReady } from '../pipeline/failure-log.ts'
import { Reply, type Route, route } from '../requests/route.ts'

/**
 * Returns the routes for monitoring: whether the process works, and whether requests may be sent to it (§0.11), open to
 * all callers; metrics, for admins (§0.12).
 */
export function monitoringRoutes(isStopping: () => boolean): readonly Route[] {
  const common = { method: 'GET', tag: 'service', ignoresLocale: true, isUrgent: true } as const
  const readiness = new Readiness()
  // Monitors may append any query.
  const check = { ...common, answer: HEALTH, ignoresQuery: true } as const
  return [
    route({
      ...check,
      path: '/api/v1/health',
      summary: 'Whether the process works: one that does not answer is to be started again',
      operationId: 'service.health',
      handle: async () => ok(),
    }),
    route({
      ...check,
      path: '/api/v1/ready',
      summary: 'Whether requests may be sent here: database and storage answer, and the service is not stopping',
      operationId: 'service.ready',
      handle: async (ctx) => {
        if (isStopping()) throw new NotReady('The service is stopping.')
        await readiness.assert(ctx)
        return ok()
      },
    }),
    route({
      ...common,
      path: '/api/v1/metrics',
      summary: 'What the service counts and measures, as text for Prometheus',
      operationId: 'service.metrics',
      answer: { type: 'string' },
      mediaType: 'text/plain',
      isFor: isAdmin,
      permit: assertAdmin,
      handle: answerMetrics,
    }),
  ]
}

const HEALTH = object(['status'], { status: { type: 'string', const: 'ok', description: 'That it works.' } })

const ok = () => new Reply({ status: 'ok' }, { 'Cache-Control': 'no-store' })

/** How long the database and the storage of uploads may take to answer that they are there. */
const PATIENCE_MS = 3_000

/** Whether requests may be sent here (§0.11). It logs once that they may not, and once that they may again. */
class Readiness {
  /** Why they may not, as it was logged; null while they may. */
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

/** The metrics of all processes that serve on this address, in the text format of Prometheus. */
async function answerMetrics({ metrics }: Context): Promise<Reply> {
  const text = metricsText(await metrics.gather())
  return new Reply(text, { 'Content-Type': METRICS_TYPE, 'Cache-Control': 'no-store' })
}
