import { unavailable } from '../base/errors.ts'
import type { JsonSchema } from '../base/json.ts'
import { late } from '../base/late.ts'
import { endsWithin } from '../base/patience.ts'
import type { Context } from '../engine/context.ts'
import { type Actor, refusal, roleOf } from '../engine/permissions.ts'
import { Reply, type Route, route } from './route.ts'

const PATIENCE_MS = 3_000

const answerMetrics = late(() => import('./answer-metrics.ts'), 'answerMetrics')

/**
 * What those ask who watch over the service: whether it works, and whether it accepts requests (§0.11), open to all callers;
 * what it counts and measures, for admins (§0.12).
 */
export function healthRoutes(isStopping: () => boolean): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/health',
      summary: 'Whether the database can be reached',
      tag: 'service',
      operationId: 'service.health',
      ignoresLocale: true,
      answer: ANSWER,
      isUrgent: true,
      handle: health,
    }),
    route({
      method: 'GET',
      path: '/api/v1/ready',
      summary: 'Whether requests may be sent here: the database can be reached, and the service is not stopping',
      tag: 'service',
      operationId: 'service.ready',
      ignoresLocale: true,
      answer: ANSWER,
      isUrgent: true,
      handle: (ctx) => {
        if (isStopping()) throw unavailable('The service is stopping.')
        return health(ctx)
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/metrics',
      summary: 'What the service counts and measures, as text for Prometheus',
      tag: 'service',
      operationId: 'service.metrics',
      ignoresLocale: true,
      answer: { type: 'string' },
      mediaType: 'text/plain',
      isFor: isAdmin,
      isUrgent: true,
      permit: ({ actor }) => assertAdmin(actor),
      handle: (ctx) => {
        assertAdmin(ctx.actor)
        return answerMetrics(ctx)
      },
    }),
  ]
}

function isAdmin(actor: Actor): boolean {
  return roleOf(actor) === 'admin'
}

function assertAdmin(actor: Actor): void {
  if (!isAdmin(actor)) throw refusal(actor)
}

const ANSWER: JsonSchema = {
  type: 'object',
  required: ['status'],
  properties: { status: { type: 'string', const: 'ok', description: 'That it works.' } },
}

async function health({ store }: Context): Promise<Reply> {
  if (!(await endsWithin(PATIENCE_MS, store.check()).catch(() => false))) {
    throw unavailable('The database cannot be reached.')
  }
  return new Reply({ status: 'ok' }, { 'Cache-Control': 'no-store' })
}
