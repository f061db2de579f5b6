import { unavailable } from '../base/errors.ts'
import type { JsonSchema } from '../base/json.ts'
import { endsWithin } from '../base/patience.ts'
import type { Context } from '../engine/context.ts'
import { Reply, type Route, route } from './route.ts'

const PATIENCE_MS = 3_000

/** Health checks: whether the service works, and whether it accepts requests. Open to all callers. */
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
  ]
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
