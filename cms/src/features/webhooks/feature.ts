import { late } from '../../base/late.ts'
import type { Context } from '../../engine/context.ts'
import type { Job } from '../../engine/run-jobs.ts'
import { DAILY } from '../../model/declared/job-schedules.ts'
import type { Feature } from '../feature.ts'
import { webhookRoutes } from './routes.ts'

const KEPT_MS = 14 * 86_400_000

/** Deletes deliveries after two weeks. */
const CLEANING: Job = {
  name: 'webhook cleaning',
  schedule: DAILY,
  run: (ctx: Context) => ctx.store.transaction(({ webhooks }) => webhooks.prune(ctx.now().getTime() - KEPT_MS)),
}

/** Notifies outside receivers of changes (§6.7). */
export const webhooks: Feature = {
  name: 'webhooks',
  routes: webhookRoutes,
  hooks: { onChange: late(() => import('./note-changes.ts'), 'noteForReceivers') },
  jobs: () => [CLEANING],
  serve: late(() => import('./serving.ts'), 'startDeliveries'),
}
