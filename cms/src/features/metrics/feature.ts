import { late } from '../../base/late.ts'
import { type Actor, refusal, roleOf } from '../../engine/permissions.ts'
import { route } from '../../http/route.ts'
import type { Feature } from '../feature.ts'

const answerMetrics = late(() => import('./answer-metrics.ts'), 'answerMetrics')

const isAdmin = (actor: Actor) => roleOf(actor) === 'admin'

/** What the service tells of itself to those who watch over it (§0.12). */
export const metrics: Feature = {
  name: 'metrics',
  routes: () => [
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
  ],
}

function assertAdmin(actor: Actor): void {
  if (!isAdmin(actor)) throw refusal(actor)
}
